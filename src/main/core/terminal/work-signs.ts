/** What tells whether a terminal's program is at work; moments in milliseconds since the epoch. */
export interface SignsOfWork {
  /** When it last put out something that was no answer to typing; null for one that never has. */
  workedAt: number | null
  /** When it was last typed into; undefined for one that never was. */
  typedAt: number | undefined
  /** It has put out nothing of its own since it was started, or since it was given a line. */
  silentSince: 'start' | 'line' | undefined
}

/** Of a terminal that is not there. */
export const noSigns: SignsOfWork = { workedAt: null, typedAt: undefined, silentSince: undefined }

/** What comes so soon after typing or another size, in milliseconds, is the answer to it and no work of the program's. */
export const echoTime = 300

/** Keeps the signs of work of one program. */
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

  /** The program begins. */
  start(): void {
    this.#signs = { ...noSigns, silentSince: 'start' }
  }

  /** The person, or the page in their stead, types. */
  type(data: string): void {
    const silentSince = this.#signs.silentSince ?? (submits(data) ? 'line' : undefined)
    this.#signs = { ...this.#signs, typedAt: this.#now(), silentSince }
  }

  /** The terminal has another size: the program draws anew. */
  resize(): void {
    this.#resizedAt = this.#now()
  }

  /** The program puts something out. */
  putOut(): void {
    const now = this.#now()
    const { typedAt, silentSince } = this.#signs
    if (typedAt !== undefined && now - typedAt <= echoTime) return
    // One that has never put out anything has nothing to draw anew.
    if (silentSince !== 'start' && now - this.#resizedAt <= echoTime) return
    this.#signs = { workedAt: now, typedAt, silentSince: undefined }
  }
}

/** Whether typing submits a line; what is marked as pasted submits nothing. */
function submits(data: string): boolean {
  return /[\r\n]/.test(data.replace(/\x1b\[200~[^]*?\x1b\[201~/g, ''))
}
