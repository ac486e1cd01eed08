import type { FileStamp } from './file-stamp'
import type { RunningSession } from './running-sessions'
import type { OwnWords } from './session-names'
import type { SessionFigures } from './figure-count'
import type { SessionPlace } from './session-places'
import type { SessionSummary } from './session-summary'

/** A session as it stands in the list. */
export interface SessionEntry extends Omit<SessionSummary, 'activity' | 'title' | 'titleBy' | 'lastAt'> {
  id: string
  path: string
  /** What it is called: the person's name for it here, or there, else the agent's, else how it began. */
  title: string
  titleBy: 'app' | 'person' | 'agent' | 'prompt'
  hidden: boolean
  /** Milliseconds since the epoch: the newest of its lines, else when its file was last written. */
  lastAt: number
  /** Of its file, in bytes. */
  size: number
  /** The command line that is in it now; null where none is, or none says so. */
  running: RunningSession | null
  /** `waiting`: a dialog in its terminal asks the person. */
  activity: 'working' | 'waiting' | 'idle'
  figures: SessionFigures | null
}

/** A session of which no command line says that it runs counts as working for so long after its last line, in ms. */
const freshness = 120_000

/** Joins what is known of a session. Null for one in which nothing was said, as each start may leave one. */
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
  // Each by its name: there are thousands, and copying the rest of an object takes several times as long.
  return {
    firstPrompt: summary.firstPrompt,
    lastPrompt: summary.lastPrompt,
    folder: summary.folder,
    branch: summary.branch,
    model: summary.model,
    version: summary.version,
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
