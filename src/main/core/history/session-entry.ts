import type { FileStamp } from './file-stamp'
import type { RunningSession } from './running-sessions'
import type { OwnWords } from './session-names'
import type { SessionFigures } from './figure-count'
import type { SessionPlace } from './session-places'
import type { SessionSummary } from './session-summary'

/** A session in the list. */
export interface SessionEntry extends Omit<SessionSummary, 'activity' | 'title' | 'titleBy' | 'lastAt'> {
  id: string
  path: string
  /** The person's name for it here or there, else the agent's, else how it began. */
  title: string
  titleBy: 'app' | 'person' | 'agent' | 'prompt'
  hidden: boolean
  /** Milliseconds since the epoch: its newest line, else when its file was last written. */
  lastAt: number
  /** Of its file, in bytes. */
  size: number
  /** The command line that is in it now; null if none is known. */
  running: RunningSession | null
  /** `waiting`: a dialog in its terminal asks the person. */
  activity: 'working' | 'waiting' | 'idle'
  figures: SessionFigures | null
}

/** How long a session counts as working after its last line if no command line says that it is running, in ms. */
const freshness = 120_000

/** Combines what is known about a session. Null if nothing was said in it; each start may leave such a file. */
export function makeEntry(known: {
  place: SessionPlace
  stamp: FileStamp
  summary: SessionSummary | null
  figures: SessionFigures | null
  running: RunningSession | null
  own: OwnWords
  /** Milliseconds since the epoch. */
  now: number
}): SessionEntry | null {
  const { place, stamp, summary, figures, running, own, now } = known
  if (!summary || summary.firstPrompt === null) return null
  const { activity, title, titleBy, lastAt } = summary
  const isFresh = now - stamp.changedAt < freshness
  const fromFile = activity === 'working' && (running !== null || isFresh) ? 'working' : 'idle'
  // One by one: there are thousands, and spreading the rest of an object takes several times as long.
  return {
    firstPrompt: summary.firstPrompt,
    folder: summary.folder,
    branch: summary.branch,
    startedAt: summary.startedAt,
    costUSD: summary.costUSD,
    id: place.id,
    path: place.path,
    title: own.title ?? title ?? summary.firstPrompt,
    titleBy: own.title !== undefined ? 'app' : (titleBy ?? 'prompt'),
    hidden: own.hidden === true,
    lastAt: lastAt ?? stamp.changedAt,
    size: stamp.size,
    running,
    activity: running && running.status !== 'unknown' ? running.status : fromFile,
    figures,
  }
}
