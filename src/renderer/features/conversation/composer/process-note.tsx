import { useState } from 'react'
import type { AgentProcessState } from '../../../../shared/contract/agent-processes'
import type { Done } from '../../../../shared/result'
import { announce } from '../../../ui/browser/live-region'
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
    case 'starting':
      return <p className="composer-process row" role="status">{`${agent} is starting …`}</p>
    case 'stopping':
      return <p className="composer-process row" role="status">{`Stopping ${agent} …`}</p>
    case 'waiting':
      return (
        <p className="composer-process row" role="status">
          {`${agent} keeps ending soon after it starts. Trying again in a moment.`}
        </p>
      )
    case 'ended': {
      const { message, complaints } = process.end
      return (
        <div className="composer-process row" role="status">
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

/** The agent didn't stop when it was asked to. */
export function UnresponsiveNote({ agent, onEnd }: { agent: string; onEnd: () => Promise<Done> }) {
  const [isEnding, setEnding] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const end = async () => {
    setEnding(true)
    const ended = await onEnd()
    setEnding(false)
    if (ended.ok) return
    setFault(ended.failure.message)
    announce(ended.failure.message)
  }
  return (
    <div className="composer-process row" role="status">
      <span>
        {fault ??
          `${agent} isn’t responding. Wait, or end its process: you lose what it was doing and keep what it said.`}
      </span>
      <Button size="small" variant="danger" disabled={isEnding} onClick={() => void end()}>
        End process
      </Button>
    </div>
  )
}
