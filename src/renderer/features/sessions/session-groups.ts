import type { SessionSummary } from '../../../shared/contract/sessions'
import { isWithin } from '../../../shared/text/path-name'
import { daysAgo } from '../../ui/wording/relative-time'

/** A folder's sessions, the latest first. */
export interface SessionGroup {
  /** The folder's path; empty for sessions without one. */
  folder: string
  /** Whether it lies in a folder of the window. */
  isHere: boolean
  days: readonly SessionDay[]
  count: number
}

/** Sessions under one heading, such as Today. */
interface SessionDay {
  label: string
  sessions: readonly SessionSummary[]
}

/**
 * Groups sessions by folder, the window's folders first, each half by latest activity; within a folder by day, the
 * latest first. `now` is in milliseconds since the epoch; days begin at local midnight.
 */
export function groupSessions(
  sessions: readonly SessionSummary[],
  folders: readonly string[],
  now: number,
): SessionGroup[] {
  const byFolder = new Map<string, SessionSummary[]>()
  for (const session of [...sessions].sort((one, two) => (two.lastAt ?? 0) - (one.lastAt ?? 0))) {
    const folder = session.folder ?? ''
    const known = byFolder.get(folder)
    if (known) known.push(session)
    else byFolder.set(folder, [session])
  }
  const groups = [...byFolder].map(([folder, all]) => ({
    folder,
    isHere: folders.some((root) => isWithin(root, folder)),
    days: byDay(all, now),
    count: all.length,
  }))
  // The folders came by latest activity, which holds within each half.
  return [...groups.filter(({ isHere }) => isHere), ...groups.filter(({ isHere }) => !isHere)]
}

/** The sessions whose facts contain every typed word, with hidden ones only on request. */
export function filterSessions(
  sessions: readonly SessionSummary[],
  typed: string,
  withHidden: boolean,
): SessionSummary[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return sessions.filter((session) => {
    if (session.isHidden && !withHidden) return false
    if (words.length === 0) return true
    const { title, firstPrompt, folder, branch, id } = session
    const text = [title, firstPrompt, folder, branch, id].join('\n').toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function byDay(sessions: readonly SessionSummary[], now: number): SessionDay[] {
  const days: { label: string; sessions: SessionSummary[] }[] = []
  for (const session of sessions) {
    const label = dayLabel(session.lastAt, now)
    const last = days.at(-1)
    if (last?.label === label) last.sessions.push(session)
    else days.push({ label, sessions: [session] })
  }
  return days
}

const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

/** The heading of a time, seen from now. */
export function dayLabel(at: number | null, now: number): string {
  if (at === null) return 'Without a time'
  const days = daysAgo(at, now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return 'This week'
  return monthFormat.format(at)
}
