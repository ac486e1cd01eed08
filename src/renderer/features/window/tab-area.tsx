import { GitPullRequestArrow, ListChecks } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useKeyOf } from '../../commands/registry'
import type { Tab } from '../../../shared/contract/tabs'
import { send } from '../../state/calls'
import { wantFocus } from '../../state/open-file'
import { useReviewSummary } from '../../state/reviews'
import { closeTab } from '../../state/tab-closing'
import { useTabs } from '../../state/tabs'
import { useWindow } from '../../state/window'
import { agentColor } from '../../ui/agent-color'
import { EmptyState } from '../../ui/empty-state'
import { FileIcon } from '../../ui/file-icon'
import { Kbd } from '../../ui/kbd'
import { type StripTab, TabStrip } from '../../ui/tab-strip'
import { WaitBar, waitedWords } from './wait-bar'
import './tab-area.css'

/** The window's middle: the tabs and what they show. A tab's content is made when it is first shown, and then stays. */
export function TabArea({ renderTab }: { renderTab: (tab: Tab, active: boolean) => ReactNode }) {
  const { tabs, active } = useTabs()
  const folders = useWindow()?.folders
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (active !== null) setVisited((before) => (before.has(active) ? before : new Set([...before, active])))
  }, [active])

  const stripTabs = tabs.map((tab): StripTab => {
    if (tab.kind === 'reviews') {
      const icon = <ListChecks aria-hidden="true" strokeWidth={1.8} />
      return { id: tab.id, name: tab.name, description: 'all in one scroll', icon }
    }
    const description = folderOf(tab.path, folders ?? [])
    if (tab.kind === 'review') {
      return {
        id: tab.id,
        name: tab.name,
        description: ['review', description].filter(Boolean).join(', '),
        icon: <ReviewIcon review={tab.review} />,
        closeLabel: 'Close and reject',
      }
    }
    const icon = <FileIcon name={tab.name} />
    return {
      id: tab.id,
      name: tab.name,
      description: [waitedWords(tab), description].filter(Boolean).join(', '),
      icon,
      dirty: tab.dirty,
      italic: tab.preview,
    }
  })
  return (
    <div className="tab-area">
      {tabs.length === 0 ? null : (
        <TabStrip
          label="Open files and reviews"
          tabs={stripTabs}
          active={active}
          onActivate={(id) => send('tabs.activate', { id })}
          onPick={(id) => {
            const tab = tabs.find((other) => other.id === id)
            if (tab?.kind === 'file') wantFocus(tab.path)
          }}
          onClose={(id) => void closeTab(id)}
          onMove={(id, to) => send('tabs.move', { id, to })}
          onDoubleClick={(id) => send('tabs.keep', { id })}
          panelId={panelId}
        />
      )}
      <div className="tab-contents">
        {tabs.length === 0 ? <NoTabs /> : null}
        {tabs
          .filter((tab) => tab.id === active || visited.has(tab.id))
          .map((tab) => (
            <div
              key={`${tab.id} ${subjectOf(tab)}`}
              id={panelId(tab.id)}
              className="tab-content"
              role="tabpanel"
              aria-label={tab.name}
              hidden={tab.id !== active}
            >
              {tab.kind === 'file' && tab.waited ? <WaitBar tab={tab} /> : null}
              <div className="tab-subject">{renderTab(tab, tab.id === active)}</div>
            </div>
          ))}
      </div>
    </div>
  )
}

/** What a tab shows; another subject is another content, although the tab be the same. */
function subjectOf(tab: Tab): string {
  switch (tab.kind) {
    case 'file':
      return tab.path
    case 'review':
      return tab.review
    case 'reviews':
      return tab.kind
  }
}

const panelId = (id: string) => `tab-panel-${id}`

function ReviewIcon({ review }: { review: string }) {
  const agent = useReviewSummary(review)?.agent
  return (
    <GitPullRequestArrow
      aria-hidden="true"
      strokeWidth={1.8}
      style={agent ? { color: agentColor(agent) } : undefined}
    />
  )
}

/** A file's folder as a person would say it: relative to the workspace where it lies inside. */
function folderOf(path: string, folders: readonly { path: string; name: string }[]): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  const folder = path.slice(0, cut)
  for (const root of folders) {
    if (folder === root.path) return folders.length > 1 ? root.name : ''
    const separator = folder[root.path.length]
    if (folder.startsWith(root.path) && (separator === '/' || separator === '\\')) {
      const inside = folder.slice(root.path.length + 1)
      return folders.length > 1 ? `${root.name}${separator}${inside}` : inside
    }
  }
  return folder
}

function NoTabs() {
  const hints: [string, string | undefined][] = [
    ['Run a command', useKeyOf('palette.show')],
    ['Terminals', useKeyOf('view.toggleTerminal')],
    ['All shortcuts', useKeyOf('help.shortcuts')],
  ]
  return (
    <EmptyState title="Open a file, or start an agent in a terminal.">
      <p>Changes an agent proposes open here, before they are written.</p>
      <dl className="tab-hints">
        {hints.map(([words, keys]) =>
          keys ? (
            <div key={words}>
              <dt>{words}</dt>
              <dd>
                <Kbd keys={keys} />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </EmptyState>
  )
}
