import {
  Eye,
  FileDiff,
  GitPullRequestArrow,
  Keyboard,
  ListChecks,
  MessageCircleQuestionMark,
  MessageSquarePlus,
  MessagesSquare,
  type LucideIcon,
  Settings,
  Sprout,
} from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isInLayer } from '../../../commands/layers'
import { runCommand, useKeyOf } from '../../../commands/registry'
import type { ComparedWith, OwnView, Side, Tab } from '../../../../shared/contract/tabs'
import { isWithin, nameOfPath } from '../../../../shared/text/path-name'
import { ask, send } from '../../../state/host/calls'
import { useReview } from '../../../state/reviews/reviews-mirror'
import { closeTab } from '../../../state/tabs/tab-closing'
import { useTabFact, useTabs } from '../../../state/tabs/tabs-mirror'
import { wantedTab } from '../../../state/tabs/wanted-tab'
import { useWindow } from '../../../state/window/window-mirror'
import { agentColor } from '../../../ui/labels/agent-color'
import { EmptyState } from '../../../ui/layout/empty-state'
import { FaultBoundary } from '../../../ui/layout/fault-boundary'
import { FileIcon } from '../../../ui/labels/file-icon'
import { Button } from '../../../ui/controls/button'
import { Kbd } from '../../../ui/controls/kbd'
import { Pane, SplitPane, Splitter } from '../../../ui/layout/split-pane'
import { type StripTab, TabStrip } from '../../../ui/layout/tab-strip'
import { useFocusKept } from '../panel-focus'
import { WaitBar, waitedWords } from './wait-bar'
import { enterPanel, findPane } from '../pane-cycle'
import { TabMenu } from './tab-menu'
import { foldersToTell } from './tab-names'
import './tab-area.css'

/** The window's middle: tabs and what they show, on one side or two. */
export function TabArea({ renderTab }: { renderTab: RenderTab }) {
  const isSplit = useTabFact(({ tabs }) => tabs.some((tab) => tab.side === 'right'))
  const hasTabs = useTabFact(({ tabs }) => tabs.length > 0)
  useLayoutEffect(() => {
    // The last tab was closed with the focus in it: the focus stays in the pane.
    if (hasTabs || !wantedTab.holds) return
    wantedTab.forget()
    findPane('main')?.focus()
  }, [hasTabs])
  return (
    <SplitPane orientation="horizontal" id="sides">
      <Pane id="left" min={isSplit ? 160 : 0}>
        <TabSide side="left" renderTab={renderTab} />
      </Pane>
      {isSplit ? (
        <>
          <Splitter label="Width of the left side" stays />
          <Pane id="right" min={160}>
            <TabSide side="right" renderTab={renderTab} />
          </Pane>
        </>
      ) : null}
    </SplitPane>
  )
}

type RenderTab = (tab: Tab, active: boolean) => ReactNode

/** One side of the middle. A tab's content is made when it is first shown, and then stays. */
function TabSide({ side, renderTab }: { side: Side; renderTab: RenderTab }) {
  const { tabs: all, active, shown: shownOn } = useTabs()
  const tabs = all.filter((tab) => tab.side === side)
  const shown = shownOn[side]
  const isSplit = all.some((tab) => tab.side === 'right')
  const folders = useWindow()?.folders
  const closeKeys = useKeyOf('tab.close')
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (shown !== null) setVisited((before) => (before.has(shown) ? before : new Set([...before, shown])))
  }, [shown])
  useFocusKept(shown === null ? null : panelId(shown))
  const shownTab = tabs.find((tab) => tab.id === shown)
  const wish = useStore(wantedTab.store, (state) => state.wanted)
  useLayoutEffect(() => {
    // A menu or a dialog that was opened meanwhile keeps the focus.
    if (!shownTab || !wantedTab.take((isWanted) => isWanted(shownTab)) || isInLayer()) return
    const panel = document.getElementById(panelId(shownTab.id))
    if (panel) enterPanel(panel)
  }, [wish, shownTab])
  // Working on a side makes it the active one, also when an agent has shown something on the other.
  const work = () => {
    if (isSplit && shown !== null && shown !== active) send('tabs.workOn', { side })
  }
  const hints = foldersToTell(
    tabs.map((tab) => ({
      id: tab.id,
      name: tab.name,
      folder: 'path' in tab ? folderOf(tab.path, folders ?? []) : null,
    })),
  )
  const isInFront = !isSplit || shown === active
  return (
    <div
      className={`tab-area column ${isInFront ? '' : 'tab-area-behind'}`}
      data-side={side}
      onFocusCapture={work}
      onKeyDownCapture={work}
    >
      {tabs.length === 0 ? null : (
        <TabStrip
          label={side === 'left' ? 'Open files and reviews' : 'Open files and reviews on the right'}
          tabs={tabs.map((tab) => ({ ...stripTab(tab, folders ?? []), hint: hints.get(tab.id) }))}
          active={shown}
          onActivate={(id) => send('tabs.activate', { id })}
          onPick={(id) => wantedTab.make((tab) => tab.id === id)}
          onClose={(id) => void closeTab(id)}
          closeKeys={closeKeys}
          onMove={(id, to) => send('tabs.move', { id, to })}
          onAdopt={(id, to) => void ask('tabs.moveToSide', { id, side, to })}
          onDoubleClick={(id) => send('tabs.keep', { id })}
          onUnpin={(id) => send('tabs.pin', { id, pinned: false })}
          wrapTab={(id, trigger) => {
            const tab = tabs.find((other) => other.id === id)
            return tab ? <TabMenu tab={tab} trigger={trigger} /> : trigger
          }}
          panelId={panelId}
        />
      )}
      <div className="tab-contents">
        {tabs.length === 0 ? <NoTabs /> : null}
        {tabs
          .filter((tab) => tab.id === shown || visited.has(tab.id))
          .map((tab) => (
            <div
              key={`${tab.id} ${subjectOf(tab)}`}
              id={panelId(tab.id)}
              className="tab-content column"
              role="tabpanel"
              aria-label={tab.name}
              tabIndex={-1}
              hidden={tab.id !== shown}
            >
              {tab.kind === 'file' && tab.waited ? <WaitBar tab={tab} /> : null}
              <div className="tab-subject">
                <FaultBoundary>{renderTab(tab, tab.id === shown)}</FaultBoundary>
              </div>
            </div>
          ))}
      </div>
    </div>
  )
}

function stripTab(tab: Tab, folders: readonly { path: string; name: string }[]): StripTab {
  const { id, name, pinned } = tab
  const plain = (Icon: LucideIcon, description = ''): StripTab => {
    return { id, name, pinned, description, icon: <Icon aria-hidden="true" strokeWidth={1.8} /> }
  }
  switch (tab.kind) {
    case 'reviews':
      return plain(ListChecks, 'all files')
    case 'approvals':
      return plain(MessageCircleQuestionMark)
    case 'view':
      return plain(viewIcons[tab.view])
    case 'session':
      return plain(MessagesSquare, 'conversation')
    case 'rendered':
      return plain(Eye, folderOf(tab.path, folders))
    case 'compared':
      return plain(FileDiff, comparedWords(tab.against))
    case 'review': {
      const description = ['review', folderOf(tab.path, folders)].filter(Boolean).join(', ')
      const icon = <ReviewIcon review={tab.review} />
      return { id, name, pinned, description, icon, closeLabel: 'Close and reject' }
    }
    case 'file': {
      const icon = <FileIcon name={name} />
      const description = [waitedWords(tab), folderOf(tab.path, folders)].filter(Boolean).join(', ')
      return { id, name, pinned, description, icon, dirty: tab.dirty, italic: tab.preview }
    }
  }
}

function comparedWords(against: ComparedWith): string {
  switch (against.kind) {
    case 'saved':
      return 'with what is saved'
    case 'head':
      return 'with the last commit'
    case 'file':
      return `with ${against.path}`
    case 'record':
      return against.side === 'proposed' ? 'as it was proposed' : 'as it was written'
  }
}

/** What a tab shows. When it changes, the same tab gets new content. */
function subjectOf(tab: Tab): string {
  switch (tab.kind) {
    case 'file':
      return tab.path
    case 'review':
      return tab.review
    case 'reviews':
    case 'approvals':
      return tab.kind
    case 'rendered':
      return `rendered ${tab.path}`
    case 'compared':
      return `compared ${tab.path} ${JSON.stringify(tab.against)}`
    case 'session':
      return tab.session
    case 'view':
      return tab.view
  }
}

const viewIcons: Record<OwnView, LucideIcon> = { settings: Settings, keys: Keyboard, welcome: Sprout }

const panelId = (id: string) => `tab-panel-${id}`

function ReviewIcon({ review }: { review: string }) {
  const agent = useReview(review, ({ agent: name }) => name)
  return (
    <GitPullRequestArrow
      aria-hidden="true"
      strokeWidth={1.8}
      style={agent ? { color: agentColor(agent) } : undefined}
    />
  )
}

/** A file's folder: relative to the folder of the window that holds it, whole where none does. */
function folderOf(path: string, folders: readonly { path: string; name: string }[]): string {
  const folder = path.slice(0, -nameOfPath(path).length - 1)
  const root = folders.find((other) => isWithin(other.path, folder))
  if (!root) return folder
  const inside = folder.slice(root.path.length)
  return folders.length > 1 ? `${root.name}${inside}` : inside.slice(1)
}

function NoTabs() {
  const hints: [string, string | undefined][] = [
    ['Run a command', useKeyOf('palette.show')],
    ['Terminals', useKeyOf('view.toggleTerminal')],
    ['All shortcuts', useKeyOf('help.shortcuts')],
  ]
  return (
    <EmptyState
      title="Open a file, begin a conversation, or start an agent in a terminal."
      action={
        <Button icon={<MessageSquarePlus />} onClick={() => runCommand('conversation.new')}>
          New conversation
        </Button>
      }
    >
      <p>Proposed changes open here before they’re written.</p>
      <dl className="tab-hints">
        {hints.map(([words, keys]) =>
          keys ? (
            <div key={words} className="row">
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
