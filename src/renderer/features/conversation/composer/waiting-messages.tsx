import { ArrowDown, ArrowUp, Check, Clock, Pencil, X } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { QueuedMessage } from '../../../../shared/contract/conversations'
import type { Result } from '../../../../shared/result'
import { announce } from '../../../ui/browser/live-region'
import { IconButton } from '../../../ui/controls/icon-button'
import type { QueueActions } from '../conversation'

/** How many waiting messages are shown where they can't be changed. */
const mostShown = 3

/** Above the field: that the agent is working, and what the person has said meanwhile. */
export function WaitingMessages({
  queue,
  isHeld,
  agent,
  isWorking,
  actions,
  onBack,
}: {
  queue: readonly QueuedMessage[]
  isHeld: boolean
  agent: string
  isWorking: boolean
  /** Null where they are only shown. */
  actions: QueueActions | null
  /** A message is taken back: its text is the person's again. */
  onBack: (text: string) => void
}) {
  if (queue.length === 0 && !isWorking) return null
  const shown = actions ? queue : queue.slice(0, mostShown)
  return (
    <div className="waiting-messages aside">
      {isWorking ? (
        <p className="waiting-agent">
          <span className="tool-pulse" aria-hidden="true" />
          {`${agent} is working`}
        </p>
      ) : null}
      {isHeld && queue.length > 0 ? <p>What waits goes on when you send something.</p> : null}
      {queue.length === 0 ? null : (
        <ul aria-label="Waiting messages">
          {shown.map((message, index) =>
            actions ? (
              <OwnMessage
                key={message.id}
                message={message}
                index={index}
                count={queue.length}
                actions={actions}
                onBack={onBack}
              />
            ) : (
              <li key={message.id}>
                <Clock aria-hidden="true" />
                <bdi className="one-line">{message.text}</bdi>
              </li>
            ),
          )}
          {shown.length < queue.length ? <li>{`and ${queue.length - shown.length} more`}</li> : null}
        </ul>
      )}
    </div>
  )
}

/** One that can be changed, moved and taken back. */
function OwnMessage({
  message: { id, text },
  index,
  count,
  actions,
  onBack,
}: {
  message: QueuedMessage
  index: number
  count: number
  actions: QueueActions
  onBack: (text: string) => void
}) {
  const [edited, setEdited] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isEdited = edited !== null
  useEffect(() => {
    if (isEdited) field.current?.focus()
  }, [isEdited])
  const told = async <T,>(done: Promise<Result<T>>): Promise<T | null> => {
    const result = await done
    if (result.ok) return result.value
    announce(result.failure.message)
    return null
  }
  const save = async () => {
    if (edited === null || edited.trim() === '') return
    // If the message has been sent meanwhile, the edit isn't lost: it stays in the field.
    if ((await told(actions.edit(id, edited))) !== null) setEdited(null)
  }
  const withdraw = async () => {
    const back = await told(actions.withdraw(id))
    if (back) onBack(back.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setEdited(null)
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void save()
  }
  const name = text.slice(0, 60)
  return (
    <li>
      <Clock aria-hidden="true" />
      {edited === null ? (
        <bdi className="one-line">{text}</bdi>
      ) : (
        <textarea
          ref={field}
          className="field"
          aria-label="Waiting message"
          rows={1}
          dir="auto"
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <span className="waiting-tools">
        {edited === null ? (
          <>
            <IconButton
              size="small"
              label={`Edit: ${name}`}
              icon={<Pencil />}
              onClick={() => setEdited(text)}
            />
            <IconButton
              size="small"
              label={`Earlier: ${name}`}
              icon={<ArrowUp />}
              disabled={index === 0}
              onClick={() => void told(actions.move(id, index - 1))}
            />
            <IconButton
              size="small"
              label={`Later: ${name}`}
              icon={<ArrowDown />}
              disabled={index === count - 1}
              onClick={() => void told(actions.move(id, index + 1))}
            />
            <IconButton
              size="small"
              label={`Take back: ${name}`}
              icon={<X />}
              onClick={() => void withdraw()}
            />
          </>
        ) : (
          <IconButton
            size="small"
            label="Save the waiting message"
            icon={<Check />}
            onClick={() => void save()}
          />
        )}
      </span>
    </li>
  )
}
