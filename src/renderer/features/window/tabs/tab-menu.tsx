import type { ReactElement } from 'react'
import { useStore } from 'zustand'
import type { Tab } from '../../../../shared/contract/tabs'
import { useKeyOf } from '../../../commands/registry'
import { send } from '../../../state/host/calls'
import {
  canBeDrawn,
  closeTabs,
  compareWithRemembered,
  moveToOtherSide,
  pinTab,
  rememberFile,
  rememberedFile,
  splitTab,
} from '../../../state/tabs/tab-actions'
import { closeTab } from '../../../state/tabs/tab-closing'
import { tell } from '../../../state/window/notices-mirror'
import { ContextGap, ContextItem, ContextMenu } from '../../../ui/overlays/context-menu'
import { plainName } from '../../../ui/wording/plain-name'

/** A tab's context menu. */
export function TabMenu({ tab, trigger }: { tab: Tab; trigger: ReactElement }) {
  const closeKey = useKeyOf('tab.close')
  const splitKey = useKeyOf('view.split')
  const remembered = useStore(rememberedFile)
  const isFile = tab.kind === 'file'
  const compare = (path: string, kind: 'head' | 'saved') =>
    send('tabs.openCompared', { path, against: { kind } })
  return (
    <ContextMenu trigger={trigger}>
      <ContextItem keys={closeKey} onSelect={() => void closeTab(tab.id)}>
        {tab.kind === 'review' ? 'Close and reject' : 'Close'}
      </ContextItem>
      <ContextItem onSelect={() => void closeTabs(tab, 'others')}>Close others</ContextItem>
      <ContextItem onSelect={() => void closeTabs(tab, 'right')}>Close to the right</ContextItem>
      <ContextItem onSelect={() => void closeTabs(tab, 'saved')}>Close saved</ContextItem>
      <ContextGap />
      {isFile && tab.preview ? (
        <ContextItem onSelect={() => send('tabs.keep', { id: tab.id })}>Keep open</ContextItem>
      ) : null}
      <ContextItem onSelect={() => pinTab(tab)}>{tab.pinned ? 'Unpin' : 'Pin'}</ContextItem>
      <ContextGap />
      {tab.kind === 'review' || tab.kind === 'reviews' || tab.kind === 'approvals' ? null : (
        <ContextItem keys={splitKey} onSelect={() => void splitTab(tab)}>
          Split right
        </ContextItem>
      )}
      <ContextItem onSelect={() => void moveToOtherSide(tab)}>Move to other side</ContextItem>
      {isFile ? (
        <>
          <ContextGap />
          {canBeDrawn(tab.path) ? (
            <ContextItem onSelect={() => send('tabs.openRendered', { path: tab.path })}>
              Show preview
            </ContextItem>
          ) : null}
          <ContextItem onSelect={() => compare(tab.path, 'head')}>Compare with HEAD</ContextItem>
          <ContextItem onSelect={() => compare(tab.path, 'saved')}>Compare with saved</ContextItem>
          <ContextItem onSelect={() => rememberFile(tab)}>Select for compare</ContextItem>
          {remembered.path === null || remembered.path === tab.path ? null : (
            <ContextItem onSelect={() => compareWithRemembered(tab.path)}>
              Compare with {plainName(remembered.name)}
            </ContextItem>
          )}
          <ContextItem onSelect={() => copyPath(tab.path)}>Copy path</ContextItem>
        </>
      ) : null}
    </ContextMenu>
  )
}

function copyPath(path: string): void {
  navigator.clipboard.writeText(path).then(
    () => tell('info', 'Path copied.'),
    () => tell('warning', 'The path couldn’t be copied. Allow clipboard access and try again.'),
  )
}
