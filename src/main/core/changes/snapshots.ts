import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../files/file-failure'
import { hashContent } from '../files/content-hash'
import { privateFileMode, privateFolderMode } from '../platform/file-modes'

/** How much is kept; beyond that, texts are not known rather than the disk filled. */
const mostFiles = 4000
const mostBytes = 64 * 1024 * 1024
/** No larger file is kept or shown as a text: 8 MiB. */
export const largest = 8 * 1024 * 1024

/** Contents of the person's files by hash, in a folder that its owner alone can read. One process owns it. */
export class Snapshots {
  readonly #folder: string
  readonly #needed: () => ReadonlySet<string>
  readonly #sizes = new Map<string, number>()
  #bytes = 0
  #ready: Promise<unknown> | null = null

  /** `needed` tells which hashes somebody may still ask for. */
  constructor(folder: string, needed: () => ReadonlySet<string>) {
    this.#folder = folder
    this.#needed = needed
  }

  /** Keeps a content; gives its hash, or null where there is no room left or it is too large. */
  async keep(bytes: Uint8Array): Promise<string | null> {
    if (bytes.length > largest) return null
    const hash = hashContent(bytes)
    if (this.#sizes.has(hash)) return hash
    if (!this.#hasRoom(bytes.length)) await this.prune()
    if (!this.#hasRoom(bytes.length)) return null
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
      // A full disk leaves half a file, and may have room again the next time.
      this.#ready = null
      await rm(join(this.#folder, hash), { force: true }).catch(() => undefined)
      return null
    }
    return hash
  }

  /** A content that was kept; null when it is gone or is not what it was. */
  async read(hash: string): Promise<Buffer | null> {
    try {
      const bytes = await readFile(join(this.#folder, hash))
      return hashContent(bytes) === hash ? bytes : null
    } catch {
      return null
    }
  }

  /** Removes all but what is still needed, also what an earlier run left behind. */
  async prune(): Promise<void> {
    const needed = this.#needed()
    const names = await readdir(this.#folder).catch(() => [])
    for (const name of names) {
      if (needed.has(name)) continue
      await rm(join(this.#folder, name), { force: true })
      this.#forget(name)
    }
  }

  #hasRoom(bytes: number): boolean {
    return this.#sizes.size < mostFiles && this.#bytes + bytes <= mostBytes
  }

  #forget(hash: string): void {
    this.#bytes -= this.#sizes.get(hash) ?? 0
    this.#sizes.delete(hash)
  }
}
