import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../files/file-failure'
import { hashContent } from '../files/content-hash'
import { privateFileMode, privateFolderMode } from '../platform/file-modes'

/** How much is kept. Beyond that, content is unknown rather than the disk full. */
const most = { files: 4000, bytes: 64 * 1024 * 1024 }
/** 8 MiB; a larger file isn't kept, or shown as text. */
export const largest = 8 * 1024 * 1024

/** Contents of the person's files by hash, in a folder that only its owner can read. One process owns it. */
export class Snapshots {
  readonly #folder: string
  readonly #needed: () => ReadonlySet<string>
  readonly #most: typeof most
  readonly #sizes = new Map<string, number>()
  #bytes = 0
  #ready: Promise<unknown> | null = null
  #pruning: Promise<void> = Promise.resolve()

  /** `needed` returns the hashes that may still be asked for, with those that are about to be kept. */
  constructor(folder: string, needed: () => ReadonlySet<string>, limits = most) {
    this.#folder = folder
    this.#needed = needed
    this.#most = limits
  }

  /** Whether there is room for so many bytes more. */
  hasRoom(bytes: number): boolean {
    return this.#sizes.size < this.#most.files && this.#bytes + bytes <= this.#most.bytes
  }

  /**
   * Keeps a content and returns its hash; null if it is too large or there is no room. With `makesRoom`, room is made
   * first where there is none.
   */
  async keep(bytes: Uint8Array, makesRoom = true): Promise<string | null> {
    if (bytes.length > largest) return null
    const hash = hashContent(bytes)
    // What is being removed is still counted.
    await this.#pruning
    if (this.#sizes.has(hash)) return hash
    if (makesRoom && !this.hasRoom(bytes.length)) await this.prune()
    if (!this.hasRoom(bytes.length)) return null
    this.#sizes.set(hash, bytes.length)
    this.#bytes += bytes.length
    try {
      this.#ready ??= mkdir(this.#folder, { recursive: true, mode: privateFolderMode })
      await this.#ready
      await writeFile(join(this.#folder, hash), bytes, { mode: privateFileMode, flag: 'wx' })
    } catch (error) {
      if (systemCode(error) === '') throw error
      if (systemCode(error) === 'EEXIST') return hash
      this.#forget(hash)
      // A full disk leaves half a file, and may have room the next time.
      this.#ready = null
      await rm(join(this.#folder, hash), { force: true }).catch(() => undefined)
      return null
    }
    return hash
  }

  /** A kept content; null if it is gone or damaged. */
  async read(hash: string): Promise<Buffer | null> {
    try {
      const bytes = await readFile(join(this.#folder, hash))
      return hashContent(bytes) === hash ? bytes : null
    } catch {
      return null
    }
  }

  /** Removes everything that isn't needed, including what earlier runs left; what they left and is needed counts. */
  prune(): Promise<void> {
    const own = this.#pruning.then(() => this.#removeUnneeded())
    this.#pruning = own.catch(() => undefined)
    return own
  }

  async #removeUnneeded(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    const needed = this.#needed()
    for (const name of names) {
      if (needed.has(name)) {
        await this.#count(name)
        continue
      }
      await rm(join(this.#folder, name), { force: true })
      this.#forget(name)
    }
  }

  async #count(hash: string): Promise<void> {
    if (this.#sizes.has(hash)) return
    const found = await stat(join(this.#folder, hash)).catch(() => null)
    if (!found || this.#sizes.has(hash)) return
    this.#sizes.set(hash, found.size)
    this.#bytes += found.size
  }

  #forget(hash: string): void {
    this.#bytes -= this.#sizes.get(hash) ?? 0
    this.#sizes.delete(hash)
  }
}
