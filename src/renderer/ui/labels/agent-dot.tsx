import { agentColor } from './agent-color'
import './agent-dot.css'

/** An agent's colour as a dot; hollow while it is not connected. Its name must stand beside it. */
export function AgentDot({ agent, hollow = false }: { agent: string; hollow?: boolean }) {
  return (
    <span
      className={`agent-dot ${hollow ? 'agent-dot-hollow' : ''}`}
      style={{ color: agentColor(agent) }}
      aria-hidden="true"
    />
  )
}
