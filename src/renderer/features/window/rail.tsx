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
import type { ComponentProps } from 'react'
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

/** The icons at the left edge: the side bar's views, and at the bottom the other panes. */
export function Rail() {
  const reviews = useToDecide()
  const words = useToDecideWords('change')
  const terminalOpen = frameLayout.terminalOpen.use()
  const panelOpen = frameLayout.panelOpen.use()
  const panelView = frameLayout.panelView.use()
  return (
    <nav className="rail column" aria-label="Views">
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
      <RailButton
        label="Terminals"
        icon={<SquareTerminal />}
        keys={useKeyOf('view.toggleTerminal')}
        aria-pressed={terminalOpen}
        onClick={() => (terminalOpen ? frameLayout.terminalOpen.set(false) : showTerminal())}
      />
      <RailButton
        label="Context panel"
        hint="What agents see"
        icon={<Eye />}
        aria-pressed={panelOpen && panelView === 'context'}
        onClick={() => showPanel('context', true)}
      />
      <RailButton
        label="Connections panel"
        icon={<PanelRight />}
        aria-pressed={panelOpen && panelView === 'connections'}
        onClick={() => showPanel('connections', true)}
      />
      <RailButton
        label="Settings"
        icon={<Settings />}
        keys={useKeyOf('view.settings')}
        onClick={() => runCommand('view.settings')}
      />
    </nav>
  )
}

function RailButton(props: ComponentProps<typeof IconButton>) {
  return <IconButton className="rail-button" tooltipSide="right" {...props} />
}

function SideButton({
  view,
  hint,
  ...props
}: ComponentProps<typeof IconButton> & { view: SideView; hint?: string }) {
  const isOpen = frameLayout.sideOpen.use()
  const isShown = frameLayout.sideView.use() === view && isOpen
  return (
    <RailButton
      {...props}
      hint={hint}
      aria-description={hint === props.label ? undefined : hint}
      aria-pressed={isShown}
      onClick={() => showSide(view, true)}
    />
  )
}
