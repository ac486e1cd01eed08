import { type ReactNode, useEffect, useId, useSyncExternalStore } from 'react'
import { describe } from '../../ui/labels/description'
import type { Tab } from '../../../shared/contract/tabs'
import { useToDecide, useToDecideWords } from '../../state/reviews/change-groups-mirror'
import { type NarrowView, type SideView, frameLayout } from '../../state/window/frame-layout'
import { useLayoutLoaded } from '../../state/window/kept-layout'
import { useLink } from '../../state/host/link'
import { useMirror } from '../../state/host/mirror'
import { useSetting } from '../../state/settings/settings-mirror'
import { tabsMirror } from '../../state/tabs/tabs-mirror'
import { terminalsMirror } from '../../state/agents/terminals-mirror'
import { windowMirror } from '../../state/window/window-mirror'
import { Badge } from '../../ui/labels/badge'
import { FaultBoundary } from '../../ui/layout/fault-boundary'
import { LiveRegion } from '../../ui/browser/live-region'
import { Skeleton } from '../../ui/layout/skeleton'
import { Pane, SplitPane, Splitter } from '../../ui/layout/split-pane'
import { CloseDialog } from './tabs/close-dialog'
import { DropTarget } from './folders/drop-target'
import { FolderDialog } from './folders/folder-dialog'
import { DroppedDialog, FoldersDialog } from './folders/folders-dialog'
import { GateBar } from './gate-bar'
import { LinkBar, OpenElsewhere } from './link-bar'
import { PanelSwitch } from './panel-switch'
import { rememberFocus } from './pane-cycle'
import { Rail } from './rail'
import { StatusBar } from './status-bar/status-bar'
import { TrustBar } from './trust/trust-bar'
import { TrustDialog } from './trust/trust-dialog'
import { TabArea } from './tabs/tab-area'
import './window-frame.css'

/** What main.tsx puts into the frame's panes. */
interface FrameParts {
  files: ReactNode
  reviews: ReactNode
  search: ReactNode
  sessions: ReactNode
  terminals: ReactNode
  context: ReactNode
  connections: ReactNode
  log: ReactNode
  notices: ReactNode
  /** Shown while the window has neither folder nor tab. */
  welcome: ReactNode
  /** A bar above everything, while there is one. */
  bar: ReactNode
  renderTab: (tab: Tab, active: boolean) => ReactNode
}

/** The window: rail, side bar, tabs, terminals, right panel, status bar. */
export function WindowFrame(parts: FrameParts) {
  const link = useLink()
  const folders = useMirror(windowMirror, (state) => state?.folders.length)
  const isLoaded = useLayoutLoaded()
  const isNarrow = useNarrow()
  const hasTabs = useMirror(tabsMirror, (state) => state !== null && state.tabs.length > 0)
  useEffect(() => {
    const remember = (event: FocusEvent) => rememberFocus(event.target)
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  const isElsewhere = link.state === 'elsewhere'
  return (
    <>
      <div className={`frame fills ${isNarrow ? 'frame-narrow' : ''}`} inert={isElsewhere}>
        <LinkBar link={link} />
        {parts.bar}
        {folders === undefined || !isLoaded ? (
          <div className="frame-waiting">
            <Skeleton lines={8} />
          </div>
        ) : folders === 0 && !hasTabs ? (
          <main className="frame-welcome" aria-label="Welcome">
            {parts.welcome}
          </main>
        ) : (
          <>
            {isNarrow ? <NarrowSwitch /> : null}
            <div className="frame-middle">
              {isNarrow ? null : <Rail />}
              <Panes parts={parts} isNarrow={isNarrow} />
            </div>
          </>
        )}
        <TrustBar />
        <GateBar />
        <StatusBar />
      </div>
      {parts.notices}
      <CloseDialog />
      <FolderDialog />
      <FoldersDialog />
      <TrustDialog />
      <DroppedDialog />
      <DropTarget />
      <LiveRegion />
      <WindowTitle />
      {isElsewhere ? <OpenElsewhere link={link} /> : null}
    </>
  )
}

function Panes({ parts, isNarrow }: { parts: FrameParts; isNarrow: boolean }) {
  const sideOpen = frameLayout.sideOpen.use()
  const sideView = frameLayout.sideView.use()
  const panelOpen = frameLayout.panelOpen.use()
  const panelView = frameLayout.panelView.use()
  const narrowView = frameLayout.narrowView.use()
  /** A narrow window shows one pane, whatever is open in a wide one. */
  const alone = (...views: NarrowView[]) => (isNarrow ? views.includes(narrowView) : undefined)
  return (
    <SplitPane orientation="horizontal" id="frame">
      <Pane
        id="side"
        open={sideOpen}
        onOpenChange={frameLayout.sideOpen.set}
        size={frameLayout.sideSize.get()}
        onSizeChange={frameLayout.sideSize.set}
        min={200}
        max="30%"
        alone={alone('side')}
      >
        <aside className="frame-side" data-pane="side" aria-label="Side bar" tabIndex={-1}>
          {sideViews.map(([view]) => (
            <div key={view} hidden={sideView !== view}>
              <FaultBoundary>{parts[view]}</FaultBoundary>
            </div>
          ))}
        </aside>
      </Pane>
      <Splitter label="Width of the side bar" hidden={!sideOpen} />
      <Pane id="middle" min="30%" alone={alone('main', 'terminal')}>
        <Middle parts={parts} isNarrow={isNarrow} />
      </Pane>
      <Splitter label="Width of the right panel" hidden={!panelOpen} />
      <Pane
        id="panel"
        open={panelOpen}
        onOpenChange={frameLayout.panelOpen.set}
        size={frameLayout.panelSize.get()}
        onSizeChange={frameLayout.panelSize.set}
        min={220}
        max="45%"
        alone={alone('panel')}
      >
        <aside className="frame-panel column" data-pane="panel" aria-label="Right panel">
          <PanelSwitch />
          <div className="frame-panel-view">
            <FaultBoundary key={panelView}>{parts[panelView]}</FaultBoundary>
          </div>
        </aside>
      </Pane>
    </SplitPane>
  )
}

function Middle({ parts, isNarrow }: { parts: FrameParts; isNarrow: boolean }) {
  const position = useSetting('terminalPosition')
  const isOpen = frameLayout.terminalOpen.use()
  const narrowView = frameLayout.narrowView.use()
  const isBottom = position === 'bottom'
  const size = isBottom ? frameLayout.terminalSizeBottom : frameLayout.terminalSizeRight
  return (
    <SplitPane orientation={isBottom ? 'vertical' : 'horizontal'} id="middle-split">
      <Pane id="main" min={isBottom ? 120 : 260} alone={isNarrow ? narrowView === 'main' : undefined}>
        <main className="frame-main" data-pane="main" aria-label="Editor and reviews" tabIndex={-1}>
          <TabArea renderTab={parts.renderTab} />
        </main>
      </Pane>
      <Splitter label={isBottom ? 'Height of the terminals' : 'Width of the terminals'} hidden={!isOpen} />
      <Pane
        id="terminals"
        place={position}
        open={isOpen}
        onOpenChange={frameLayout.terminalOpen.set}
        size={size.get()}
        onSizeChange={size.set}
        min={isBottom ? 100 : 240}
        max="80%"
        alone={isNarrow ? narrowView === 'terminal' : undefined}
      >
        <div className="frame-terminals" data-pane="terminal">
          <FaultBoundary>{parts.terminals}</FaultBoundary>
        </div>
      </Pane>
    </SplitPane>
  )
}

const narrowViews: readonly [NarrowView, string][] = [
  ['side', 'Files and reviews'],
  ['main', 'Editor'],
  ['terminal', 'Terminals'],
  ['panel', 'Panel'],
]

/** The side bar's name in a narrow window where it shows neither files nor reviews. */
const sideWords: Partial<Record<SideView, string>> = { search: 'Search', sessions: 'Sessions' }

const sideViews: readonly [SideView, string][] = [
  ['files', 'Show files'],
  ['reviews', 'Show reviews'],
  ['search', 'Show search'],
  ['sessions', 'Show sessions'],
]

function NarrowSwitch() {
  const shown = frameLayout.narrowView.use()
  const sideView = frameLayout.sideView.use()
  const reviews = useToDecide()
  const words = useToDecideWords()
  const waiting = describe(useId(), [words])
  return (
    <nav className="narrow-switch" aria-label="Views">
      {waiting.words}
      {narrowViews.map(([view, label]) => (
        <button
          key={view}
          type="button"
          aria-pressed={shown === view}
          {...(view === 'main' ? waiting.of : {})}
          onClick={() => frameLayout.narrowView.set(view)}
        >
          {view === 'side' ? (sideWords[sideView] ?? label) : label}
          {view === 'main' && shown !== 'main' ? <Badge count={reviews} /> : null}
        </button>
      ))}
      {shown === 'side'
        ? sideViews
            .filter(([view]) => view !== sideView)
            .map(([view, label]) => (
              <button
                key={view}
                type="button"
                className="narrow-second"
                onClick={() => frameLayout.sideView.set(view)}
              >
                {view === 'reviews' ? `${label} (${reviews})` : label}
              </button>
            ))
        : null}
    </nav>
  )
}

const narrowQuery = '(max-width: 899px)'

/** Keeps the pane that has the focus in sight when the window becomes too narrow for the rest. */
function keepFocusedPane(): void {
  const pane = document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane']
  const [view] = narrowViews.find(([name]) => name === pane) ?? []
  if (view) frameLayout.narrowView.set(view)
}

/** Whether the window has room for one column only. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrowQuery)
      const hear = () => {
        if (query.matches) keepFocusedPane()
        listener()
      }
      query.addEventListener('change', hear)
      return () => query.removeEventListener('change', hear)
    },
    () => matchMedia(narrowQuery).matches,
  )
}

/** Sets the window's title: what waits, the file, the folder. Its own component, so that the frame is not redrawn for it. */
function WindowTitle() {
  const calling = useMirror(
    terminalsMirror,
    (state) => state?.terminals.filter((terminal) => terminal.bell).length ?? 0,
  )
  const waited = useMirror(
    tabsMirror,
    (state) => state?.tabs.filter((tab) => tab.kind === 'file' && tab.waited).length ?? 0,
  )
  const waiting = useToDecide() + calling + waited
  const name = useMirror(tabsMirror, (state) => state?.tabs.find((tab) => tab.id === state.active)?.name)
  const folder = useMirror(windowMirror, (state) => state?.folders.map((other) => other.name).join(', '))
  useEffect(() => {
    const words = [name, folder, 'Greenlight'].filter(Boolean).join(' — ')
    document.title = waiting > 0 ? `(${waiting}) ${words}` : words
  }, [name, folder, waiting])
  return null
}
