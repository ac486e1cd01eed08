import { renameSync } from 'node:fs'
import type { z } from 'zod'
import { type Done, fail, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../files/atomic-write'
import { readBytesSync } from '../files/regular-file'
import { privateFileMode } from '../platform/file-modes'
import { nameAside } from '../settings/broken-file'

/** A file of ours with one JSON value, for its owner's eyes only. One that cannot be read is set aside, never lost. */
export class KeptJson<T> {
  readonly #path: string
  readonly #schema: z.ZodType<T>
  readonly #name: string
  #problem: string | null = null

  /** `name`: what it holds, as a sentence begins with it. */
  constructor(path: string, schema: z.ZodType<T>, name: string) {
    this.#path = path
    this.#schema = schema
    this.#name = name
  }

  /** What was wrong with the file, as a sentence; null when all was well. */
  get problem(): string | null {
    return this.#problem
  }

  /** What the file holds; null where there is none or it was set aside. */
  read(): T | null {
    try {
      return this.#schema.parse(JSON.parse(readBytesSync(this.#path).toString('utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    }
    const aside = nameAside(this.#path, new Date())
    try {
      renameSync(this.#path, aside)
      this.#problem = `${this.#name} could not be read. The file was set aside as ${aside}; mend it there, or begin anew.`
    } catch {
      this.#problem = `${this.#name} could not be read. Look at ${this.#path}.`
    }
    return null
  }

  /** Replaces the file in one step, flushed. */
  async write(value: T): Promise<Done> {
    const written = await writeFileAtomically(
      this.#path,
      Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
      {
        mode: privateFileMode,
        createParents: true,
      },
    )
    return written.ok ? succeed({}) : fail(written.failure.code, written.failure.message)
  }
}
