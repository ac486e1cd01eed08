/** For so long after a key press a person counts as typing, in milliseconds. */
const typingMs = 500
/** What is longer came from the clipboard. */
const longest = 64
/** Enter, and the keys for end of input, interrupt, stop and quit. */
const ending = /[\r\n\x03\x04\x1a\x1c]$/

/**
 * Whether a person is typing just now and waits for echoes: then a quick answer matters more than much output. Enter
 * ends it, for what follows is what the person has asked for; so does what ends a program.
 */
export class Typing {
  readonly #now: () => number
  #pressed = Number.NEGATIVE_INFINITY
  #waits = false

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** So much has been typed at once, as the terminal gives it to the program. */
  press(data: string): void {
    this.#pressed = this.#now()
    this.#waits = data.length <= longest && !ending.test(data)
  }

  get isUnderWay(): boolean {
    return this.#waits && this.since < typingMs
  }

  /** Milliseconds since the last key press. */
  get since(): number {
    return this.#now() - this.#pressed
  }
}
