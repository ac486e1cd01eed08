import { agentOf } from '../../../../shared/conversation/session-record'
import {
  excerptOf,
  readQuery,
  type Excerpt,
  type SessionQuery,
} from '../../../../shared/conversation/session-query'
import { AgentStarts, placeOfCall } from '../agent-starts'
import { LineFile } from '../line-file'
import { searchableTexts, type Speaker } from './searchable-text'
import type { SessionHit, SessionHits } from './session-hit'
import type { SessionPlace } from '../session-places'

/** Lines in a session that may contain the words. */
export interface HitTask {
  session: SessionPlace
  files: readonly {
    path: string
    /** Whose record it is; null for the session's own file. */
    agent: string | null
    /** Where these lines begin, in file order, in bytes. */
    offsets: readonly number[]
  }[]
  typed: string
  /** Shared between threads: its first number is non-zero once nobody waits any more. */
  end: Int32Array
}

/** How many hits of one session are told, the newest ones. */
export const mostHitsOfSession = 50
const nothing: SessionHits = { hits: [], isCut: false }

/** A hit in the line that contains it, which may not be the one that shows it. */
interface Found extends Excerpt {
  file: LineFile
  agent: string | null
  uuid: string | null
  offset: number
  at: number | null
  speaker: Speaker
  /** The call whose result it is. */
  call: string | null
}

/** Reads lines, and returns the texts in them that were said and contain all words. Stops once the task is ended. */
export async function readHits({ session, files, typed, end }: HitTask): Promise<SessionHits> {
  const query = readQuery(typed)
  if (!query) return nothing
  const opened = new Map<string, LineFile | null>()
  const open = (path: string): LineFile | null => {
    const known = opened.get(path)
    if (known !== undefined) return known
    const file = LineFile.open(path)
    opened.set(path, file)
    return file
  }
  const isEnded = () => Atomics.load(end, 0) !== 0
  try {
    const found = files.flatMap(({ path, agent, offsets }) => {
      const file = open(path)
      return file ? newestIn(file, agent, offsets, query, isEnded) : []
    })
    found.sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
    const starts = new AgentStarts(session, open)
    const hits: SessionHit[] = []
    for (const one of found) {
      if (isEnded()) return nothing
      const hit = await placed(one, starts)
      if (hit) hits.push(hit)
      if (hits.length > mostHitsOfSession) break
    }
    return { hits: hits.slice(0, mostHitsOfSession), isCut: hits.length > mostHitsOfSession }
  } finally {
    for (const file of opened.values()) file?.close()
  }
}

/** The hits in these lines of a file, newest first, and at most one more than is told for a session. */
function newestIn(
  file: LineFile,
  agent: string | null,
  offsets: readonly number[],
  query: SessionQuery,
  isEnded: () => boolean,
): Found[] {
  /** If several lines have the same name, the first in the file is the conversation's. */
  const byLine = new Map<string | number, Found[]>()
  let count = 0
  for (let index = offsets.length - 1; index >= 0 && count <= mostHitsOfSession && !isEnded(); index--) {
    const found = foundAt(file, agent, offsets[index] ?? 0, query)
    const [first] = found
    if (!first) continue
    const name = first.uuid ?? first.offset
    count += found.length - (byLine.get(name)?.length ?? 0)
    byLine.delete(name)
    byLine.set(name, found)
  }
  return [...byLine.values()].flat()
}

function foundAt(file: LineFile, agent: string | null, offset: number, query: SessionQuery): Found[] {
  const line = file.lineAt(offset)
  // Old versions write lines of sub-agents into the session's own file; these are not searched.
  if (!line || (agent === null && agentOf(line.record) !== null)) return []
  const { uuid, at } = line
  const found = searchableTexts(line).flatMap(({ speaker, call, text }) => {
    const excerpt = excerptOf(text, query)
    // What a sub-agent was told comes from the agent that started it.
    const by = agent !== null && speaker === 'you' ? 'agent' : speaker
    return excerpt ? { ...excerpt, file, agent, uuid, offset, at, speaker: by, call } : []
  })
  return found.reverse()
}

/** A hit at the place that shows it; null if that can't be found. */
async function placed(found: Found, starts: AgentStarts): Promise<SessionHit | null> {
  const { file, agent, call, text, marks, at, speaker } = found
  // A tool's result is shown with the tool.
  const tool = call === null ? null : placeOfCall(file, call, agent !== null, found.offset)
  const { uuid, offset } = tool ?? found
  if (agent === null) return { uuid, offset, inside: [], at, speaker, text, marks }
  const start = await starts.of(agent)
  const inside = start && [...start.above, { agent, uuid, offset }]
  return inside && { ...start.card, inside, at, speaker, text, marks }
}
