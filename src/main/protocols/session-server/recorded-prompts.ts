import type { FileLine } from '../../core/history/session-line'
import { readLine } from '../../../shared/conversation/session-item'
import { type Json, objectOf, stringOf } from '../../../shared/json'
import { typeOf } from '../../../shared/conversation/session-record'
import { uuidOf } from './session-lines'

/** A message that was typed into a terminal, until the agent has recorded it. */
export interface SentPrompt {
  content: string
  /** The agent keeps it until it is ready. */
  isQueued: boolean
}

/** So much of a prompt is compared, in characters without white space. */
const compared = 500

/**
 * Finds out which recorded lines are prompts that were sent from here. An agent may wrap what was pasted, and a person
 * may type at the same time: a line is taken for a sent prompt when it holds its words, or, where it only names what
 * was pasted, for the oldest that is missing.
 */
export class RecordedPrompts<T extends SentPrompt> {
  readonly #missing = new Set<T>()

  add(prompt: T): void {
    this.#missing.add(prompt)
  }

  /** The prompt was not sent after all. */
  remove(prompt: T): void {
    this.#missing.delete(prompt)
  }

  has(prompt: T): boolean {
    return this.#missing.has(prompt)
  }

  /** Hears a line that was recorded; gives the prompt that it is, with the line's uuid. */
  hear(line: FileLine): { prompt: T; uuid: string | null } | null {
    if (this.#missing.size === 0) return null
    const record = objectOf(line.record)
    if (!record) return null
    if (typeOf(record) === 'queue-operation') {
      if (record['operation'] === 'enqueue') {
        const queued = this.#match(plain(stringOf(record['content']) ?? ''))
        if (queued) queued.isQueued = true
      }
      return null
    }
    if (readLine(line)?.isPrompt !== true) return null
    const prompt = this.#match(plain(textsIn(record)))
    if (!prompt) return null
    this.#missing.delete(prompt)
    return { prompt, uuid: uuidOf(line) }
  }

  #match(text: string): T | undefined {
    for (const prompt of this.#missing) {
      const wanted = plain(prompt.content).slice(0, compared)
      if (text.includes(wanted)) return prompt
    }
    if (/\[Pastedtext/.test(text)) return [...this.#missing][0]
    return undefined
  }
}

/** Without white space and control characters, which terminals and agents change. */
function plain(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, '')
}

/** All texts of what a line says, joined. */
function textsIn(record: Json): string {
  const texts: string[] = []
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string') texts.push(value)
    else if (depth < 6 && Array.isArray(value))
      for (const item of value as unknown[]) collect(item, depth + 1)
    else if (depth < 6 && typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) collect(item, depth + 1)
    }
  }
  collect(objectOf(record['message'])?.['content'] ?? record['content'] ?? record['attachment'], 0)
  return texts.join(' ')
}
