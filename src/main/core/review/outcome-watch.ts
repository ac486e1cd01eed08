import type { Disposable } from '../../../shared/lifetime'
import { type DiskFile, readFile, settleTime } from '../files/read-file'
import { type Fingerprint, fingerprintOf } from './fingerprint'

/** How long an agent may take to write what was accepted, in milliseconds, until it is overdue. */
export const overdueAfter = 5000

/** 64 MiB; a review of a larger file is refused. */
export const maxBytes = 64 * 1024 * 1024

/** Watches one path and reports its content once it has settled; expected content is reported at first sight. */
export class OutcomeWatch implements Disposable {
  readonly #path: string
  readonly #isExpected: (fingerprint: Fingerprint) => boolean
  readonly #tell: (disk: DiskFile, fingerprint: Fingerprint) => void
  readonly #watch: Promise<Disposable>
  #running = false
  #again = false
  #disposed = false

  constructor(
    path: string,
    watch: (path: string, listener: () => void) => Promise<Disposable>,
    isExpected: (fingerprint: Fingerprint) => boolean,
    tell: (disk: DiskFile, fingerprint: Fingerprint) => void,
  ) {
    this.#path = path
    this.#isExpected = isExpected
    this.#tell = tell
    this.#watch = watch(path, () => this.look())
    // Sees what changed between the first reading and the watch.
    void this.#watch.then(() => this.look())
  }

  /** Reads the file until it has settled. A call during that adds one more round. */
  look(): void {
    this.#again = true
    if (this.#running || this.#disposed) return
    this.#running = true
    void this.#readSettled().finally(() => {
      this.#running = false
      if (this.#again && !this.#disposed) this.look()
    })
  }

  dispose(): void {
    this.#disposed = true
    void this.#watch.then((watch) => watch.dispose())
  }

  async #readSettled(): Promise<void> {
    let last: Fingerprint | null = null
    for (;;) {
      this.#again = false
      const disk = await readFile(this.#path, { maxBytes })
      if (this.#disposed || !disk.ok) return
      const fingerprint = fingerprintOf(disk.value)
      if (this.#isExpected(fingerprint) || fingerprint === last) {
        this.#tell(disk.value, fingerprint)
        return
      }
      last = fingerprint
      await new Promise((resolve) => setTimeout(resolve, settleTime))
    }
  }
}
