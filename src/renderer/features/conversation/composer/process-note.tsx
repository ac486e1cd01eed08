import { useState } from 'react'
import type { AgentProcessState } from '../../../../shared/contract/agent-processes'
import { Button } from '../../../ui/controls/button'

/** The state of the agent's process unless it is running, and what can be done about it. */
export function ProcessNote({
  process,
  agent,
  onRestart,
}: {
  process: AgentProcessState
  agent: string
  onRestart: () => void
}) {
  const [showsComplaints, setShowsComplaints] = useState(false)
  switch (process.phase) {
    case 'running':
      return null
    case 'stopping':
      return <p className="composer-process" role="status">{`${agent} is ending …`}</p>
    case 'waiting':
      return (
        <p className="composer-process" role="status">
          {`${agent} ended soon after each start. It is started again in a moment.`}
        </p>
      )
    case 'ended': {
      const { message, complaints } = process.end
      return (
        <div className="composer-process" role="status">
          <span>{message}</span>
          <span>
            {complaints === '' ? null : (
              <Button
                size="small"
                variant="quiet"
                aria-expanded={showsComplaints}
                onClick={() => setShowsComplaints(!showsComplaints)}
              >
                Last words
              </Button>
            )}
            <Button size="small" onClick={onRestart}>
              Restart
            </Button>
          </span>
          {showsComplaints ? (
            <pre tabIndex={0} role="group" aria-label="Last words">
              {complaints}
            </pre>
          ) : null}
        </div>
      )
    }
  }
}
