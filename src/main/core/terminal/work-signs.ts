/** What tells whether a terminal's program is at work; times in milliseconds since the epoch. */
export interface SignsOfWork {
  /** When it last put out something that was not an answer to typing; null if never. */
  workedAt: number | null
  /** When it was last typed into; undefined if never. */
  typedAt: number | undefined
  /** Since which event it has put out nothing of its own: its start, or the last line submitted to it. */
  silentSince: 'start' | 'line' | undefined
}

/** For a terminal that doesn't exist. */
export const noSigns: SignsOfWork = { workedAt: null, typedAt: undefined, silentSince: undefined }

/** Output this soon after typing or a new size, in milliseconds, is the answer to that and not the program's work. */
export const echoTime = 300

/** Keeps track of one program's signs of work. */
export class WorkSigns {
  readonly #now: () => number
  #signs = noSigns
  #resizedAt = -Infinity

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  get signs(): SignsOfWork {
    return this.#signs
  }

  /** The program starts. */
  start(): void {
    this.#signs = { ...noSigns, silentSince: 'start' }
  }

  /** The person, or the page for them, types. */
  type(data: string): void {
    const silentSince = this.#signs.silentSince ?? (submits(data) ? 'line' : undefined)
    this.#signs = { ...this.#signs, typedAt: this.#now(), silentSince }
  }

  /** The terminal's size has changed: the program redraws. */
  resize(): void {
    this.#resizedAt = this.#now()
  }

  /** The program puts something out. */
  putOut(): void {
    const now = this.#now()
    const { typedAt, silentSince } = this.#signs
    if (typedAt !== undefined && now - typedAt <= echoTime) return
    // One that has never put out anything has nothing to redraw.
    if (silentSince !== 'start' && now - this.#resizedAt <= echoTime) return
    this.#signs = { workedAt: now, typedAt, silentSince: undefined }
  }
}

/** Whether typing submits a line; a bracketed paste submits nothing. */
function submits(data: string): boolean {
  return /[\r\n]/.test(data.replace(/\x1b\[200~[^]*?\x1b\[201~/g, ''))
}
