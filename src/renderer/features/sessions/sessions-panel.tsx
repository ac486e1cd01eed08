import { ChevronRight, EyeOff, MessageSquarePlus, MessagesSquare } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useReducer, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { runCommand, useKeyOf } from '../../commands/registry'
import { wantedMessage } from '../../state/sessions/session-reveal'
import { sessionSearchForm } from '../../state/sessions/session-search-form'
import { useSessions } from '../../state/sessions/sessions-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { useAfterFirstFrame } from '../../ui/browser/first-frame'
import { EmptyState } from '../../ui/layout/empty-state'
import { shorten } from '../../ui/wording/home-path'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { countOf } from '../../ui/wording/number-format'
import { PaneHeader } from '../../ui/layout/pane-header'
import { plainName } from '../../ui/wording/plain-name'
import { Skeleton } from '../../ui/layout/skeleton'
import { type SessionGroup, filterSessions, groupSessions } from './session-groups'
import { SessionItem } from './session-row'
import { SessionResults } from './session-results'
import { SessionSearchField } from './session-search-field'
import './sessions-panel.css'

/** So many of a folder are shown at once; the others at a press, */
const shownAtFirst = 50
/** and so many of these, which is more than is in sight, before the others of them. */
const drawnAtFirst = 20
/** Headings such as "Today" are looked at again after so many milliseconds. */
const renewal = 60_000
/** Letters that come within this many milliseconds are searched for together. */
const pause = 200

/** All sessions of agents that are recorded on this machine, by folder and day. */
export function SessionsPanel({
  current,
  onOpen,
}: {
  /** The session that is shown now. */
  current: string | null
  onOpen: (session: string) => void
}) {
  const sought = useSought()
  const state = useSessions()
  const facts = useWindow()
  const [typed, setTyped] = useState('')
  const [withHidden, setWithHidden] = useState(false)
  const [turn, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, renewal)
    return () => clearInterval(timer)
  }, [])
  const wanted = useDeferredValue(typed)
  const folders = facts?.folders
  const groups = useMemo(() => {
    const roots = (folders ?? []).map(({ path }) => path)
    // The headings are of today; `turn` is what makes them anew.
    void turn
    return groupSessions(filterSessions(state?.sessions ?? [], wanted, withHidden), roots, Date.now())
  }, [state?.sessions, wanted, withHidden, folders, turn])
  const hidden = state?.sessions.filter(({ isHidden }) => isHidden).length ?? 0
  const isFiltered = wanted.trim() !== ''
  return (
    <section className="sessions fills" aria-label="Sessions">
      <PaneHeader title="Sessions">
        <IconButton
          label="New conversation"
          icon={<MessageSquarePlus />}
          keys={useKeyOf('conversation.new')}
          onClick={beginConversation}
        />
        {hidden > 0 ? (
          <IconButton
            label={`Show ${countOf(hidden, 'hidden session')} too`}
            icon={<EyeOff />}
            aria-pressed={withHidden}
            onClick={() => setWithHidden(!withHidden)}
          />
        ) : null}
      </PaneHeader>
      {state !== null && state.sessions.length > 0 ? <SessionSearchField /> : null}
      {state !== null && state.sessions.length > 0 && sought.text === '' ? (
        <input
          className="field sessions-filter"
          type="search"
          aria-label="Filter sessions"
          placeholder="Filter the list"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      ) : null}
      {sought.text === '' ? null : (
        <div className="sessions-list" role="group" aria-label="Found in sessions" onKeyDown={backToField}>
          <SessionResults
            key={`${sought.text}\n${sought.wanted}`}
            text={sought.text}
            current={current}
            onOpen={(session, { uuid, offset, inside, speaker }) => {
              wantedMessage.setState({
                message: { session, uuid, offset, inside, isTool: speaker === 'tool', typed: sought.text },
              })
              onOpen(session)
            }}
          />
        </div>
      )}
      <div className="sessions-list" hidden={sought.text !== ''}>
        {state === null || (state.isListing && state.sessions.length === 0) ? <Skeleton lines={6} /> : null}
        {state !== null && !state.isListing && state.sessions.length === 0 ? (
          <EmptyState
            icon={<MessagesSquare />}
            title="No sessions yet"
            action={
              <Button icon={<MessageSquarePlus />} onClick={beginConversation}>
                New conversation
              </Button>
            }
          >
            Your Claude Code sessions appear here.
          </EmptyState>
        ) : null}
        {state !== null && state.sessions.length > 0 && groups.length === 0 ? (
          <EmptyState title={isFiltered ? 'No matching sessions' : 'All sessions are hidden.'}>
            {isFiltered ? 'Searches titles, first prompts, folders and branches.' : null}
          </EmptyState>
        ) : null}
        <ul aria-label="Sessions">
          {groups.map((group) => (
            <FolderGroup
              key={group.folder}
              group={group}
              home={facts?.homeDirectory ?? ''}
              isOpenFirst={group.isHere || isFiltered}
              current={current}
              onOpen={onOpen}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

function beginConversation(): void {
  runCommand('conversation.new')
}

/** What is looked for, once the field holds still. */
function useSought(): { text: string; wanted: number } {
  const form = useStore(sessionSearchForm)
  const typed = form.text.trim()
  const [text, setText] = useState(typed)
  useEffect(() => {
    if (typed === '') return setText('')
    const timer = setTimeout(() => setText(typed), pause)
    return () => clearTimeout(timer)
  }, [typed])
  return { text: typed === '' ? '' : text, wanted: form.wanted }
}

/** Escape among the hits ends the search, and leads back to where it was typed. */
function backToField(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape') return
  const field = event.currentTarget.closest('.sessions')?.querySelector<HTMLElement>('.sessions-filter')
  sessionSearchForm.setState({ text: '' })
  field?.focus()
}

function FolderGroup({
  group,
  home,
  isOpenFirst,
  current,
  onOpen,
}: {
  group: SessionGroup
  home: string
  isOpenFirst: boolean
  current: string | null
  onOpen: (session: string) => void
}) {
  /** What the person chose; null: as it begins. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [isWhole, setWhole] = useState(false)
  const isPainted = useAfterFirstFrame()
  const isOpen = chosen ?? isOpenFirst
  const name = group.folder === '' ? 'Folder not known' : plainName(shorten(group.folder, home))
  let room = !isPainted ? drawnAtFirst : isWhole ? Number.POSITIVE_INFINITY : shownAtFirst
  const take = (sessions: readonly SessionSummary[]) => {
    const taken = sessions.slice(0, room)
    room -= taken.length
    return taken
  }
  return (
    <li>
      <button
        type="button"
        className="sessions-heading row"
        aria-expanded={isOpen}
        aria-label={`${name}, ${countOf(group.count, 'session')}`}
        title={group.folder}
        onClick={() => setChosen(!isOpen)}
      >
        <ChevronRight className="sessions-chevron" aria-hidden="true" />
        <span className="name">{name}</span>
        <span className="number sessions-count aside">{group.count}</span>
      </button>
      {isOpen
        ? group.days.map((day) => {
            const sessions = take(day.sessions)
            return sessions.length === 0 ? null : (
              <div key={day.label} role="group" aria-label={`${day.label}, ${name}`}>
                <div className="sessions-day aside" aria-hidden="true">
                  {day.label}
                </div>
                <ul aria-label={day.label}>
                  {sessions.map((session) => (
                    <SessionItem
                      key={session.id}
                      session={session}
                      isCurrent={session.id === current}
                      onOpen={() => onOpen(session.id)}
                    />
                  ))}
                </ul>
              </div>
            )
          })
        : null}
      {isOpen && !isWhole && group.count > shownAtFirst ? (
        <button type="button" className="sessions-more" onClick={() => setWhole(true)}>
          Show {countOf(group.count - shownAtFirst, 'older session')}
        </button>
      ) : null}
    </li>
  )
}
