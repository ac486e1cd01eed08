import { type Stroke, matchesKey } from './keys'
import { type Command, keysOf } from './registry'

/** How long after a move of the focus a key may still be meant for the old place, in milliseconds. */
export const settlingTime = 400

/** What takes every key as text: terminals and editors. */
const texts = '.xterm, .cm-content'

const textAt = (target: Element | null) => target?.closest(texts) ?? null

/**
 * Knows the keys that reach a text without being meant for it, because a command has moved the focus there in the
 * meantime: a key that is still held down, or one pressed again at once.
 */
export class AstrayKeys {
  readonly #mac: boolean
  /** Where each key that may be down was pressed, by its code. */
  readonly #pressedAt = new Map<string, Element | null>()
  #last: { command: Command; text: Element | null; at: number } | null = null

  constructor(mac: boolean) {
    this.#mac = mac
  }

  /** A key goes down for the first time. */
  press(stroke: Stroke, target: Element | null): void {
    this.#pressedAt.set(stroke.code, textAt(target))
  }

  /** A key has run a command; `now` in milliseconds. */
  ran(command: Command, target: Element | null, now: number): void {
    this.#last = { command, text: textAt(target), at: now }
  }

  /** The focus has moved. */
  moved(now: number): void {
    if (this.#last) this.#last.at = now
  }

  /** The person has done something else: from now on keys are meant for where they go. */
  forget(): void {
    this.#last = null
  }

  /** Whether a stroke that means no command here must not reach what has the focus. */
  isAstray(
    stroke: Stroke & { repeat: boolean },
    target: Element | null,
    commands: readonly Command[],
    now: number,
  ): boolean {
    const text = textAt(target)
    if (text === null) return false
    if (stroke.repeat && this.#pressedAt.get(stroke.code) !== text) return true
    const last = this.#last
    if (last === null || last.text === text || now - last.at >= settlingTime) return false
    const { scope } = last.command
    const isMeantThere = [
      last.command,
      ...commands.filter((command) => scope !== undefined && command.scope === scope),
    ].some((command) => keysOf(command).some((key) => matchesKey(stroke, key, this.#mac)))
    // Someone who keeps pressing hasn't noticed yet.
    if (isMeantThere) last.at = now
    return isMeantThere
  }
}
