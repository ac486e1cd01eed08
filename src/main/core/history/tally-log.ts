import type { Usage } from '../../../shared/conversation/transcript'
import type { TallyStep } from './session-tally'

/**
 * The steps of a tally as lines of text, to be kept beside the session's text. Most lines of a session follow the line
 * before and belong to what it belongs to, which takes no room.
 */
type Row = [
  offset: number,
  uuid: string | 0,
  /** 0: it does not say, 1: the line before. */
  parent: string | null | 0 | 1,
  /** 0: none, 1: its own, 2: that of the step before. */
  key: string | 0 | 1 | 2,
  /** 1: said, 2: a prompt. */
  flags: number,
  usage: readonly [input: number, output: number, cacheRead: number, cacheWrite: number] | 0,
  cost: number | null,
  total: number | null,
  ...calls: string[],
]

/** Writes steps, one after another. */
export class TallyWriter {
  #before: TallyStep | null

  /** `before`: the last step that was written. */
  constructor(before: TallyStep | null) {
    this.#before = before
  }

  write(step: TallyStep): string {
    const { offset, uuid, parent, key, isTalk, isPrompt, usage, cost, total, calls } = step
    const before = this.#before
    this.#before = step
    const row: Row = [
      offset,
      uuid ?? 0,
      parent === undefined ? 0 : parent !== null && parent === before?.uuid ? 1 : parent,
      key === null ? 0 : key === `u:${uuid}` ? 1 : key === before?.key ? 2 : key,
      (isTalk ? 1 : 0) + (isPrompt ? 2 : 0),
      usage ? [usage.input, usage.output, usage.cacheRead, usage.cacheWrite] : 0,
      cost,
      total,
      ...calls,
    ]
    return `${JSON.stringify(row)}\n`
  }
}

/** Reads what was written, in order. Throws where it is not what was written. */
export function* readTally(text: string): Generator<TallyStep> {
  let before: TallyStep | undefined
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const row = JSON.parse(text.slice(at, end)) as Row
    at = end + 1
    const [offset, uuidGiven, parent, key, flags, usage, cost, total, ...calls] = row
    const uuid = uuidGiven === 0 ? null : uuidGiven
    const step: TallyStep = {
      ...{ offset, uuid, cost, total, calls },
      parent: parent === 0 ? undefined : parent === 1 ? (before?.uuid ?? null) : parent,
      key: key === 0 ? null : key === 1 ? `u:${uuid}` : key === 2 ? (before?.key ?? null) : key,
      isTalk: (flags & 1) !== 0,
      isPrompt: (flags & 2) !== 0,
      usage: usage === 0 ? null : usageOf(usage),
    }
    before = step
    yield step
  }
}

function usageOf([input, output, cacheRead, cacheWrite]: readonly [number, number, number, number]): Usage {
  return { input, output, cacheRead, cacheWrite }
}
