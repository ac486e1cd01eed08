import {
  Eye,
  Files,
  GitPullRequestArrow,
  MessagesSquare,
  PanelRight,
  Search,
  Settings,
  SquareTerminal,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { runCommand, useKeyOf } from '../../commands/registry'
import { useToDecide, useToDecideWords } from '../../state/reviews/change-groups-mirror'
import {
  type SideView,
  frameLayout,
  showPanel,
  showSide,
  showTerminal,
} from '../../state/window/frame-layout'
import { Badge } from '../../ui/labels/badge'
import { IconButton } from '../../ui/controls/icon-button'
import './rail.css'

/** The icons at the left edge: what the side bar shows, and at the bottom the other panes. */
export function Rail() {
  const reviews = useToDecide()
  const words = useToDecideWords('change')
  const terminalOpen = frameLayout.terminalOpen.use()
  const panelOpen = frameLayout.panelOpen.use()
  const panelView = frameLayout.panelView.use()
  return (
    <nav className="rail" aria-label="Views">
      <SideButton view="files" label="Files" icon={<Files />} />
      <SideButton
        view="reviews"
        label="Reviews"
        icon={
          <>
            <GitPullRequestArrow />
            <Badge count={reviews} />
          </>
        }
        hint={words === '' ? 'Reviews' : `Reviews · ${words} to decide`}
      />
      <SideButton view="search" label="Search" icon={<Search />} keys={useKeyOf('search.show')} />
      <SideButton view="sessions" label="Sessions" icon={<MessagesSquare />} />
      <span className="rail-gap" />
      <IconButton
        className="rail-button"
        label="Terminals"
        icon={<SquareTerminal />}
        tooltipSide="right"
        keys={useKeyOf('view.toggleTerminal')}
        aria-pressed={terminalOpen}
        onClick={() => (terminalOpen ? frameLayout.terminalOpen.set(false) : showTerminal())}
      />
      <IconButton
        className="rail-button"
        label="Context panel"
        hint="What agents see"
        icon={<Eye />}
        tooltipSide="right"
        aria-pressed={panelOpen && panelView === 'context'}
        onClick={() => showPanel('context', true)}
      />
      <IconButton
        className="rail-button"
        label="Connections panel"
        icon={<PanelRight />}
        tooltipSide="right"
        aria-pressed={panelOpen && panelView === 'connections'}
        onClick={() => showPanel('connections', true)}
      />
      <IconButton
        className="rail-button"
        label="Settings"
        icon={<Settings />}
        tooltipSide="right"
        keys={useKeyOf('view.settings')}
        onClick={() => runCommand('view.settings')}
      />
    </nav>
  )
}

function SideButton({
  view,
  label,
  icon,
  hint,
  keys,
}: {
  view: SideView
  label: string
  icon: ReactNode
  hint?: string
  keys?: string | undefined
}) {
  const isOpen = frameLayout.sideOpen.use()
  const isShown = frameLayout.sideView.use() === view && isOpen
  return (
    <IconButton
      className="rail-button"
      label={label}
      hint={hint}
      keys={keys}
      aria-description={hint === label ? undefined : hint}
      icon={icon}
      tooltipSide="right"
      aria-pressed={isShown}
      onClick={() => showSide(view, true)}
    />
  )
}
