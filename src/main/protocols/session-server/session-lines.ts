import type { SessionFile } from '../../core/history/session-file'
import type { FileLine } from '../../core/history/session-line'
import { succeed, type Result } from '../../../shared/result'
import { objectOf, stringOf } from '../../../shared/json'
import { typeOf } from '../../../shared/conversation/session-record'

/** The types of lines that other programs get unless they ask for all. */
const usualTypes = new Set(['user', 'assistant', 'system', 'progress', 'queue-operation'])

/** Which lines a subscriber gets. */
export type ChooseLine = (line: FileLine) => boolean

/** Chooses the readable lines of the usual types; with `all`, every line, unreadable ones too. */
export function chooser(all: boolean): ChooseLine {
  if (all) return () => true
  return ({ record }) => usualTypes.has(typeOf(objectOf(record) ?? {}))
}

/** The uuid of a line; null where it has none. */
export function uuidOf({ record }: FileLine): string | null {
  return stringOf(objectOf(record)?.['uuid'])
}

/** What was found on the way back through a session. */
interface WayBack {
  /** Where the chosen lines begin, the newest first. */
  offsets: number[]
  /** Behind the line that was looked for; null where it is not there, or was not reached. */
  behind: number | null
  /** Where that line begins. */
  at: number | null
  /** Where the way began: the end of the lines that there are, unless it was given. */
  end: number
}

/** How many messages are read at once on the way back. */
const step = 200

/**
 * Walks back through a session until it has passed `most` chosen lines, or the line with a uuid, or everything. Keeps
 * places only, so that memory does not follow the session's length.
 */
export async function walkBack(
  session: SessionFile,
  wish: { chosen: ChooseLine; from?: number; uuid?: string | null; most?: number },
): Promise<Result<WayBack>> {
  const { chosen, uuid = null, most = Number.POSITIVE_INFINITY } = wish
  const offsets: number[] = []
  let before = wish.from
  let end: number | undefined = wish.from
  let next = wish.from ?? 0
  for (;;) {
    const page = before === undefined ? await session.readLast(step) : await session.readBefore(before, step)
    if (!page.ok) return page
    const { lines, from, to } = page.value
    if (end === undefined) end = next = to
    for (const line of lines.toReversed()) {
      if (uuid !== null && uuidOf(line) === uuid) {
        return succeed({ offsets, behind: next, at: line.offset, end })
      }
      if (offsets.length >= most) return succeed({ offsets, behind: null, at: null, end })
      // Without a uuid to be looked for, the places between are of no use.
      if (chosen(line) && most < Number.POSITIVE_INFINITY) offsets.push(line.offset)
      next = line.offset
    }
    if (offsets.length >= most && uuid === null) break
    if (from === 0 || from === before) break
    before = from
  }
  return succeed({ offsets, behind: null, at: null, end })
}
