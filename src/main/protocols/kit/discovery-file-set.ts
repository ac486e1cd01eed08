import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, succeed, type Failure, type Result } from '../../../shared/result'
import { writeDiscoveryFile, type DiscoveryFile } from './discovery-files'

/** A discovery file and what is to stand in it, as JSON. */
export interface FileToWrite {
  file: DiscoveryFile
  content: unknown
}

/** The discovery files of one server: written one write after another, and gone at once when the server stops. */
export class DiscoveryFileSet {
  readonly #written = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()
  #over = false

  /** The paths of the files that are there, in the order of their first write. */
  get paths(): string[] {
    return [...this.#written]
  }

  /**
   * Writes these files, after any write still under way. Gives what went wrong at each of them, `undefined` where
   * nothing did. Fails with `stopped` once the files are removed.
   */
  write(files: readonly FileToWrite[]): Promise<Result<(Failure | undefined)[]>> {
    const next = this.#last.then(() => this.#writeAll(files))
    this.#last = next
    return next
  }

  /** Removes the files at once, so that they are gone even if the process ends now. A write under way puts none in place. */
  remove(): void {
    this.#over = true
    for (const path of this.#written) {
      try {
        rmSync(path, { force: true })
      } catch {
        // The next start removes it, since its process is then gone.
      }
    }
    this.#written.clear()
  }

  async #writeAll(files: readonly FileToWrite[]): Promise<Result<(Failure | undefined)[]>> {
    const failures: (Failure | undefined)[] = []
    for (const { file, content } of files) {
      if (this.#over) return fail('stopped', 'The server has stopped. Restart it.')
      const path = join(file.folder, file.name)
      const isNew = !this.#written.has(path)
      const written = await writeDiscoveryFile(file, content, () => {
        if (this.#over) return false
        this.#written.add(path)
        return true
      })
      failures.push(written.ok ? undefined : written.failure)
      if (written.ok) continue
      if (written.failure.code === 'stopped') return written
      if (isNew) this.#written.delete(path)
    }
    return succeed(failures)
  }
}
