import type { SourceLine } from '../../src/shared/conversation/transcript'

/** Writes the lines of a session as a command line does, one after the other. */
export class SessionWriter {
  readonly records: unknown[] = []
  #count = 0
  #last: string | null = null
  #at: number

  /** `at`: the time of its first line, in milliseconds since the epoch. */
  constructor(at: number) {
    this.#at = at
  }

  /** The name of the line that was written last. */
  get last(): string | null {
    return this.#last
  }

  /** Goes on from another line: the conversation forks there. */
  from(uuid: string | null): this {
    this.#last = uuid
    return this
  }

  wait(milliseconds: number): this {
    this.#at += milliseconds
    return this
  }

  prompt(content: unknown, more: object = {}): this {
    return this.#line({ type: 'user', message: { role: 'user', content }, ...more })
  }

  reply(id: string, ...parts: unknown[]): this {
    for (const part of parts) {
      this.#line({
        type: 'assistant',
        message: {
          role: 'assistant',
          id,
          model: 'claude-opus-5',
          content: [part],
          stop_reason: (part as { type: string }).type === 'tool_use' ? 'tool_use' : 'end_turn',
          usage: { input_tokens: 1240, output_tokens: 356, cache_read_input_tokens: 18_200 },
        },
      })
    }
    return this
  }

  result(call: string, content: unknown, detail?: unknown, isError = false): this {
    this.wait(900)
    const part = { type: 'tool_result', tool_use_id: call, content, is_error: isError }
    return this.#line({ type: 'user', message: { role: 'user', content: [part] }, toolUseResult: detail })
  }

  system(subtype: string, more: object = {}): this {
    return this.#line({ type: 'system', subtype, ...more })
  }

  /** A line that stands beside the conversation. */
  aside(record: unknown): this {
    this.records.push(record)
    return this
  }

  #line(record: object): this {
    const uuid = `u${this.#count++}`
    this.#at += 1200
    this.records.push({
      uuid,
      parentUuid: this.#last,
      sessionId: 'b8a3854e-1111-4222-8333-944455556666',
      cwd: '/home/ada/projects/green-house',
      gitBranch: 'feature/thermostat',
      version: '2.1.330',
      timestamp: new Date(this.#at).toISOString(),
      ...record,
    })
    this.#last = uuid
    return this
  }

  /** The lines from one number on, as they stand in a file of lines of equal length. */
  lines(from = 0): SourceLine[] {
    return this.records.slice(from).map((record, index): SourceLine => {
      const offset = (from + index) * 100
      return typeof record === 'string'
        ? { offset, bytes: 99, record: undefined, flaw: 'not-json', head: record }
        : { offset, bytes: 99, record }
    })
  }
}

export const text = (value: string) => ({ type: 'text', text: value })
export const thinking = (value: string) => ({ type: 'thinking', thinking: value })
export const tool = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input })
