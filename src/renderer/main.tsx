import { type ComponentProps, StrictMode, Suspense, lazy, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { isLiveId } from '../shared/conversation/live-id'
import type { OwnView, Tab } from '../shared/contract/tabs'
import { dispatchKeys } from './commands/dispatch'
import { followHost } from './commands/follow-host'
import { focused, registerCommands, runCommand } from './commands/registry'
import { connectPage, wayOfThisPage } from './connect'
import { WaitingApproval } from './features/approvals/waiting-item'
import { ConnectionsPanel } from './features/connections/connections-panel'
import { LogPanel } from './features/connections/log-panel'
import { registerContextCommands } from './features/context/context-commands'
import { ContextPanel } from './features/context/context-panel'
import { directories } from './features/explorer/directory-mirrors'
import { registerFileCommands } from './features/explorer/file-commands'
import { FileTree } from './features/explorer/file-tree'
import { runAnnouncements } from './features/notices/spoken-notices'
import { Notices } from './features/notices/notice-list'
import { KeysView } from './features/palette/keys-view'
import { Palette } from './features/palette/palette'
import { ShortcutList } from './features/palette/shortcut-list'
import { PendingReviews } from './features/review/list/pending-reviews'
import { GoToFile } from './features/search/go-to-file'
import { registerSearchCommands } from './features/search/search-commands'
import { SearchPanel } from './features/search/search-panel'
import { SessionsPanel } from './features/sessions/sessions-panel'
import { SettingsView } from './features/settings/settings-view'
import { Welcome } from './features/welcome/welcome'
import { TourBar } from './features/welcome/tour-bar'
import { registerTourCommands } from './features/welcome/tour-commands'
import { findPane } from './features/window/pane-cycle'
import { registerTabCommands } from './features/window/tabs/tab-commands'
import { registerWindowCommands } from './features/window/window-commands'
import { WindowFrame } from './features/window/window-frame'
import { chosenApproval, showApproval, useApprovals } from './state/approvals/approvals-mirror'
import { runWaitingCards } from './state/approvals/waiting-card'
import { runAttention } from './state/window/attention-mirror'
import { send } from './state/host/calls'
import { client } from './state/host/client'
import { showMiddle } from './state/window/frame-layout'
import { saveLayoutNow } from './state/window/kept-layout'
import { link, linkSentence } from './state/host/link'
import { useMirror } from './state/host/mirror'
import { runNewReviews } from './state/reviews/new-reviews'
import { showNextWaiting } from './state/reviews/next-review'
import { useSetting } from './state/settings/settings-mirror'
import { showAllReviews, showReview } from './state/reviews/shown-review'
import { tabsMirror, useActiveTab } from './state/tabs/tabs-mirror'
import { wantedFile } from './state/tabs/wanted-file'
import { tell } from './state/window/notices-mirror'
import { windowMirror } from './state/window/window-mirror'
import { runWaitedFiles } from './state/tabs/waited-files'
import { useAfterFirstFrame } from './ui/browser/first-frame'
import { latePart, loadLateParts } from './ui/browser/late-parts'
import { isMac } from './ui/browser/platform'
import { FaultBoundary } from './ui/layout/fault-boundary'
import { Skeleton } from './ui/layout/skeleton'
import { applyTheme } from './ui/theme/theme'
import { TooltipProvider } from './ui/overlays/tooltip'
import './ui/theme/base.css'

/** Everything with an editor or a terminal is large, so it loads once the files are drawn, or when it is to be shown. */
const terminal = latePart(async () => {
  const parts = await Promise.all([
    import('./features/terminal/terminal-panel'),
    import('./features/terminal/terminal-commands'),
    import('./features/terminal/terminal-state'),
  ])
  parts[1].registerTerminalCommands()
  return parts
})
let areEditorsThere = false
const editor = latePart(async () => {
  const parts = await Promise.all([
    import('./features/editor/editor-pane'),
    import('./features/editor/editor-sessions'),
    import('./features/editor/editor-commands'),
    import('./features/editor/drawn/rendered-view'),
    import('./features/editor/go-to-line'),
  ])
  parts[1].runEditors()
  areEditorsThere = true
  parts[2].registerEditorCommands()
  return parts
})
const review = latePart(async () => {
  const parts = await Promise.all([
    import('./features/review/review-view'),
    import('./features/review/review-commands'),
    import('./features/review/cards/all-reviews'),
    import('./features/review/compare-view'),
    import('./features/review/text/text-diff'),
  ])
  parts[1].registerReviewCommands()
  return parts
})
const approvals = latePart(() => import('./features/approvals/approvals-view'))
const conversation = latePart(async () => {
  const parts = await Promise.all([
    import('./features/conversation/sources/session-tab'),
    import('./features/conversation/conversation-commands'),
    import('./features/conversation/sources/live-tab'),
    import('./features/conversation/begin/new-conversation'),
  ])
  parts[1].registerConversationCommands()
  return parts
})
const EditorPane = lazy(async () => ({ default: (await editor())[0].EditorPane }))
const RenderedView = lazy(async () => ({ default: (await editor())[3].RenderedView }))
const GoToLine = lazy(async () => ({ default: (await editor())[4].GoToLine }))
const CompareView = lazy(async () => ({ default: (await review())[3].CompareView }))
const ReviewView = lazy(async () => ({ default: (await review())[0].ReviewView }))
const AllReviews = lazy(async () => ({ default: (await review())[2].AllReviews }))
const ApprovalsView = lazy(async () => ({ default: (await approvals()).ApprovalsView }))
const SessionTab = lazy(async () => ({ default: (await conversation())[0].SessionTab }))
const LiveTab = lazy(async () => ({ default: (await conversation())[2].LiveTab }))
const NewConversation = lazy(async () => ({ default: (await conversation())[3].NewConversation }))
const TextDiff = lazy(async () => ({ default: (await review())[4].TextDiff }))
const TerminalPanel = lazy(async () => ({ default: (await terminal())[0].TerminalPanel }))

function Page() {
  const [paletteTarget, setPaletteTarget] = useState<Element | null>(null)
  const [dialog, setDialog] = useState<'palette' | 'shortcuts' | 'go-to-file' | null>(null)
  useLook()
  useEffect(() => {
    const registered = registerCommands([
      {
        id: 'palette.show',
        title: 'Commands',
        menu: ['view', 0],
        keys: ['Mod+Shift+P'],
        fromTerminal: true,
        unlisted: true,
        run: (target) => {
          setPaletteTarget(target ?? focused())
          setDialog('palette')
        },
      },
      {
        id: 'file.goTo',
        title: 'Go to file',
        keys: ['Mod+P'],
        menu: ['go', 0],
        run: () => setDialog('go-to-file'),
      },
      {
        id: 'help.shortcuts',
        title: 'All shortcuts',
        keys: ['F1'],
        menu: ['help', 1],
        run: () => setDialog('shortcuts'),
      },
    ])
    return () => registered.dispose()
  }, [])
  const setOpen = (name: 'palette' | 'shortcuts' | 'go-to-file') => (open: boolean) =>
    setDialog(open ? name : null)
  return (
    <TooltipProvider>
      <WindowFrame
        files={<FileTree />}
        reviews={<Reviews />}
        search={<SearchPanel />}
        sessions={<Sessions />}
        terminals={<Terminals />}
        context={<ContextPanel />}
        connections={<ConnectionsPanel />}
        log={<LogPanel />}
        notices={<Notices />}
        welcome={<Welcome />}
        bar={<TourBar />}
        renderTab={(tab, active) => <Suspense fallback={<Skeleton />}>{renderTab(tab, active)}</Suspense>}
      />
      <Palette open={dialog === 'palette'} target={paletteTarget} onOpenChange={setOpen('palette')} />
      <GoToFile open={dialog === 'go-to-file'} onOpenChange={setOpen('go-to-file')} />
      <LateDialogs />
      <ShortcutList
        open={dialog === 'shortcuts'}
        onOpenChange={setOpen('shortcuts')}
        onChange={() => {
          setDialog(null)
          runCommand('view.keys')
        }}
      />
    </TooltipProvider>
  )
}

function renderTab(tab: Tab, active: boolean) {
  switch (tab.kind) {
    case 'file':
      return <EditorPane tab={tab} active={active} />
    case 'review':
      return (
        <ReviewView
          reviewId={tab.review}
          active={active}
          onFocusLost={restFocus}
          onDecided={showNextWaiting}
        />
      )
    case 'reviews':
      return <AllReviews active={active} onFocusLost={restFocus} />
    case 'approvals':
      return <ApprovalsView active={active} />
    case 'session':
      return isLiveId(tab.session) ? (
        <LiveTab conversation={tab.session} active={active} drawDiff={drawDiff} />
      ) : (
        <SessionTab session={tab.session} active={active} drawDiff={drawDiff} />
      )
    case 'rendered':
      return <RenderedView path={tab.path} name={tab.name} active={active} />
    case 'compared':
      return <CompareView path={tab.path} against={tab.against} active={active} />
    case 'view':
      return renderView(tab.view)
  }
}

/** The app's own diff view, for the changes in a conversation. */
function drawDiff(diff: ComponentProps<typeof TextDiff>) {
  return (
    <Suspense fallback={<Skeleton />}>
      <TextDiff {...diff} />
    </Suspense>
  )
}

function renderView(view: OwnView) {
  switch (view) {
    case 'settings':
      return <SettingsView />
    case 'keys':
      return <KeysView />
    case 'welcome':
      return <Welcome />
  }
}

/** Focuses the pane when what had the focus is gone; there keys run commands and nothing else. */
function restFocus(): void {
  findPane('main')?.focus()
}

function Reviews() {
  const chosen = useStore(chosenApproval, ({ id }) => id)
  const current = useActiveTab((tab) => (tab?.kind === 'review' ? tab.review : null))
  const isAllShown = useActiveTab((tab) => tab?.kind === 'reviews')
  const areApprovalsShown = useActiveTab((tab) => tab?.kind === 'approvals')
  return (
    <PendingReviews
      current={current}
      onOpen={(review) => {
        showReview(review, true)
        showMiddle()
      }}
      others={useApprovals().map((approval) => ({
        id: approval.id,
        askedAt: approval.askedAt,
        item: (
          <WaitingApproval
            key={approval.id}
            approval={approval}
            isCurrent={areApprovalsShown && approval.id === chosen}
            onOpen={() => {
              showApproval(approval.id, true)
              showMiddle()
            }}
          />
        ),
      }))}
      isAllShown={isAllShown}
      onOpenAll={() => {
        showAllReviews()
        showMiddle()
      }}
    />
  )
}

function Sessions() {
  const current = useActiveTab((tab) => (tab?.kind === 'session' ? tab.session : null))
  return (
    <SessionsPanel
      current={current}
      onOpen={(session) => {
        send('tabs.openSession', { session })
        showMiddle()
      }}
    />
  )
}

function Terminals() {
  if (!useFirstDrawn()) return <Skeleton />
  return (
    <Suspense fallback={<Skeleton />}>
      <TerminalPanel client={client} />
    </Suspense>
  )
}

/** Loads what isn't seen first; its dialogs are there with the last of it. */
function LateDialogs() {
  const isDrawn = useFirstDrawn()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!isDrawn) return
    void loadLateParts().then((areAllThere) => {
      setOver(true)
      if (!areAllThere) tellIncomplete()
    })
  }, [isDrawn])
  if (!isOver) return null
  // One whose part is missing is told above.
  return [GoToLine, NewConversation].map((LateDialog, index) => (
    <FaultBoundary key={index} fallback={null}>
      <Suspense fallback={null}>
        <LateDialog />
      </Suspense>
    </FaultBoundary>
  ))
}

/**
 * Offers to load the page anew, again where that didn't happen. What was typed while the link is lost is only here, so not
 * then.
 */
function tellIncomplete(): void {
  const run = () => {
    tellIncomplete()
    const obstacle = linkSentence(link.getState())
    if (obstacle === null) location.reload()
    else tell('warning', obstacle)
  }
  tell('error', 'Part of Greenlight couldn’t be loaded, so some commands don’t work. Your text is safe.', {
    label: 'Reload',
    run,
  })
}

/** In milliseconds: by then the files are there, or something keeps them from coming. */
const longestFirst = 1500

/** Whether what is seen first has been painted: the window's files, or the welcome page. */
function useFirstDrawn(): boolean {
  const folders = useMirror(windowMirror, (state) => state?.folders.length)
  const isTreeThere = useStore(directories, ({ known }) =>
    [...known.values()].some(({ kind }) => kind !== 'waiting'),
  )
  const [isLate, setLate] = useState(false)
  const isDrawn = useAfterFirstFrame(folders === 0 || isTreeThere) || isLate
  useEffect(() => {
    if (isDrawn) return
    const timer = setTimeout(() => setLate(true), longestFirst)
    return () => clearTimeout(timer)
  }, [isDrawn])
  return isDrawn
}

/** Applies the theme and fonts of the settings. */
function useLook(): void {
  const choice = useSetting('theme')
  const size = useSetting('editorFontSize')
  const family = useSetting('editorFontFamily')
  const interfaceSize = useSetting('interfaceFontSize')
  const interfaceFamily = useSetting('interfaceFontFamily')
  useEffect(() => applyTheme(choice), [choice])
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--size-code', `${size}px`)
    // An empty value removes a property.
    style.setProperty('--font-code', family && `${family}, var(--font-mono)`)
  }, [size, family])
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--size-text', `${interfaceSize}px`)
    style.setProperty('--size-small', `${interfaceSize - 1}px`)
    style.setProperty('--size-tiny', `${interfaceSize - 2}px`)
    style.setProperty('--font-ui', interfaceFamily && `${interfaceFamily}, system-ui, sans-serif`)
  }, [interfaceSize, interfaceFamily])
}

const connection = connectPage(wayOfThisPage(), (channel) => client.attach(channel))
const followLink = () =>
  link.setState({
    state: connection.state,
    refused: connection.refused,
    useHere: () => connection.useHere(),
  })
connection.onState(followLink)
followLink()

runAnnouncements()
runNewReviews()
runWaitingCards()
runWaitedFiles()
runAttention(
  (id) => void terminal().then(([, , state]) => state.shown.setState({ active: id, missing: null })),
)
tabsMirror.onDelta((delta) => {
  if (delta.kind !== 'reveal' && delta.kind !== 'flush') return
  // What comes before the editors have loaded is done once they have; who gets the focus then, the wanted file says.
  const asked = delta.kind === 'reveal' && !areEditorsThere ? { ...delta, focus: false } : delta
  void editor().then(([, sessions]) => sessions.answerTabs(asked))
})
/** Whoever types before the editors have loaded keeps the focus there. */
const typeOn = ({ repeat }: KeyboardEvent) => {
  if (!areEditorsThere && !repeat) wantedFile.forget()
}
window.addEventListener('keydown', typeOn, { capture: true })
registerWindowCommands()
registerTabCommands()
registerContextCommands()
registerSearchCommands()
registerTourCommands()
followHost()
registerFileCommands()
dispatchKeys(window, isMac)
addEventListener('beforeunload', saveLayoutNow)
addEventListener('pagehide', saveLayoutNow)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <FaultBoundary>
        <Page />
      </FaultBoundary>
    </StrictMode>,
  )
}
