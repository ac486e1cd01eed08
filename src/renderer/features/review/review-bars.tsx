import { useState, type ReactNode } from 'react'
import { isTouched, type Draft } from '../../../shared/review/draft'
import type { ReviewSummary } from '../../../shared/contract/review'
import { isPersonsOwn } from '../../../shared/review/proposal'
import { useTabFact } from '../../state/tabs/tabs-mirror'
import { Button } from '../../ui/controls/button'
import { countOf } from '../../ui/wording/number-format'
import { type ReviewController, type ReviewModel, unrecordedDecision } from './review-controller'
import type { ReviewSessionState, ShownSession } from './review-session'

interface BarsProps {
  controller: ReviewController
  model: ReviewModel
  session: ShownSession
}

/** Sentences above the text: the review's phase, what is unusual about the change, what just happened. */
export function ReviewBars({ controller, model, session }: BarsProps) {
  return (
    <div className="gl-bars">
      <PhaseBar controller={controller} model={model} session={session} />
      {session.closed === null && session.summary.phase === 'open' ? (
        <>
          <MeanwhileBar summary={session.summary} />
          <UnsavedBar summary={session.summary} />
        </>
      ) : null}
      <UnrecordedBar controller={controller} model={model} session={session} />
      {session.kind === 'text' && session.closed === null ? (
        <TextBars controller={controller} model={model} session={session} />
      ) : null}
      {model.told === null ? null : (
        <Bar
          tone={model.told.isFailure ? 'error' : 'quiet'}
          actions={
            <Button size="small" variant="quiet" onClick={() => controller.dismiss()}>
              Dismiss
            </Button>
          }
        >
          {model.told.sentence}
        </Bar>
      )}
    </div>
  )
}

function PhaseBar({ controller, model, session }: BarsProps) {
  const { summary, closed } = session
  if (closed !== null) return <Bar tone="quiet">{closed}</Bar>
  const { agent, problem } = summary
  // The head alone does not show what work of the person's lies further down.
  const isBusy = model.isBusy || (session.kind === 'text' && !session.isWhole)
  const ways = (verb: string, run: () => Promise<void>) => (
    <>
      <Button size="small" disabled={isBusy} onClick={() => void run()}>
        {verb}
      </Button>
      {session.kind === 'text' ? (
        <Button size="small" disabled={isBusy} onClick={() => void controller.savePatch()}>
          Save as patch
        </Button>
      ) : null}
      <Discard controller={controller} draft={model.picture?.draft ?? null} isBusy={isBusy} />
    </>
  )
  switch (summary.phase) {
    case 'open':
      return problem === null ? null : <Bar tone="waiting">{problem}</Bar>
    case 'queued':
      return (
        <Bar tone="waiting">
          {problem ?? 'Another change to this file comes first. Decide that one before this.'}
        </Bar>
      )
    case 'awaiting':
      return <Bar tone="quiet">Accepted. Waiting for {agent} to write it.</Bar>
    case 'overdue':
      return (
        <Bar tone="waiting" actions={ways('Write it myself', () => controller.writeMyself())}>
          {problem ?? `Accepted, but ${agent} hasn’t written it.`}
        </Bar>
      )
    case 'orphaned':
      return (
        <Bar tone="waiting" actions={ways('Keep as my change', () => controller.keepAsMine())}>
          {problem ??
            `${agent} is disconnected. Keep this change as yours, save it as a patch, or discard it.`}
        </Bar>
      )
  }
}

/** Decisions can't be recorded: what to do about it, and a way to decide anyway. */
function UnrecordedBar({ controller, model, session }: BarsProps) {
  const { unrecorded, phase } = session.summary
  if (unrecorded === undefined || session.closed !== null) return null
  if (phase !== 'open' && phase !== 'queued') return <Bar tone="error">{unrecorded}</Bar>
  const { insists } = model
  return (
    <Bar
      tone="error"
      actions={
        <Button
          size="small"
          aria-disabled={model.isReady && !model.isBusy ? undefined : true}
          onClick={({ currentTarget, detail }) => {
            if (controller.guard.counts(currentTarget, detail) && !model.isBusy) controller.insist(!insists)
          }}
        >
          {insists ? 'Wait until it can be recorded' : 'Decide anyway'}
        </Button>
      }
    >
      {insists ? unrecordedDecision : unrecorded}
    </Bar>
  )
}

/** Discarding is final: if the draft holds work of the person's, it is asked once more. */
function Discard({
  controller,
  draft,
  isBusy,
}: {
  controller: ReviewController
  draft: Draft | null
  isBusy: boolean
}) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked || draft === null) {
    return (
      <Button
        size="small"
        variant="quiet"
        disabled={isBusy}
        onClick={() => (draft !== null && isTouched(draft) ? setAsked(true) : void controller.discard())}
      >
        Discard
      </Button>
    )
  }
  return (
    <>
      <Button size="small" variant="danger" disabled={isBusy} onClick={() => void controller.discard()}>
        Discard my edits too
      </Button>
      <Button size="small" variant="quiet" onClick={() => setAsked(false)}>
        Cancel
      </Button>
    </>
  )
}

/** The file was deleted meanwhile, or something else has written the change. */
function MeanwhileBar({ summary: { name, agent, effect, meanwhile } }: { summary: ReviewSummary }) {
  switch (meanwhile) {
    case undefined:
      return null
    case 'deleted':
      return (
        <Bar tone="waiting">
          {name} was deleted. Accepting creates it again
          {effect === 'agent' ? `; ${agent} will probably refuse to write it` : ''}.
        </Bar>
      )
    case 'written':
      return (
        <Bar tone="waiting">
          {name} already has this change, written by something else. Accept to tell {agent}; rejecting leaves
          the file as it is.
        </Bar>
      )
  }
}

/** Unsaved text in the editor is not part of the change. */
function UnsavedBar({ summary: { name, path, realPath } }: { summary: ReviewSummary }) {
  const file = realPath ?? path
  const isUnsaved = useTabFact(({ tabs }) =>
    tabs.some((tab) => tab.kind === 'file' && tab.path === file && tab.dirty),
  )
  if (!isUnsaved) return null
  return (
    <Bar tone="waiting">
      You have unsaved changes to {name} in the editor. They aren’t part of this review. After you accept, the
      editor asks which version to keep.
    </Bar>
  )
}

function TextBars({
  controller,
  model,
  session,
}: BarsProps & { session: Extract<ReviewSessionState, { kind: 'text' }> }) {
  const { summary, offered, problem } = session
  const draft = session.isWhole ? (model.picture?.draft ?? null) : null
  const conflicts =
    draft?.hunks.filter((hunk) => hunk.conflict && hunk.decision.kind === 'undecided').length ?? 0
  return (
    <>
      {problem === null ? null : <Bar tone="error">{problem}</Bar>}
      {summary.isStale && summary.meanwhile === undefined && summary.phase === 'open' ? (
        <Bar tone="waiting">
          The file changed on disk. You see {summary.duringTurn ? 'this' : `${summary.agent}’s`} change on top
          of the newer text
          {summary.effect === 'agent' ? `; ${summary.agent} will probably refuse to write it` : ''}.
          {conflicts === 0
            ? ''
            : ` ${countOf(conflicts, 'change')} overlap with those changes, marked “Conflict”.`}
        </Bar>
      ) : null}
      {offered && summary.phase === 'open' ? (
        <Bar
          tone="waiting"
          actions={
            <Button size="small" disabled={model.isBusy} onClick={() => void controller.takeOffered()}>
              Apply your edits
            </Button>
          }
        >
          You had edited the previous version.
        </Bar>
      ) : null}
      {draft ? (
        <Unusual
          draft={draft}
          isNew={summary.isNew}
          isGone={summary.isGone === true}
          isWritten={summary.effect === 'written'}
          lineEndsOnly={session.lineEndsOnly}
          agent={isPersonsOwn(summary) ? null : summary.agent}
        />
      ) : null}
    </>
  )
}

/** What the text alone does not show. */
function Unusual({
  draft,
  isNew,
  isGone,
  isWritten,
  lineEndsOnly,
  agent,
}: {
  draft: Draft
  isNew: boolean
  isGone: boolean
  isWritten: boolean
  lineEndsOnly: boolean
  /** Null: the person had it proposed. */
  agent: string | null
}) {
  if (lineEndsOnly) {
    return (
      <Bar tone="quiet">
        Only the line endings differ. Accepting the file uses{' '}
        {agent === null ? 'those it had before' : `those that ${agent} sent`}.
      </Bar>
    )
  }
  if (isGone && draft.b.length === 0 && !isWritten)
    return <Bar tone="waiting">Accepting this change deletes the file.</Bar>
  if (draft.hunks.length === 0)
    return <Bar tone="quiet">{isNew ? 'The new file is empty.' : 'No differences'}</Bar>
  if (isGone && draft.b.length === 0) return <Bar tone="waiting">The file is gone. This was its content.</Bar>
  if (draft.b.length === 0 && !isNew) return <Bar tone="waiting">This change empties the file.</Bar>
  return null
}

function Bar({
  tone,
  actions,
  children,
}: {
  tone: 'quiet' | 'waiting' | 'error'
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={`gl-notice row gl-notice-${tone}`}>
      <p>{children}</p>
      {actions ? <div className="gl-notice-actions">{actions}</div> : null}
    </div>
  )
}
