import type { Disposable } from '../../../shared/lifetime'
import { type DiskFile, readFile } from '../files/read-file'
import { type Fingerprint, fingerprintOf } from './fingerprint'

/** While a file is being written it may be seen half: a content counts when it is seen twice, this many ms apart. */
const settleTime = 120

/** A file under review larger than this is refused: 64 MiB. */
export const maxBytes = 64 * 1024 * 1024

/** Watches one path and tells its content whenever it has settled; what is expected counts at first sight. */
export class DiskLook implements Disposable {
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
    // What changed between the first reading and the watch is seen by this.
    void this.#watch.then(() => this.look())
  }

  /** Reads the file until it holds still. Calls while that goes on are one more round. */
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
