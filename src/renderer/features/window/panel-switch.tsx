import { type PanelView, frameLayout } from '../../state/window/frame-layout'
import './panel-switch.css'

const panelViews: readonly [PanelView, string][] = [
  ['context', 'Context'],
  ['connections', 'Connections'],
  ['log', 'Log'],
]

/** The row at the top of the right panel that switches between its views. */
export function PanelSwitch() {
  const shown = frameLayout.panelView.use()
  return (
    <nav className="panel-switch" aria-label="Right panel views">
      {panelViews.map(([view, label]) => (
        <button
          key={view}
          type="button"
          aria-pressed={shown === view}
          aria-label={`${label} view`}
          onClick={() => frameLayout.panelView.set(view)}
        >
          {label}
        </button>
      ))}
    </nav>
  )
}
