import {
  type FocusEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { handNow } from '../../state/window/last-input'
import type { Approval, ApprovalOption, PersonsAnswer, Question } from '../../../shared/approval/approval'
import { initialValues, validateFields } from '../../../shared/approval/approval-fields'
import type { WithdrawnReason } from '../../../shared/review/proposal'
import { type AnswerDraft, keepAnswerDraft, readAnswerDraft } from '../../state/approvals/answer-drafts'
import { attempt, send } from '../../state/host/calls'
import { openAddress } from '../../state/window/window-actions'
import { Markdown } from '../../markdown/markdown'
import { announce } from '../../ui/browser/live-region'
import { usePressGuard } from '../../ui/browser/use-press-guard'
import { Button } from '../../ui/controls/button'
import { AgentDot } from '../../ui/labels/agent-dot'
import { WebLinkDialog } from '../../ui/overlays/web-link-dialog'
import { FieldForm, withValue } from '../../ui/form/field-form'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'
import { Consequences, Facts, consequenceOf } from './approval-facts'
import { approvalName, approvalTitle } from './question-words'
import { planFieldOf, reasonFor, textOf, unsaidComments } from './plan-answer'
import { PlanEditor } from './plan-editor'

/** What the card tells of itself. */
interface CardProps {
  approval: Approval
  /** The person has answered; `byKeys`: with the focus in the card. */
  onAnswered: (approval: Approval, byKeys: boolean) => void
}

/** Said once before what was filled in goes. */
const notPassedOn =
  'What you filled in here isn’t passed on. Copy it if you need it, then press the button again.'

const withdrawnWords: Record<WithdrawnReason, string> = {
  'answered-there': 'It was answered elsewhere.',
  'connection-lost': 'The agent is no longer connected.',
  cancelled: 'The agent has taken it back.',
  replaced: 'The agent asks something else instead.',
  'turn-over': 'The agent’s turn is over.',
  'hooks-off': 'Claude Code’s hooks were switched off. Answer it in the terminal.',
  shutdown: 'Greenlight was closed.',
}

/**
 * One question of an agent. It takes no focus, and no button is preferred; nothing counts before it has been seen for a
 * while. Made anew for each question.
 */
export function ApprovalCard({ approval, onAnswered }: CardProps) {
  const { id, question, state, problem } = approval
  const { requester, fields, options } = question
  const card = useRef<HTMLElement>(null)
  const answers = useRef<HTMLDivElement>(null)
  const { guard, isReady } = usePressGuard(answers)
  useEffect(() => {
    if (!card.current || !answers.current) return
    const resizing = guard.restartOnResize(card.current, answers.current)
    return () => resizing.dispose()
  }, [guard])
  const [draft, setDraft] = useState(
    () => readAnswerDraft(id) ?? { values: initialValues(fields), reason: '', comments: [] },
  )
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [opening, setOpening] = useState<ApprovalOption | null>(null)
  const isOver = state.kind === 'withdrawn'
  const isFilled = isFilledIn(question, draft)
  /** The field with the focus stays with it, also where nothing is written in it yet. */
  const [focused, setFocused] = useState<'form' | 'reason' | null>(null)
  const focusing = (part: typeof focused) => ({
    onFocus: () => setFocused(part),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setFocused(null)
    },
  })
  const plan = planFieldOf(question)
  const changeComments = useCallback(
    (how: (before: AnswerDraft['comments']) => AnswerDraft['comments']) =>
      setDraft((before) => ({ ...before, comments: how(before.comments) })),
    [],
  )
  const form = fields.filter((field) => field !== plan)
  useEffect(() => keepAnswerDraft(id, draft), [id, draft])
  // What was written goes only with the person's word.
  useSeen(approval, isReady && !isFilled)

  const answer = async (option: ApprovalOption) => {
    const said: PersonsAnswer = {
      option: option.id,
      values: option.leadsTo.kind === 'allow' ? draft.values : {},
      reason: option.leadsTo.kind === 'deny' ? reasonFor(plan, draft) : null,
    }
    if (option.leadsTo.kind === 'allow') {
      const unsaid = unsaidComments(question, draft)
      if (unsaid !== null) {
        setFailure(unsaid)
        return announce(unsaid)
      }
      const found = validateFields(fields, draft.values)
      setProblems(found)
      const [first] = Object.values(found)
      if (first !== undefined) return announce(first)
    }
    if (option.leadsTo.kind === 'leave' && isFilled && failure !== notPassedOn) {
      setFailure(notPassedOn)
      return announce(notPassedOn)
    }
    const isInside = card.current?.contains(document.activeElement) === true
    const hand = handNow()
    const result = await attempt('approvals.answer', { id, ...said, values: { ...said.values } as never })
    if (result.ok) {
      return hand.ifStillHere((used) => onAnswered(approval, isInside && used === 'keys'))
    }
    setFailure(result.failure.message)
    announce(result.failure.message)
  }
  const press = (option: ApprovalOption) => (event: MouseEvent<HTMLButtonElement>) => {
    if (!guard.counts(event.currentTarget, event.detail) || state.kind !== 'waiting') return
    if (addressOf(option) === null) void answer(option)
    else setOpening(option)
  }

  return (
    <article
      ref={card}
      className="approval column"
      aria-label={`Approval: ${approvalName(question)}`}
      tabIndex={-1}
      role="group"
      data-approval={id}
      data-holds-focus
      onPointerDownCapture={(event) => guard.begin(event.target)}
    >
      <div className="approval-scroll scrolls">
        <h2 className="approval-title row">
          <AgentDot agent={requester.agent} />
          {approvalTitle(question)}
        </h2>
        {plan ? (
          <PlanEditor
            plan={plan.initial ?? ''}
            text={textOf(draft.values[plan.id])}
            comments={draft.comments}
            problem={problems[plan.id]}
            isOver={isOver}
            onText={(text) =>
              setDraft((before) => ({ ...before, values: withValue(before.values, plan.id, text) }))
            }
            onComments={changeComments}
          />
        ) : (
          <Subject question={question} />
        )}
        {form.length === 0 || (isOver && !isFilled && focused !== 'form') ? null : (
          <div {...focusing('form')}>
            <FieldForm
              fields={form}
              values={draft.values}
              problems={isOver ? {} : problems}
              isOver={isOver}
              onChange={(field, value) =>
                setDraft((before) => ({ ...before, values: withValue(before.values, field, value) }))
              }
            />
          </div>
        )}
        <Facts approval={approval} />
      </div>
      <div className="approval-answers column" ref={answers}>
        {(failure ?? problem) === null || isOver ? null : (
          <p className="field-problem" role="alert">
            {failure ?? problem}
          </p>
        )}
        {options.some(tellsReason) && (!isOver || draft.reason !== '' || focused === 'reason') ? (
          <input
            className="field"
            aria-label={`Reason for denying, told to ${revealed(requester.agent)}`}
            placeholder="Reason for denying (optional)"
            value={draft.reason}
            maxLength={10_000}
            readOnly={isOver}
            {...focusing('reason')}
            onChange={(event) => setDraft((before) => ({ ...before, reason: event.target.value }))}
          />
        ) : null}
        {state.kind === 'withdrawn' ? (
          <div className="approval-buttons row">
            <p className="approval-withdrawn">
              Withdrawn. {withdrawnWords[state.reason]}
              {isFilled ? ' What you wrote wasn’t sent. Copy it if you need it, then dismiss this.' : null}
            </p>
            <Button onMouseDown={leaveFocus} onClick={() => send('approvals.seen', { id })}>
              Dismiss
            </Button>
          </div>
        ) : (
          <>
            <div className="approval-buttons row">
              {options.map((option) => (
                <Button
                  key={option.id}
                  aria-disabled={!isReady || state.kind !== 'waiting'}
                  aria-description={consequenceOf(option, question) ?? undefined}
                  onMouseDown={leaveFocus}
                  onClick={press(option)}
                >
                  {revealed(option.label)}
                </Button>
              ))}
            </div>
            <Consequences question={question} />
          </>
        )}
      </div>
      <WebLinkDialog
        url={opening && addressOf(opening)}
        onOpen={(url) => {
          openAddress(url)
          if (opening) void answer(opening)
        }}
        onClose={() => setOpening(null)}
      />
    </article>
  )
}

/** Whether the person has written or chosen anything. */
function isFilledIn({ fields }: Question, { reason, comments, values }: AnswerDraft): boolean {
  const begun = initialValues(fields)
  return (
    reason.trim() !== '' ||
    comments.some(({ text }) => text.trim() !== '') ||
    fields.some(({ id }) => JSON.stringify(values[id]) !== JSON.stringify(begun[id]))
  )
}

function tellsReason({ leadsTo }: ApprovalOption): boolean {
  return leadsTo.kind === 'deny' && leadsTo.dropsReason !== true
}

function addressOf({ leadsTo }: ApprovalOption): string | null {
  return (leadsTo.kind === 'allow' ? leadsTo.opens : undefined) ?? null
}

/** By a mouse the focus stays where it was. */
function leaveFocus(event: MouseEvent): void {
  event.preventDefault()
}

/** A withdrawn one that was in sight for a while has been seen when the person goes on. */
function useSeen({ id, state }: Approval, isReady: boolean): void {
  const isSeen = useRef(false)
  useLayoutEffect(() => {
    isSeen.current = state.kind === 'withdrawn' && isReady
  }, [state, isReady])
  useEffect(
    () => () => {
      if (isSeen.current) send('approvals.seen', { id })
    },
    [id],
  )
}

const subjectNames: Record<Question['kind'], string> = {
  run: 'Command',
  fetch: 'Address',
  plan: 'Plan',
  question: 'Question',
  other: 'What for',
}

/** Whether what is asked are the labels of the fields to be filled in. */
function isInFields({ subject, fields }: Question): boolean {
  return subject.split('\n').every((line) => fields.some(({ label }) => label === line))
}

function Subject({ question }: { question: Question }) {
  const { kind, subject, title } = question
  const [web, setWeb] = useState<string | null>(null)
  if (subject.trim() === '') return <p className="approval-words">{<RevealedText text={title} />}</p>
  if (isInFields(question)) return null
  if (kind === 'question') {
    return (
      <p className="approval-words selectable">
        <RevealedText text={subject} />
      </p>
    )
  }
  if (kind === 'plan') {
    return (
      <div className="approval-plan" role="document" aria-label="Plan" tabIndex={0}>
        <Markdown
          text={revealed(subject)}
          isWhole
          onLink={(href) => {
            if (/^https?:\/\//i.test(href)) setWeb(href)
          }}
        />
        <WebLinkDialog url={web} onOpen={openAddress} onClose={() => setWeb(null)} />
      </div>
    )
  }
  return (
    <pre
      className="approval-subject mono selectable"
      aria-label={subjectNames[kind]}
      tabIndex={0}
      role="group"
    >
      <RevealedText text={subject} />
    </pre>
  )
}
