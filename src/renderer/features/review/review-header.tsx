import { turnIn } from './turn-in'
import { ChevronDown, FilePlus2, FileText, MessageSquareText } from 'lucide-react'
import { useState, type MouseEvent, type ReactNode } from 'react'
import { useKeyOf } from '../../commands/registry'
import type { ReviewSummary } from '../../../shared/contract/review'
import { isPersonsOwn } from '../../../shared/review/proposal'
import { AgentDot } from '../../ui/labels/agent-dot'
import { Button } from '../../ui/controls/button'
import { Chip } from '../../ui/labels/chip'
import { IconButton } from '../../ui/controls/icon-button'
import { LineCounts } from '../../ui/labels/line-counts'
import { Menu, MenuItem } from '../../ui/overlays/menu'
import { countOf, formatNumber } from '../../ui/wording/number-format'
import { TimeText } from '../../ui/labels/time-text'
import { Tooltip } from '../../ui/overlays/tooltip'
import { countsOf } from './draft-counts'
import { focusAtFirst } from './focus-return'
import { keepNote, readNote } from './note-drafts'
import type { ReviewController, ReviewModel } from './review-controller'
import { isAsking, type ShownSession } from './review-session'

interface PartProps {
  controller: ReviewController
  model: ReviewModel
  session: ShownSession
}

/** What the change is, whose it is, and the two answers to it, which come after the first frame. */
export function ReviewHeader({ controller, model, session, isWhole }: PartProps & { isWhole: boolean }) {
  const { summary } = session
  const [isNoting, setNoting] = useState(() => readNote(summary.id) !== '')
  const hasAnswers = isAsking(session)
  return (
    <>
      <div className="gl-review-header row">
        <ReviewSubject summary={summary}>
          {isWhole ? <TimeText at={summary.askedAt} /> : null}
          <Chips session={session} />
        </ReviewSubject>
        {hasAnswers && isWhole ? (
          <Answers controller={controller} model={model} session={session} onNote={() => setNoting(true)} />
        ) : null}
      </div>
      {isNoting ? (
        <NoteField controller={controller} session={session} onEnd={() => setNoting(false)} />
      ) : null}
    </>
  )
}

/** Which file, whose change, how many lines; more facts as children. A heading if it is one of several. */
export function ReviewSubject({
  summary,
  heading = false,
  children,
}: {
  summary: ReviewSummary
  heading?: boolean
  children?: ReactNode
}) {
  const Icon = summary.isNew ? FilePlus2 : FileText
  const Path = heading ? 'h3' : 'div'
  return (
    <div className="gl-review-what">
      <Path className="gl-review-path" title={summary.path}>
        <Icon className="gl-review-icon" aria-hidden="true" />
        <span className="name gl-review-name" dir="auto">
          {summary.name}
        </span>
        {summary.folder === '' ? null : <span className="name gl-review-folder">{summary.folder}</span>}
      </Path>
      <div className="gl-review-facts row aside">
        <span className="gl-review-agent row">
          <AgentDot agent={summary.agent} />
          <span className="name">
            {isPersonsOwn(summary)
              ? summary.title
              : summary.duringTurn
                ? `During ${turnIn(summary)}`
                : (summary.agents ?? summary.agent)}
          </span>
        </span>
        {summary.content === 'text' ? (
          <LineCounts added={summary.addedLines} removed={summary.removedLines} />
        ) : null}
        {children}
      </div>
    </div>
  )
}

/** What is unusual about the change. */
export function Chips({ session }: { session: ShownSession }) {
  const { summary } = session
  const facts = session.kind === 'text' ? session.facts : null
  const isWritten = summary.effect === 'written'
  return (
    <>
      {summary.isNew ? <Chip tone="added">New file</Chip> : null}
      {summary.isOutside ? <Chip tone="waiting">Outside the folder</Chip> : null}
      {isWritten ? <Chip tone="waiting">Already written</Chip> : null}
      {summary.isGone ? <Chip tone="removed">{isWritten ? 'Deleted' : 'Deletes the file'}</Chip> : null}
      {summary.effect === 'agent-then-host' ? <Chip>Written whole, then put back</Chip> : null}
      <Meanwhile summary={summary} />
      {summary.isReadOnly ? <Chip tone="removed">Read-only</Chip> : null}
      {facts?.eol === 'crlf' ? <Chip>CRLF</Chip> : null}
      {facts?.eol === 'cr' ? <Chip>CR</Chip> : null}
      {facts?.eol === 'mixed' ? <Chip>Mixed line endings</Chip> : null}
      {facts?.bom ? <Chip>BOM</Chip> : null}
      {facts && !/^utf-?8$/i.test(facts.encoding) ? <Chip>{facts.encoding}</Chip> : null}
    </>
  )
}

function Meanwhile({ summary: { isStale, meanwhile } }: { summary: ReviewSummary }) {
  if (meanwhile === 'deleted') return <Chip tone="removed">File deleted</Chip>
  if (meanwhile === 'written') return <Chip tone="waiting">Written meanwhile</Chip>
  return isStale ? <Chip tone="waiting">File has changed</Chip> : null
}

/** The two answers to the whole file. `isFilled`: accepting is the one filled button of the page. */
export function Answers({
  controller,
  model,
  session,
  onNote,
  isFilled = true,
}: PartProps & { onNote: () => void; isFilled?: boolean }) {
  const acceptKey = useKeyOf('review.acceptFile')
  const rejectKey = useKeyOf('review.rejectFile')
  const refusal = controller.refusal()
  const isOpen = session.summary.phase === 'open'
  const isWaiting = !model.isReady || model.isBusy || !isOpen
  const isWritten = session.summary.effect === 'written'
  const verb = isWritten ? (session.summary.isGone ? 'Keep deleted' : 'Keep file') : 'Accept file'
  const rejectVerb = isWritten ? 'Put back' : 'Reject file'
  const cannotReject = session.summary.isBeforeUnknown === true
  const answer =
    (run: () => Promise<unknown>, isRefused: boolean) => (event: MouseEvent<HTMLButtonElement>) => {
      if (controller.guard.counts(event.currentTarget, event.detail) && !model.isBusy && !isRefused)
        void run()
    }
  const accept = (
    <Button
      variant={isFilled ? 'primary' : 'plain'}
      className="gl-accept"
      aria-label={verb}
      aria-disabled={isWaiting || refusal !== null ? true : undefined}
      aria-description={refusal ?? (isWritten ? 'Keeps the file as shown here' : undefined)}
      data-refused={refusal === null ? undefined : ''}
      keys={acceptKey}
      onClick={answer(() => controller.acceptFile(), refusal !== null)}
    >
      <AcceptWords model={model} verb={verb} />
    </Button>
  )
  return (
    <div className="gl-review-answers row">
      <span className="gl-reject">
        <Button
          variant="quiet"
          keys={rejectKey}
          aria-label={rejectVerb}
          aria-disabled={isWaiting || cannotReject ? true : undefined}
          aria-description={isWritten ? 'Puts the old text back' : undefined}
          onClick={answer(() => controller.rejectFile(), cannotReject)}
        >
          {rejectVerb}
        </Button>
        {/* The person's own proposal has no agent to write to. */}
        {isOpen && !isPersonsOwn(session.summary) ? (
          <Menu
            align="end"
            trigger={<IconButton label="More ways to reject" icon={<ChevronDown />} />}
            onCloseAutoFocus={(event) => event.preventDefault()}
          >
            <MenuItem icon={<MessageSquareText />} onSelect={onNote}>
              Reject with a note…
            </MenuItem>
          </Menu>
        ) : null}
      </span>
      {refusal === null ? accept : <Tooltip content={refusal}>{accept}</Tooltip>}
    </div>
  )
}

/** What accepting will write: all changes, or how many of them. */
function AcceptWords({ model, verb }: { model: ReviewModel; verb: string }) {
  if (!model.picture) return <>{verb}</>
  const { written, total } = countsOf(model.picture.draft)
  if (total === 0) return <>{verb}</>
  const what =
    written === total ? countOf(total, 'change') : `${formatNumber(written)} of ${countOf(total, 'change')}`
  return (
    <>
      {verb} <span className="gl-accept-count number">· {what}</span>
    </>
  )
}

/**
 * A line that tells the agent why: with the rejection, or in its prompt, where the person decides whether to send it. What
 * is written in it stays to be copied where nobody asks any more.
 */
export function NoteField({
  controller,
  session,
  onEnd,
}: Pick<PartProps, 'controller' | 'session'> & { onEnd: () => void }) {
  const { id, agent, isTouched, phase } = session.summary
  const [note, setNote] = useState(() => readNote(id))
  const [isNew] = useState(note === '')
  const change = (text: string) => {
    setNote(text)
    keepNote(id, text)
  }
  const end = () => {
    keepNote(id, '')
    onEnd()
  }
  const reject = async () => {
    if (await controller.rejectFile(note.trim())) keepNote(id, '')
  }
  const isOver = session.closed === null && phase === 'orphaned' && note.trim() !== ''
  if (!isOver && !isAsking(session)) return null
  return (
    <form
      className="gl-note row"
      onSubmit={(event) => {
        event.preventDefault()
        if (controller.guard.isSeen && note.trim() !== '' && !isOver) void reject()
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') end()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <input
        ref={isNew ? focusAtFirst : undefined}
        className="field gl-note-text"
        aria-label={`Note for ${agent}`}
        placeholder={`What should ${agent} do instead?`}
        value={note}
        maxLength={10_000}
        readOnly={isOver}
        onChange={(event) => {
          change(event.target.value)
          // Else the review would go with its question, and this with it.
          if (isTouched !== true && event.target.value.trim() !== '') controller.comments.touch()
        }}
      />
      {isOver ? null : (
        <Button
          type="submit"
          size="small"
          disabled={note.trim() === ''}
          onClick={(event) => {
            if (!controller.guard.counts(event.currentTarget, event.detail)) event.preventDefault()
          }}
        >
          Reject with this note
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={end}>
        {isOver ? 'Dismiss' : 'Cancel'}
      </Button>
      <span className="aside">
        {isOver
          ? 'Not sent, because nobody asks for this change any more. Copy it if you need it.'
          : `Told to ${agent}, or put into its prompt for you to send.`}
      </span>
    </form>
  )
}
