import { CornerDownLeft, Pencil, Square } from 'lucide-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { pathsOfDropped } from '../../../state/window/window-actions'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'
import { InfoBar } from '../../../ui/layout/info-bar'
import type { AddedPicture } from '../../../state/sessions/added-pictures'
import { isAtWork } from '../activity'
import {
  addToDraft,
  type ComposerSources,
  type ConversationActions,
  type ConversationState,
  type MessageDraft,
} from '../conversation-state'
import { OpenReview } from '../tools/open-review'
import { AddedPictures, SharedChip } from './attachments'
import { commandMatches } from './command-matches'
import { Foot } from './foot'
import { noPictures } from './memory-draft'
import { mentionOf, tokenAt } from './mentions'
import { PendingApprovals, AskedReviews } from './pending-approvals'
import { readPictures, tooManyOf } from './pictures'
import { ProcessNote, UnresponsiveNote } from './process-note'
import { type HistoryPlace, stepHistory } from './prompt-history'
import { withoutSent } from './sent-text'
import { type Suggestion, useSuggestions } from './suggestions'
import { useMentions } from './use-mentions'
import { WaitingMessages } from './waiting-messages'
import './composer.css'

/** An earlier message that is being written anew. */
export interface EditedPrompt {
  /** Its item. */
  item: string
  draft: MessageDraft
}

/** What was sent and isn't delivered yet. */
interface Underway {
  /** The earlier message that was edited, if one was. */
  item: string | undefined
  text: string
  pictures: readonly AddedPicture[]
}

/**
 * Where the person writes. Text stays until it has been delivered; what is typed meanwhile stays too, and can be sent as a
 * message of its own.
 */
export function Composer({
  state,
  draft: ownDraft,
  sources,
  actions,
  field,
  edited,
  onEditEnd,
}: {
  state: ConversationState
  draft: MessageDraft
  sources: ComposerSources
  actions: ConversationActions
  field: RefObject<HTMLTextAreaElement | null>
  /** It stands in the field instead of the draft. */
  edited: EditedPrompt | null
  /** Unless it was sent, it is there again when it is edited again. */
  onEditEnd: (edited: EditedPrompt, isSent: boolean) => void
}) {
  const { sending, agent, process, queue, controls = [], commands = [], approvals = [], driven } = state
  const { isQueueHeld = false, transcript } = state
  const draft = edited?.draft ?? ownDraft
  const pictures = (driven?.abilities.pictures === true ? draft.pictures : undefined) ?? noPictures
  const text = draft.use()
  const added = pictures.use()
  const [underway, setUnderway] = useState<readonly Underway[]>([])
  const [fault, setFault] = useState<string | null>(null)
  const [isLeftOut, setLeftOut] = useState(false)
  const [isOver, setOver] = useState(false)
  const isWorking = isAtWork(state)
  // Another conversation can be begun from one whose process has ended.
  const isReady = sending.kind === 'ready' || edited !== null
  const takesPictures = isReady && pictures !== noPictures
  const reason =
    sending.kind === 'ready'
      ? sending.resumes === true
        ? `Session ended. Sending a message resumes it in a terminal.`
        : null
      : sending.reason
  const sentOfThis = underway.filter((one) => one.item === edited?.item)
  const unsent = sentOfThis.reduce((left, sent) => withoutSent(left, sent.text), text)
  const unsentPictures = added.filter(
    (picture) => !sentOfThis.some(({ pictures }) => pictures.includes(picture)),
  )
  const canSend =
    isReady &&
    (unsent.trim() !== '' || unsentPictures.length > 0) &&
    // An earlier message is sent once: it starts a conversation.
    (edited === null || sentOfThis.length === 0)

  const tell = (problem: string) => {
    setFault(problem)
    announce(problem)
  }
  const [recalled, setRecalled] = useState<{ place: HistoryPlace; draft: MessageDraft } | null>(null)
  /** What was being written is in the field again, in place of an earlier message. */
  const bringBackOwn = () => {
    setRecalled(null)
    draft.set(draft.own.get())
    draft.own.set('')
  }
  const send = async () => {
    if (!canSend) return
    const tooMany = tooManyOf(unsentPictures)
    if (tooMany !== null) return tell(tooMany)
    const own: Underway = { item: edited?.item, text: unsent, pictures: unsentPictures }
    setUnderway((before) => [...before, own])
    setFault(null)
    setLeftOut(false)
    // Now, not when it is delivered: by then the person may be working elsewhere.
    field.current?.focus()
    const message = {
      text: unsent,
      pictures: unsentPictures.map(({ mediaType, data }) => ({ mediaType, data })),
      withContext: !isLeftOut,
    }
    const sent = await (edited ? actions.driven?.fork(edited.item, message) : actions.send(message))
    setUnderway((before) => before.filter((one) => one !== own))
    if (sent && !sent.ok) {
      if (isLeftOut) setLeftOut(true)
      return tell(sent.failure.message)
    }
    const left = withoutSent(draft.get(), unsent)
    // An earlier message may have been brought back in its place meanwhile.
    if (left === draft.get()) draft.own.set(withoutSent(draft.own.get(), unsent))
    else draft.set(left)
    pictures.set(pictures.get().filter((picture) => !unsentPictures.includes(picture)))
    // What was being written before an earlier message was brought back comes back in turn.
    if (draft.get() === '') bringBackOwn()
    if (edited) onEditEnd(edited, true)
  }

  const { caret, setCaret, write } = useCaret(field, draft, text)
  const token = useMemo(() => tokenAt(text, caret), [text, caret])
  const mentions = useMentions({
    token,
    sources,
    parts: driven?.parts ?? [],
    folder: transcript.facts.folder,
  })
  const found = useMemo<readonly Suggestion[]>(
    () =>
      token?.kind === 'command'
        ? commandMatches(commands, token.typed).map(({ name, description }) => ({
            ...{ key: name, name: `/${name}`, words: description, text: `/${name} ` },
          }))
        : mentions,
    [token, commands, mentions],
  )
  const suggestions = useSuggestions({
    label: token?.kind === 'command' ? 'Commands' : 'Mentions',
    token,
    found,
    take: (suggestion) => {
      if (!token) return
      const end = token.from + token.typed.length
      write(
        text.slice(0, token.from) + suggestion.text + text.slice(end),
        token.from + suggestion.text.length,
      )
    },
  })

  /** Whether the key went through what the person said before. */
  const walk = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false
    const { key, currentTarget } = event
    const { selectionStart, selectionEnd, value } = currentTarget
    const at = recalled?.draft === draft && recalled.place.text === value ? recalled.place : null
    const isBack = key === 'ArrowUp'
    if (selectionStart !== selectionEnd || (!isBack && key !== 'ArrowDown')) return false
    const isAtBegin = selectionStart === 0
    const isAtEnd = selectionStart === value.length
    if (at === null ? !(isBack ? isAtBegin : isAtEnd) : !isAtBegin && !isAtEnd) return false
    const own = draft.own.get()
    if (at === null && own !== '' && value !== '') {
      // An earlier message was brought back and changed: both are the person's, and one waits for the other.
      if (isBack) return false
      draft.own.set(value)
      write(own, own.length)
      return true
    }
    const next = stepHistory(transcript, at, isBack ? -1 : 1)
    if (!next && (isBack || (at === null && own === ''))) return false
    if (next && at === null && value !== '') draft.own.set(value)
    if (!next) draft.own.set('')
    setRecalled(next && { place: next, draft })
    const words = next?.text ?? own
    write(words, isBack ? 0 : words.length)
    return true
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // A key that composes a character neither sends nor chooses.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || suggestions.hear(event)) return
    if (walk(event)) return event.preventDefault()
    if (event.key === 'Escape' && edited) {
      event.stopPropagation()
      return onEditEnd(edited, false)
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) void send()
  }

  const add = async (files: readonly File[]) => {
    const read = await readPictures(files, pictures.get())
    if (read.added.length > 0) pictures.set([...pictures.get(), ...read.added])
    if (read.problem !== null) tell(read.problem)
    else setFault(null)
  }
  // The foot is drawn only when it changes, so it is given the same function always.
  const newest = useRef(add)
  useLayoutEffect(() => {
    newest.current = add
  })
  const [addPictures] = useState(() => (files: readonly File[]) => newest.current(files))
  const onPaste = (event: ClipboardEvent) => {
    const { types, files } = event.clipboardData
    // What also is text is meant as text: office programs add a picture of it.
    if (files.length === 0 || types.includes('text/plain') || !takesPictures) return
    event.preventDefault()
    void add([...files])
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    const drawn = files.filter(({ type }) => type.startsWith('image/'))
    const others = files.filter((file) => !drawn.includes(file))
    const named = pathsOfDropped(others).map((path) => mentionOf(path, transcript.facts.folder))
    field.current?.focus()
    if (drawn.length > 0) void add(drawn)
    if (named.length > 0) {
      const words = `${named.join(' ')} `
      write(text.slice(0, caret) + words + text.slice(caret), caret + words.length)
    }
    if (named.length < others.length) tell('Only pictures can be dropped here. Mention other files with @.')
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
        isAsking={state.isAsking === true}
        canGive={driven?.abilities.gives === true}
        actions={actions.queue}
        onBack={(back, withFocus) => {
          addToDraft(ownDraft, {
            ...back,
            pictures: back.pictures.map((picture) => ({ name: '', ...picture })),
          })
          if (withFocus) field.current?.focus()
        }}
      />
      <PendingApprovals approvals={approvals} agent={agent} onShow={(id) => actions.openApproval?.(id)} />
      {/* Elsewhere it is the reason why nothing can be written. */}
      {driven && approvals.length === 0 ? (
        <AskedReviews reviews={state.asked ?? []} agent={agent} actions={actions} />
      ) : null}
      {driven?.isUnresponsive === true && actions.driven ? (
        <UnresponsiveNote agent={agent} onEnd={actions.driven.end} />
      ) : null}
      {process ? <ProcessNote process={process} agent={agent} onRestart={() => actions.restart()} /> : null}
      {reason === null || reason === '' ? null : (
        <div className="composer-reason row">
          <span>{reason}</span>
          {sending.kind === 'read-only' && sending.review !== undefined ? (
            <OpenReview id={sending.review} actions={actions} />
          ) : null}
          {sending.kind === 'read-only' && sending.isDriven === true ? (
            <Button size="small" onClick={() => actions.converse?.()}>
              Show conversation
            </Button>
          ) : null}
          {sending.kind === 'ready' || sending.canResume ? (
            <span className="composer-resume row">
              <Button size="small" onClick={() => actions.converse?.()}>
                Resume as a conversation
              </Button>
              <Button size="small" onClick={() => actions.resume?.()}>
                Resume in a terminal
              </Button>
            </span>
          ) : null}
        </div>
      )}
      {edited ? (
        <InfoBar
          className="info-bar info-bar-plain composer-editing"
          icon={<Pencil aria-hidden="true" />}
          words="You’re editing an earlier message. Sending it starts a new conversation from there; this one stays as it is."
        >
          <Button size="small" onClick={() => onEditEnd(edited, false)}>
            Cancel
          </Button>
        </InfoBar>
      ) : null}
      {fault === null ? null : <p className="composer-fault">{fault}</p>}
      <div
        className="composer-field"
        data-off={isReady ? undefined : ''}
        data-over={isOver ? '' : undefined}
        data-takes-files={takesPictures ? '' : undefined}
        onDragOver={(event) => {
          if (!takesPictures || !event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          event.dataTransfer.dropEffect = 'copy'
          setOver(true)
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
        }}
        onDrop={takesPictures ? onDrop : undefined}
      >
        {suggestions.list}
        {takesPictures || (isReady && sources.useShared) ? (
          <div className="composer-added row">
            {isReady && sources.useShared ? (
              <SharedChip useShared={sources.useShared} isLeftOut={isLeftOut} onLeaveOut={setLeftOut} />
            ) : null}
            {takesPictures ? <AddedPictures key={edited?.item ?? ''} pictures={pictures} /> : null}
          </div>
        ) : null}
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
            setCaret(event.target.selectionStart)
            draft.set(event.target.value)
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          {...suggestions.field}
        />
        <div className="composer-buttons">
          {isWorking && isReady ? (
            <Button
              size="small"
              icon={<Square />}
              onClick={() => {
                actions.stop()
                // At once: the next words needn't wait until it has stopped.
                field.current?.focus()
              }}
            >
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
      {controls.length === 0 && !driven ? null : (
        <Foot
          controls={controls}
          driven={driven ?? null}
          actions={actions}
          usage={transcript.facts.usage}
          costUSD={transcript.facts.costUSD}
          onPictures={takesPictures ? addPictures : null}
        />
      )}
    </form>
  )
}

/** Where the cursor stands in the field, and a way to write with the cursor set after it. */
function useCaret(field: RefObject<HTMLTextAreaElement | null>, draft: MessageDraft, text: string) {
  const [caret, setCaret] = useState(0)
  const wanted = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    field.current?.setSelectionRange(wanted.current, wanted.current)
    wanted.current = null
  }, [field, text])
  return {
    caret,
    setCaret,
    write: (words: string, to: number) => {
      wanted.current = to
      setCaret(to)
      draft.set(words)
    },
  }
}
