import { OffsetList } from '../text/offset-list'
import type { ReadLine, ResultLine } from './session-item'
import { objectOf, stringOf } from '../json'
import { contentOf, typeOf } from './session-record'
import type { Unit } from './session-tree'
import type { ToolCall } from './transcript'

type SessionUnit = Unit<ReadLine>

interface Use {
  offset: number
  unit: SessionUnit
}

interface Progress {
  offset: number
  data: unknown
}

/** Joins tools with their results and progress by call id, wherever the lines are. */
export class SessionTools {
  readonly #uses = new Map<string, OffsetList<Use>>()
  readonly #results = new Map<string, OffsetList<ResultLine>>()
  readonly #progress = new Map<string, Progress>()
  readonly #agents = new Map<string, string>()
  readonly #heard = new Set<ReadLine>()
  /** The units with tools that take a prompt, as those that start sub-agents do. */
  readonly starters = new Set<SessionUnit>()

  /** Takes a line once; gives the calls that it says something about. */
  hear(line: ReadLine): string[] {
    const { record, offset, at } = line
    switch (typeOf(record)) {
      case 'user': {
        const calls: string[] = []
        for (const value of contentOf(record)) {
          const part = objectOf(value)
          const call = part?.['type'] === 'tool_result' ? stringOf(part['tool_use_id']) : null
          if (!part || call === null) continue
          listIn(this.#results, call).add({ offset, at, record, part })
          const agent = stringOf(objectOf(record['toolUseResult'])?.['agentId'])
          if (agent !== null) this.#agents.set(call, agent)
          calls.push(call)
        }
        return calls
      }
      case 'progress':
        return this.#hearProgress(line)
      default:
        return []
    }
  }

  /** Takes note of the tools in a unit's lines. */
  follow(unit: SessionUnit): void {
    if (unit.first.shown !== 'reply') return
    for (const line of unit.lines) {
      if (this.#heard.has(line)) continue
      this.#heard.add(line)
      for (const value of contentOf(line.record)) {
        const part = objectOf(value)
        const call = part ? stringOf(part['id']) : null
        if (!part || call === null) continue
        listIn(this.#uses, call).add({ offset: line.offset, unit })
        if (stringOf(objectOf(part['input'])?.['prompt']) !== null) this.starters.add(unit)
      }
    }
  }

  /** The units that use a tool by this call. */
  unitsOf(call: string): SessionUnit[] {
    return this.#uses.get(call)?.all.map(({ unit }) => unit) ?? []
  }

  /** The result of the call at an offset: the next one with its id, before the id is used again. */
  result(call: string, offset: number): ResultLine | null {
    const found = this.#results.get(call)?.firstFrom(offset)
    if (!found) return null
    const next = this.#uses.get(call)?.firstFrom(offset + 1)
    return next && next.offset < found.offset ? null : found
  }

  progress(call: string): unknown {
    return this.#progress.get(call)?.data ?? null
  }

  /** The sub-agent that the tool's own result or progress names. */
  agent({ id }: ToolCall): string | null {
    return this.#agents.get(id) ?? null
  }

  #hearProgress({ record, offset }: ReadLine): string[] {
    const data = objectOf(record['data'])
    const calls = [stringOf(record['toolUseID']), stringOf(record['parentToolUseID'])]
    return calls.flatMap((call) => {
      if (call === null) return []
      const known = this.#progress.get(call)
      if (!known || known.offset <= offset) this.#progress.set(call, { offset, data: record['data'] })
      const agent = stringOf(data?.['agentId'])
      if (agent !== null) this.#agents.set(call, agent)
      return call
    })
  }
}

function listIn<T extends { offset: number }>(map: Map<string, OffsetList<T>>, key: string): OffsetList<T> {
  let list = map.get(key)
  if (!list) map.set(key, (list = new OffsetList()))
  return list
}
