import { Clock } from 'lucide-react'
import type { QueuedPrompt } from '../../../shared/conversation/transcript'

/** So many waiting prompts are shown. */
const mostShown = 3

/** What is going on at the end: the agent works, and what the person has said meanwhile waits. */
export function WaitingStrip({
  queue,
  agent,
  isWorking,
}: {
  queue: readonly QueuedPrompt[]
  agent: string
  isWorking: boolean
}) {
  if (queue.length === 0 && !isWorking) return null
  return (
    <div className="waiting-strip">
      {isWorking ? (
        <p className="waiting-agent">
          <span className="tool-pulse" aria-hidden="true" />
          {`${agent} is working`}
        </p>
      ) : null}
      {queue.length === 0 ? null : (
        <ul aria-label="Waiting messages">
          {queue.slice(0, mostShown).map((prompt, index) => (
            <li key={index}>
              <Clock aria-hidden="true" />
              <bdi>{prompt.text}</bdi>
            </li>
          ))}
          {queue.length > mostShown ? <li>{`and ${queue.length - mostShown} more`}</li> : null}
        </ul>
      )}
    </div>
  )
}
