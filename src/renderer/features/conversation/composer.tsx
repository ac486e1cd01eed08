import { CornerDownLeft, Square } from 'lucide-react'
import { useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { Button } from '../../ui/button'
import { announce } from '../../ui/live-region'
import { isAtWork } from './activity'
import type { ConversationActions, ConversationState } from './conversation'
import './composer.css'

/** Where the person writes. What is typed is kept by the caller, and is only gone when it has been delivered. */
export function Composer({
  state,
  actions,
  ref,
}: {
  state: ConversationState
  actions: ConversationActions
  ref: Ref<{ focus(): void }>
}) {
  const { sending, draft, agent } = state
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSending, setSending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }))
  const isWorking = isAtWork(state)
  const isReady = sending.kind === 'ready'
  const reason = isReady
    ? sending.resumes === true
      ? `${agent} does not run in this session. What you send resumes it.`
      : null
    : sending.reason
  const canSend = isReady && !isSending && draft.trim() !== ''
  const send = async () => {
    if (!canSend) return
    setSending(true)
    setFault(null)
    const sent = await actions.send(draft)
    setSending(false)
    if (!sent.ok) {
      setFault(sent.failure.message)
      announce(sent.failure.message)
    }
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the composing of a letter is not the person's word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return
    event.preventDefault()
    if (!event.repeat) void send()
  }
  return (
    <form
      className="composer"
      aria-label="Write"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {reason === null ? null : (
        <div className="composer-reason">
          <span>{reason}</span>
          {isReady || sending.canResume ? (
            <Button size="small" onClick={() => actions.resume()}>
              Resume here
            </Button>
          ) : null}
        </div>
      )}
      {fault === null ? null : <p className="composer-fault">{fault}</p>}
      <div className="composer-field" data-off={isReady ? undefined : ''}>
        <textarea
          ref={field}
          aria-label="Message"
          placeholder={
            isReady ? (isWorking ? `Write on; ${agent} reads it when it is ready` : `Write to ${agent}`) : ''
          }
          rows={1}
          dir="auto"
          value={draft}
          readOnly={!isReady}
          aria-readonly={!isReady}
          onChange={(event) => {
            setFault(null)
            actions.setDraft(event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
        <div className="composer-buttons">
          {isWorking && isReady ? (
            <Button size="small" icon={<Square />} onClick={() => actions.stop()}>
              Stop
            </Button>
          ) : null}
          <Button
            size="small"
            variant={canSend ? 'primary' : 'plain'}
            type="submit"
            icon={<CornerDownLeft />}
            disabled={!canSend}
          >
            Send
          </Button>
        </div>
      </div>
    </form>
  )
}
