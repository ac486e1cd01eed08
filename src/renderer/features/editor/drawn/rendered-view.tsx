import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { openFile } from '../../../state/tabs/wanted-file'
import { openAddress } from '../../../state/window/window-actions'
import { EmptyState } from '../../../ui/layout/empty-state'
import { linkTarget } from '../../../ui/wording/link-target'
import { Markdown, anchorOf } from '../../../markdown/markdown'
import { Skeleton } from '../../../ui/layout/skeleton'
import { WebLinkDialog } from '../../../ui/overlays/web-link-dialog'
import { FollowedText } from '../followed-text'
import { PictureFrame } from './picture-frame'

/** A preview that follows what is typed: Markdown, or an SVG as a picture. */
export function RenderedView({ path, name, active }: { path: string; name: string; active: boolean }) {
  const [followed, setFollowed] = useState<FollowedText | null>(null)
  useEffect(() => {
    const made = new FollowedText(path)
    setFollowed(made)
    return () => made.dispose()
  }, [path])
  return followed ? (
    <Rendered followed={followed} path={path} name={name} active={active} />
  ) : (
    <Skeleton lines={8} />
  )
}

function Rendered({
  followed,
  path,
  name,
  active,
}: {
  followed: FollowedText
  path: string
  name: string
  active: boolean
}) {
  const now = useStore(followed.text, (state) => state.text)
  // A hidden preview is not redrawn at each key.
  const drawn = useRef(now)
  if (active || drawn.current === null) drawn.current = now
  const text = drawn.current
  const document = useStore(followed.sync.view)
  if (document.kind === 'failed') return <EmptyState title={document.message} />
  if (document.kind !== 'text' && document.kind !== 'loading') {
    return <EmptyState title="No preview for this file" />
  }
  if (text === null) return <Skeleton lines={8} />
  return /\.svg$/i.test(path) ? (
    <Svg text={text} name={name} />
  ) : (
    <MarkdownPage text={text} path={path} name={name} />
  )
}

function Svg({ text, name }: { text: string; name: string }) {
  const blob = useMemo(() => new Blob([text], { type: 'image/svg+xml' }), [text])
  return <PictureFrame blob={blob} name={name} facts="SVG" />
}

function MarkdownPage({ text, path, name }: { text: string; path: string; name: string }) {
  const [web, setWeb] = useState<string | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const follow = useCallback(
    (href: string) => {
      const target = linkTarget(path, href)
      switch (target.kind) {
        case 'web':
          return setWeb(target.url)
        case 'heading': {
          const id = CSS.escape(anchorOf(target.name))
          return place.current?.querySelector(`[id="${id}"]`)?.scrollIntoView({ block: 'start' })
        }
        case 'file':
          return void openFile(target.path, { preview: false, focus: true })
        case 'none':
      }
    },
    [path],
  )
  return (
    <div ref={place} className="rendered-page" role="document" aria-label={name} tabIndex={0} data-entrance>
      <Markdown text={text} onLink={follow} />
      <WebLinkDialog url={web} onOpen={openAddress} onClose={() => setWeb(null)} />
    </div>
  )
}
