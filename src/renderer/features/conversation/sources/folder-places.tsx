import { useMemo, useRef, useState } from 'react'
import { openFile } from '../../../state/tabs/wanted-file'
import { openAddress } from '../../../state/window/window-actions'
import { WebLinkDialog } from '../../../ui/overlays/web-link-dialog'
import { type LinkTarget, linkTarget } from '../../../ui/wording/link-target'
import type { ConversationActions } from '../conversation-state'

/**
 * Opens what a conversation names, whose paths count from its folder; `folder` tells it at that time. `dialog` asks
 * whether an address shall be opened in the browser, and has to be drawn.
 */
export function useFolderPlaces(folder: () => string | null) {
  const [web, setWeb] = useState<string | null>(null)
  const newest = useRef(folder)
  newest.current = folder
  const places = useMemo<Pick<ConversationActions, 'openFile' | 'openPlace' | 'openLink'>>(() => {
    const openPlace = (place: string) => {
      const { path, line } = readPlace(place, newest.current())
      showPlace(path, line)
    }
    return {
      openFile: showPlace,
      openPlace,
      openLink: (href) => {
        const target = readLink(href, newest.current())
        if (target.kind === 'web') setWeb(target.url)
        else if (target.kind === 'file') openPlace(target.path)
      },
    }
  }, [])
  const dialog = <WebLinkDialog url={web} onOpen={openAddress} onClose={() => setWeb(null)} />
  return { places, dialog }
}

function showPlace(path: string, line: number | null): void {
  const at = line === null ? undefined : { line: line - 1, character: 0 }
  void openFile(path, { preview: true, focus: true, at })
}

/** Where a link in a message leads: paths count from the session's folder, and lead nowhere where that is unknown. */
export function readLink(href: string, folder: string | null): LinkTarget {
  const target = linkTarget(folder === null ? '' : `${folder}/message`, href)
  return target.kind === 'file' && folder === null && !href.startsWith('/') ? { kind: 'none' } : target
}

/** A place as agents write it: a path, perhaps from the session's folder, perhaps with a line that counts from 1. */
export function readPlace(place: string, folder: string | null): { path: string; line: number | null } {
  const [, name = place, line] = /^(.+?)(?::(\d+)(?:[:-]\d+)?)?$/s.exec(place) ?? []
  const isWhole = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(name)
  const path = isWhole || folder === null ? name : `${folder}/${name.replace(/^\.\//, '')}`
  return { path, line: line === undefined ? null : Math.max(1, Number(line)) }
}
