import { ArrowDown, ArrowUp, Check, CheckCheck, Clock, Pencil, SendHorizontal, X } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { OutgoingMessage, QueuedMessage } from '../../../../shared/contract/conversations'
import type { Result } from '../../../../shared/result'
import { handNow } from '../../../state/window/last-input'
import { announce } from '../../../ui/browser/live-region'
import { countOf } from '../../../ui/wording/number-format'
import { IconButton } from '../../../ui/controls/icon-button'
import type { QueueActions } from '../conversation-state'

/** How many waiting messages are shown where they can't be changed. */
const mostShown = 3

/** What a message says is the person's again; `withFocus`: the keys go on where it is. */
type TakesBack = (back: Pick<OutgoingMessage, 'text' | 'pictures'>, withFocus: boolean) => void

/** Above the field: that the agent is working, and what the person has said meanwhile. */
export function WaitingMessages({
  queue,
  isHeld,
  agent,
  isWorking,
  isAsking,
  canGive,
  actions,
  onBack,
}: {
  queue: readonly QueuedMessage[]
  isHeld: boolean
  agent: string
  isWorking: boolean
  /** It waits for the person, which stands below. */
  isAsking: boolean
  /** The agent takes messages while it works. */
  canGive: boolean
  /** Null where they are only shown. */
  actions: QueueActions | null
  onBack: TakesBack
}) {
  const isAlone = isWorking && !isAsking
  if (queue.length === 0 && !isAlone) return null
  const shown = actions ? queue : queue.slice(0, mostShown)
  return (
    <div className="waiting-messages aside">
      {isAlone ? (
        <p className="waiting-agent row">
          <span className="tool-pulse" aria-hidden="true" />
          {`${agent} is working`}
        </p>
      ) : null}
      {isHeld && queue.length > 0 ? <p>Waiting messages are held until you send something.</p> : null}
      {queue.length === 0 ? null : (
        <ul aria-label="Waiting messages">
          {shown.map((message, index) =>
            actions ? (
              <OwnMessage
                key={message.id}
                message={message}
                isFirst={index === 0 || queue[index - 1]?.isGiven === true}
                isLast={index === queue.length - 1}
                canGive={canGive && isWorking}
                index={index}
                agent={agent}
                actions={actions}
                onBack={onBack}
              />
            ) : (
              <li key={message.id} className="row">
                <Clock aria-hidden="true" />
                <QueuedWords message={message} />
              </li>
            ),
          )}
          {shown.length < queue.length ? (
            <li className="row">{`and ${queue.length - shown.length} more`}</li>
          ) : null}
        </ul>
      )}
    </div>
  )
}

/** One that can be changed, moved and taken back. */
function OwnMessage({
  message,
  isFirst,
  isLast,
  canGive,
  index,
  agent,
  actions,
  onBack,
}: {
  message: QueuedMessage
  /** Of those that can be moved. */
  isFirst: boolean
  isLast: boolean
  canGive: boolean
  index: number
  agent: string
  actions: QueueActions
  onBack: TakesBack
}) {
  const { id, text, isGiven } = message
  const [edited, setEdited] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const isEdited = edited !== null
  useEffect(() => {
    if (isEdited) field.current?.focus()
  }, [isEdited])
  // It has been sent while it was being changed.
  const keepEdit = useEffectEvent(() => {
    if (edited === null || edited.trim() === '' || edited === text) return
    onBack({ text: edited, pictures: [] }, field.current === document.activeElement)
  })
  // Before the field leaves the page.
  useLayoutEffect(() => () => keepEdit(), [])
  const told = async <T,>(done: Promise<Result<T>>): Promise<T | null> => {
    const result = await done
    if (result.ok) return result.value
    announce(result.failure.message)
    return null
  }
  const save = async () => {
    if (edited === null || edited.trim() === '') return
    const hand = handNow()
    // If the message has been sent meanwhile, the edit isn't lost: it stays in the field.
    if ((await told(actions.edit(id, edited))) === null) return
    flushSync(() => setEdited(null))
    hand.ifStillHere(() => edit.current?.focus())
  }
  const withdraw = async () => {
    const hand = handNow()
    const back = await told(actions.withdraw(id))
    if (back) onBack(back, hand.isStillHere)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      flushSync(() => setEdited(null))
      edit.current?.focus()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) void save()
  }
  const name = text.slice(0, 60)
  return (
    <li className="row" data-given={isGiven ? '' : undefined}>
      {isGiven ? <CheckCheck aria-hidden="true" /> : <Clock aria-hidden="true" />}
      {edited === null ? (
        <QueuedWords message={message} />
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
            {isGiven ? (
              <span>given, not read yet</span>
            ) : (
              <>
                {canGive ? (
                  <IconButton
                    label={`Give now: ${name}`}
                    hint={`Give it to ${agent} now, to be read while it works`}
                    icon={<SendHorizontal />}
                    onClick={() => void told(actions.give(id))}
                  />
                ) : null}
                <IconButton
                  ref={edit}
                  label={`Edit: ${name}`}
                  icon={<Pencil />}
                  onClick={() => setEdited(text)}
                />
                <IconButton
                  label={`Earlier: ${name}`}
                  icon={<ArrowUp />}
                  disabled={isFirst}
                  onClick={() => void told(actions.move(id, index - 1))}
                />
                <IconButton
                  label={`Later: ${name}`}
                  icon={<ArrowDown />}
                  disabled={isLast}
                  onClick={() => void told(actions.move(id, index + 1))}
                />
              </>
            )}
            <IconButton label={`Take back: ${name}`} icon={<X />} onClick={() => void withdraw()} />
          </>
        ) : (
          <IconButton label="Save the waiting message" icon={<Check />} onClick={() => void save()} />
        )}
      </span>
    </li>
  )
}

function QueuedWords({ message: { text, pictures } }: { message: QueuedMessage }) {
  return (
    <>
      {text === '' ? null : <bdi className="one-line">{text}</bdi>}
      {pictures > 0 ? <span className="waiting-pictures">{countOf(pictures, 'picture')}</span> : null}
    </>
  )
}
