import { SearchX, TriangleAlert } from 'lucide-react'
import { Fragment, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type {
  FoundSession,
  SessionHit,
  SessionSearchState,
  SessionSummary,
} from '../../../shared/contract/sessions'
import { sessionSearchForm, useSessionSearch } from '../../state/sessions/session-search-form'
import { useSessions } from '../../state/sessions/sessions-mirror'
import { Button } from '../../ui/controls/button'
import { EmptyState } from '../../ui/layout/empty-state'
import { announce } from '../../ui/browser/live-region'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { TimeText } from '../../ui/labels/time-text'
import { sessionSearchOutcome, progressOf } from './session-search-words'

/** At most this many hits of a session are shown at first. */
const shownAtFirst = 3

/** What was found in all sessions, by session, the newest first; results come in while it is shown. */
export function SessionResults({
  text,
  current,
  onOpen,
}: {
  text: string
  /** The session shown now. */
  current: string | null
  onOpen: (session: string, hit: SessionHit) => void
}) {
  const search = useSessionSearch(text)
  const sessions = useSessions()
  const known = useMemo(
    () => new Map((sessions?.sessions ?? []).map((session) => [session.id, session])),
    [sessions?.sessions],
  )
  useOutcomeSaid(search)
  if (search === null) return null
  const isRunning = search.phase === 'running'
  const outcome = sessionSearchOutcome(search)
  return (
    <>
      <div className="session-outcome aside">
        <p className="number">{isRunning ? progressOf(search) : outcome}</p>
      </div>
      {isRunning ? (
        <progress
          className="session-progress"
          aria-label="Sessions searched"
          max={Math.max(1, search.of)}
          value={search.searched}
        />
      ) : null}
      {search.phase === 'failed' || search.phase === 'no-program' ? (
        <EmptyState
          icon={<TriangleAlert />}
          title={search.phase === 'failed' ? 'The search stopped.' : 'ripgrep is missing.'}
          action={
            <Button onClick={() => sessionSearchForm.setState(({ wanted }) => ({ wanted: wanted + 1 }))}>
              Search again
            </Button>
          }
        />
      ) : null}
      {search.phase === 'done' && search.found.length === 0 ? (
        <EmptyState icon={<SearchX />} title="Nothing found">
          All words must be in one message. Use “quotes” for a phrase.
        </EmptyState>
      ) : null}
      <ul aria-label="Search results" onKeyDown={moveAmongHits}>
        {search.found.map((found) => (
          <ResultGroup
            key={found.id}
            found={found}
            session={known.get(found.id)}
            isCurrent={found.id === current}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {search.phase === 'cut' ? (
        <p className="session-fact aside">Only the newest results are shown. Add a word to narrow them.</p>
      ) : null}
    </>
  )
}

function ResultGroup({
  found,
  session,
  isCurrent,
  onOpen,
}: {
  found: FoundSession
  session: SessionSummary | undefined
  isCurrent: boolean
  onOpen: (session: string, hit: SessionHit) => void
}) {
  const [isWhole, setWhole] = useState(false)
  const title = plainName(session?.title ?? 'A session not in the list')
  const hits = isWhole ? found.hits : found.hits.slice(0, shownAtFirst)
  const more = found.hits.length - hits.length
  return (
    <li className="session-result" aria-label={title}>
      <p className={`session-result-title ${isCurrent ? 'session-result-current' : ''}`} title={title}>
        <span className="name" dir="auto">
          {title}
        </span>
        {session?.lastAt == null ? null : (
          <span className="aside">
            <TimeText at={session.lastAt} />
          </span>
        )}
      </p>
      <ul aria-label={`Results in ${title}`}>
        {hits.map((hit, number) => (
          <li key={`${hit.offset} ${hit.inside.at(-1)?.offset ?? ''} ${number}`}>
            <button type="button" className="session-hit" onClick={() => onOpen(found.id, hit)}>
              <span className="session-hit-speaker aside">
                {hit.inside.length > 0 ? 'Sub-agent' : speakerWords[hit.speaker]}
              </span>
              <Excerpt hit={hit} />
            </button>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <button type="button" className="sessions-more" onClick={() => setWhole(true)}>
          Show {countOf(more, 'more result')}
        </button>
      ) : null}
      {more === 0 && found.isCut ? (
        <p className="session-fact aside">There are older results in this session.</p>
      ) : null}
    </li>
  )
}

const speakerWords: Record<SessionHit['speaker'], string> = {
  you: 'You',
  agent: 'Claude',
  tool: 'Tool',
  notice: 'Notice',
}

function Excerpt({ hit: { text, marks } }: { hit: SessionHit }) {
  let at = 0
  return (
    <span className="session-excerpt">
      {marks.map(({ from, to }) => {
        const between = text.slice(at, from)
        at = to
        return (
          <Fragment key={from}>
            {plainName(between)}
            <mark>{plainName(text.slice(from, to))}</mark>
          </Fragment>
        )
      })}
      {plainName(text.slice(at))}
    </span>
  )
}

/** Arrow keys go from hit to hit across sessions. */
function moveAmongHits(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.session-hit, .sessions-more')]
  const next = all[all.findIndex((one) => one === document.activeElement) + step]
  if (!next) return
  next.focus()
  event.preventDefault()
}

/** Announces the end of each search once. */
function useOutcomeSaid(search: SessionSearchState | null): void {
  const isOver = search !== null && search.phase !== 'running'
  const last = useRef(search)
  last.current = search
  useEffect(() => {
    if (isOver && last.current) announce(sessionSearchOutcome(last.current))
  }, [isOver])
}
