import { CornerDownLeft, Square } from 'lucide-react'
import { useState, type KeyboardEvent, type RefObject } from 'react'
import { Button } from '../../../ui/controls/button'
import { announce } from '../../../ui/browser/live-region'
import { isAtWork } from '../activity'
import type { ConversationActions, ConversationState, MessageDraft } from '../conversation'
import { useCommandList } from './command-list'
import { OpenReview } from '../tools/open-review'
import { Controls } from './controls'
import { PendingApprovals } from './pending-approvals'
import { ProcessNote } from './process-note'
import { withoutSent } from './sent-text'
import { WaitingMessages } from './waiting-messages'
import './composer.css'

/** Where the person writes. Text stays until it has been delivered; so does what is typed meanwhile. */
export function Composer({
  state,
  draft,
  actions,
  field,
}: {
  state: ConversationState
  draft: MessageDraft
  actions: ConversationActions
  field: RefObject<HTMLTextAreaElement | null>
}) {
  const { sending, agent, process, queue, controls = [], commands = [], approvals = [] } = state
  const { isQueueHeld = false } = state
  const text = draft.use()
  const [isSending, setSending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const isWorking = isAtWork(state)
  const isReady = sending.kind === 'ready'
  const reason = isReady
    ? sending.resumes === true
      ? `Session ended. Sending a message resumes it.`
      : null
    : sending.reason
  const canSend = isReady && !isSending && text.trim() !== ''
  const send = async () => {
    if (!canSend) return
    setSending(true)
    setFault(null)
    // Now, not when it is delivered: by then the person may be working elsewhere.
    field.current?.focus()
    const sent = await actions.send(text)
    setSending(false)
    if (sent.ok) return draft.set(withoutSent(draft.get(), text))
    setFault(sent.failure.message)
    announce(sent.failure.message)
  }
  const commandList = useCommandList(commands, text, ({ name }) => draft.set(`/${name} `))
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that composes a character neither sends nor chooses.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || commandList.hear(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
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
      <WaitingMessages
        queue={queue}
        isHeld={isQueueHeld}
        agent={agent}
        isWorking={isWorking}
        actions={actions.queue}
        onBack={(back) => {
          const before = draft.get()
          draft.set(before.trim() === '' ? back : `${before}\n${back}`)
          field.current?.focus()
        }}
      />
      <PendingApprovals approvals={approvals} agent={agent} onShow={(id) => actions.openApproval?.(id)} />
      {process ? <ProcessNote process={process} agent={agent} onRestart={() => actions.restart()} /> : null}
      {reason === null || reason === '' ? null : (
        <div className="composer-reason">
          <span>{reason}</span>
          {!isReady && sending.review !== undefined ? (
            <OpenReview id={sending.review} actions={actions} />
          ) : null}
          {isReady || sending.canResume ? (
            <Button size="small" onClick={() => actions.resume?.()}>
              Resume here
            </Button>
          ) : null}
        </div>
      )}
      {fault === null ? null : <p className="composer-fault">{fault}</p>}
      <div className="composer-field" data-off={isReady ? undefined : ''}>
        {commandList.list}
        <textarea
          ref={field}
          aria-label="Message"
          placeholder={
            isReady
              ? isWorking
                ? `Write to ${agent}; it reads this when it’s ready`
                : `Write to ${agent}`
              : ''
          }
          rows={1}
          dir="auto"
          value={text}
          readOnly={!isReady}
          aria-readonly={!isReady}
          onChange={(event) => {
            setFault(null)
            draft.set(event.target.value)
          }}
          onKeyDown={onKeyDown}
          {...commandList.field}
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
      <Controls controls={controls} onChoose={(control, value) => actions.setControl?.(control, value)} />
    </form>
  )
}
