import type { SessionSummary } from '../../../shared/contract/sessions'

/** Sessions of one folder, the latest first. */
export interface SessionGroup {
  /** The folder's path; empty for sessions that tell none. */
  folder: string
  /** It is one of the window's own. */
  isHere: boolean
  days: readonly SessionDay[]
  count: number
}

/** Sessions of a stretch of days. */
export interface SessionDay {
  label: string
  sessions: readonly SessionSummary[]
}

/**
 * Puts sessions in order: the window's folders first, then others by their latest activity; in each by days, the
 * latest first. `now` in milliseconds since the epoch; days begin at midnight of the person's own time.
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
  // Within each half the order of the latest activity stays, in which the folders came.
  return [...groups.filter(({ isHere }) => isHere), ...groups.filter(({ isHere }) => !isHere)]
}

/** Sessions that have all the words typed in what is known of them. Hidden ones only where they are asked for. */
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

/** What a day is called from today on. */
export function dayLabel(at: number | null, now: number): string {
  if (at === null) return 'Without a time'
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return 'This week'
  return monthFormat.format(at)
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

function isWithin(root: string, folder: string): boolean {
  const separator = folder[root.length]
  return folder === root || (folder.startsWith(root) && (separator === '/' || separator === '\\'))
}
