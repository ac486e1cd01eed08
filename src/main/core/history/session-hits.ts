import { agentOf } from '../../../shared/conversation/session-record'
import {
  excerptOf,
  readQuery,
  type Excerpt,
  type SessionQuery,
} from '../../../shared/conversation/session-query'
import { AgentStarts, placeOfCall } from './agent-starts'
import { LineFile } from './line-file'
import { searchableTexts, type Speaker } from './searchable-text'
import type { SessionHit, SessionHits } from './session-hit'
import type { SessionPlace } from './session-places'

/** Lines of a session that may hold what is looked for. */
export interface HitTask {
  session: SessionPlace
  files: readonly {
    path: string
    /** Whose record it is; null for the session's own file. */
    agent: string | null
    /** Where these lines begin, in the order of the file, in bytes. */
    offsets: readonly number[]
  }[]
  typed: string
  /** Shared: its first number is no longer 0 when nobody waits any more. */
  end: Int32Array
}

/** So many of a session are told, the newest ones. */
export const mostHitsOfSession = 50
const nothing: SessionHits = { hits: [], isCut: false }

/** A hit in the line in which it stands, which may not be the one where it is shown. */
interface Found extends Excerpt {
  file: LineFile
  agent: string | null
  uuid: string | null
  offset: number
  at: number | null
  speaker: Speaker
  /** The tool's call whose result it is. */
  call: string | null
}

/** Reads lines, and gives what of them was said and holds all words. Nothing once the task has been ended. */
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

/** What stands in these lines of a file, the newest first, and one more than is told of a session. */
function newestIn(
  file: LineFile,
  agent: string | null,
  offsets: readonly number[],
  query: SessionQuery,
  isEnded: () => boolean,
): Found[] {
  /** Of lines with the same name the first in the file is the conversation's. */
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
  // Of lines of sub-agents, as old versions write them among the session's own, nothing is searched.
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

/** A hit at the place where it is shown; null where nothing leads to that. */
async function placed(found: Found, starts: AgentStarts): Promise<SessionHit | null> {
  const { file, agent, call, text, marks, at, speaker } = found
  // What came of a tool is shown where the tool is.
  const tool = call === null ? null : placeOfCall(file, call, agent !== null, found.offset)
  const { uuid, offset } = tool ?? found
  if (agent === null) return { uuid, offset, inside: [], at, speaker, text, marks }
  const start = await starts.of(agent)
  const inside = start && [...start.above, { agent, uuid, offset }]
  return inside && { ...start.card, inside, at, speaker, text, marks }
}
