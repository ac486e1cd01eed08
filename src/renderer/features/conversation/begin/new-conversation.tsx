import { ChevronRight, MessageSquarePlus, TriangleAlert } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { type FieldValues, validateFields } from '../../../../shared/approval/approval-fields'
import type { ConversationOffer } from '../../../../shared/contract/conversations'
import { nextConversationIn } from '../../../../shared/conversation/live-id'
import { type Result, succeed } from '../../../../shared/result'
import { commandOf, useConnections } from '../../../state/agents/connections-mirror'
import { attempt, failureOf } from '../../../state/host/calls'
import { client } from '../../../state/host/client'
import { useMirror } from '../../../state/host/mirror'
import { conversationLayout } from '../../../state/sessions/conversation-layout'
import { newConversation, wantedConversation } from '../../../state/sessions/conversation-requests'
import { frameLayout } from '../../../state/window/frame-layout'
import { tell } from '../../../state/window/notices-mirror'
import { windowMirror } from '../../../state/window/window-mirror'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'
import { Select } from '../../../ui/controls/select'
import { TypedCommand } from '../../../ui/controls/typed-command'
import { FieldForm, withValue } from '../../../ui/form/field-form'
import { EmptyState } from '../../../ui/layout/empty-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Dialog } from '../../../ui/overlays/dialog'
import { plainName } from '../../../ui/wording/plain-name'
import { AddedPictures } from '../composer/attachments'
import { tooManyOf } from '../composer/pictures'
import { useMessageDraft } from '../sources/composer-sources'
import './new-conversation.css'

/** Lets the person choose an agent and how it works, and begins a conversation with it. */
export function NewConversation() {
  const open = useStore(newConversation, (state) => state.open)
  const begun = useRef<string | null>(null)
  const close = () => newConversation.setState({ open: false })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => newConversation.setState({ open: next })}
      title="New conversation"
      width={600}
      onCloseAutoFocus={(event) => {
        if (begun.current === null) return
        // Not back to where it was: the conversation takes the focus once it is shown.
        event.preventDefault()
        wantedConversation.make(begun.current)
        begun.current = null
      }}
    >
      <Offers
        onClose={close}
        onBegun={(id) => {
          begun.current = id
          frameLayout.narrowView.set('main')
          close()
        }}
      />
    </Dialog>
  )
}

interface Ways {
  onClose: () => void
  onBegun: (id: string) => void
}

/** Asks the host what can be begun, and shows the form for it. */
function Offers(ways: Ways) {
  const [asked, setAsked] = useState<Result<readonly ConversationOffer[]> | null>(null)
  useEffect(() => {
    let isOver = false
    client.call('conversation.offers', {}).then(
      ({ offers }) => isOver || setAsked(succeed(offers)),
      (error: unknown) => isOver || setAsked(failureOf('conversation.offers', error)),
    )
    return () => {
      isOver = true
    }
  }, [])
  if (asked === null) {
    return (
      <div className="dialog-body">
        <Skeleton lines={6} />
      </div>
    )
  }
  const [first, ...others] = asked.ok ? asked.value : []
  if (first) return <OfferForm offers={[first, ...others]} {...ways} />
  return (
    <>
      <div className="dialog-body">
        {asked.ok ? (
          <EmptyState icon={<MessageSquarePlus />} title="No agent can begin a conversation here">
            Install Claude Code, then open this dialog again.
          </EmptyState>
        ) : (
          <EmptyState icon={<TriangleAlert />} title={asked.failure.message} />
        )}
      </div>
      <div className="dialog-footer">
        <Button onClick={ways.onClose}>Close</Button>
      </div>
    </>
  )
}

/** How many fields stand in sight; an adapter names the most important ones first. */
const shownFields = 3

function OfferForm({
  offers,
  onClose,
  onBegun,
}: Ways & { offers: readonly [ConversationOffer, ...ConversationOffer[]] }) {
  const id = useId()
  const message = useRef<HTMLTextAreaElement>(null)
  const isGone = useRef(false)
  const [agent, setAgent] = useState(() => firstAgent(offers))
  const [changed, setChanged] = useState<Readonly<Record<string, FieldValues>>>({})
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [fault, setFault] = useState<string | null>(null)
  const [isBeginning, setBeginning] = useState(false)
  const [refusals, countRefusal] = useReducer((count: number) => count + 1, 0)
  const form = useRef<HTMLFormElement>(null)
  // Also what one that ended before it had a session was to say.
  const folder = useMirror(windowMirror, (state) => state?.folders[0]?.path)
  const firstWords = useMessageDraft(nextConversationIn(folder), true)
  const text = firstWords.use()
  const added = firstWords.pictures.use()
  const offer = offers.find((one) => one.agent === agent) ?? offers[0]
  const values = changed[offer.agent] ?? offer.values
  const canBegin = offer.problem === null && !isBeginning
  const focusFirst = useEffectEvent(() => {
    if (canBegin) message.current?.focus()
  })
  useEffect(() => {
    isGone.current = false
    focusFirst()
    return () => {
      isGone.current = true
    }
  }, [])
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  const shown = offer.fields.filter(({ required }, index) => index < shownFields || required)
  const folded = offer.fields.filter((field) => !shown.includes(field))
  const fieldsOf = (fields: ConversationOffer['fields']) => (
    <FieldForm
      fields={fields}
      values={values}
      problems={problems}
      choosing="selects"
      onChange={(field, value) => {
        setProblems((before) => without(before, field))
        setChanged((before) => ({ ...before, [offer.agent]: withValue(values, field, value) }))
      }}
    />
  )

  const begin = async () => {
    if (!canBegin) return
    const found = validateFields(offer.fields, values)
    setProblems(found)
    setFault(null)
    const [problem] = Object.values(found)
    if (problem !== undefined) {
      countRefusal()
      return announce(problem)
    }
    const tooMany = tooManyOf(added)
    if (tooMany !== null) {
      setFault(tooMany)
      return announce(tooMany)
    }
    setBeginning(true)
    const pictures = added.map(({ mediaType, data }) => ({ mediaType, data }))
    const said = text.trim() === '' && added.length === 0 ? null : { text, pictures, withContext: true }
    const begun = await attempt('conversation.begin', {
      agent: offer.agent,
      values: { ...values } as never,
      first: said,
    })
    if (begun.ok) {
      conversationLayout.agent.set(offer.agent)
      if (firstWords.get() === text) firstWords.set('')
      firstWords.pictures.set(firstWords.pictures.get().filter((picture) => !added.includes(picture)))
      // Who has closed the dialog meanwhile is elsewhere by now.
      return isGone.current ? undefined : onBegun(begun.value.id)
    }
    if (isGone.current) return tell('error', begun.failure.message)
    setBeginning(false)
    setFault(begun.failure.message)
    announce(begun.failure.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) void begin()
  }
  return (
    <form
      ref={form}
      className="new-conversation column"
      onSubmit={(event) => {
        event.preventDefault()
        void begin()
      }}
    >
      <div className="dialog-body">
        <div className="new-conversation-choices">
          <div className="field-row column">
            <label htmlFor={`${id}-agent`}>Agent</label>
            <Select
              id={`${id}-agent`}
              value={offer.agent}
              aria-describedby={offer.problem === null ? undefined : `${id}-problem`}
              onChange={({ target }) => {
                setProblems({})
                setFault(null)
                setAgent(target.value)
              }}
            >
              {offers.map((one) => (
                <option key={one.agent} value={one.agent}>
                  {plainName(one.title)}
                </option>
              ))}
            </Select>
            {offer.problem === null ? null : (
              <p id={`${id}-problem`} className="field-problem" role="alert">
                {offer.problem}
              </p>
            )}
          </div>
          {fieldsOf(shown)}
        </div>
        {folded.length > 0 ? (
          <Fold key={offer.agent} label="More" hasProblem={folded.some(({ id: field }) => field in problems)}>
            {fieldsOf(folded)}
          </Fold>
        ) : null}
        <div className="field-row column">
          <label htmlFor={`${id}-first`}>First message</label>
          <textarea
            ref={message}
            id={`${id}-first`}
            className="field new-conversation-first"
            placeholder="Optional"
            rows={3}
            dir="auto"
            value={text}
            onChange={(event) => firstWords.set(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <AddedPictures pictures={firstWords.pictures} />
        </div>
        <StartedElsewhere />
        {fault === null ? null : <p className="field-problem">{fault}</p>}
      </div>
      <div className="dialog-footer">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" disabled={!canBegin}>
          {isBeginning ? 'Starting …' : 'Start conversation'}
        </Button>
      </div>
    </form>
  )
}

/** The one that was taken last, else the first that can begin. */
function firstAgent(offers: readonly [ConversationOffer, ...ConversationOffer[]]): string {
  const last = conversationLayout.agent.get()
  const found = offers.find(({ agent }) => agent === last) ?? offers.find(({ problem }) => problem === null)
  return (found ?? offers[0]).agent
}

/** How a program that the person starts themselves comes into a conversation here. */
function StartedElsewhere() {
  const servers = useConnections()?.servers ?? []
  return servers.map((server) => {
    const { dialect, about } = server
    const { command } = about
    const typed = commandOf(server)
    return !command?.converses ? null : (
      <Fold key={dialect} label="Start it in a terminal instead">
        <div className="new-conversation-elsewhere aside">
          {typed === null ? (
            <p>Switch on “{about.toggle}” under Connections first.</p>
          ) : (
            <TypedCommand text={typed} />
          )}
          <p>{command.note}</p>
        </div>
      </Fold>
    )
  })
}

/** What few people need; it unfolds by itself where something in it is wrong. */
function Fold({
  label,
  hasProblem = false,
  children,
}: {
  label: string
  hasProblem?: boolean
  children: ReactNode
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [hadProblem, setHadProblem] = useState(false)
  if (hasProblem !== hadProblem) {
    setHadProblem(hasProblem)
    // It stays open when the problem is mended.
    if (hasProblem) setOpen(true)
  }
  return (
    <div className="new-conversation-more">
      <button
        type="button"
        className="new-conversation-fold row"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden="true" />
        {label}
      </button>
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </div>
  )
}

function without(problems: Readonly<Record<string, string>>, field: string): Record<string, string> {
  const { [field]: _, ...others } = problems
  return others
}
