import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Result, fail, succeed } from '../../../shared/result'
import { noRipgrep } from '../platform/ripgrep'
import { WorkerPool } from '../workers/worker-pool'
import { nestedFolders } from './folder-scope'
import { readGlobs } from './globs'
import type { FoundPath, PathTask, PathAnswer } from './path-worker'
import pathWorker from './path-worker?modulePath'
import { listFiles, scopeArguments } from './ripgrep-files'

/** What the list of a window's files needs from the window. */
export interface PathSurroundings {
  folders(): readonly { path: string; name: string }[]
  ripgrep(): Promise<string | null>
  /** Globs of files that are never listed. */
  leftOut(): readonly string[]
}

/** What was typed, and what comes first. */
export interface PathQuestion {
  typed: string
  withIgnored: boolean
  /** Lists the files again; the known list answers in the meantime. */
  refresh: boolean
  /** Recently opened files, the latest first. */
  recent: readonly string[]
}

/** The best files, how many match in all, and whether the list was complete. */
export interface PathChoice {
  files: FoundPath[]
  count: number
  isWhole: boolean
}

/** No more files than this are listed. */
export const mostPaths = 500_000
/** An idle thread ends after this long, and its list with it; in milliseconds. */
const idle = 10 * 60_000
const mostShown = 100

/** A complete list: the thread that holds it, and the folders it covers. */
interface CompleteList {
  folders: string
  pool: WorkerPool<PathTask, PathAnswer>
}

/**
 * The names of all files in a window's folders. Each list is held by a thread that also matches it. A list is renewed
 * in another thread, so that the previous one answers until it is replaced.
 */
export class PathLists implements Disposable {
  readonly #surroundings: PathSurroundings
  /** By whether they include ignored files. */
  readonly #lists = new Map<boolean, CompleteList>()
  readonly #changes = new Emitter<void>()
  readonly onChange = this.#changes.on
  /** The listings under way, by whether they include ignored files. */
  readonly #making = new Map<boolean, Promise<Result<unknown>>>()
  readonly #ended = new AbortController()
  /** How many lists were made. */
  generation = 0

  constructor(surroundings: PathSurroundings) {
    this.#surroundings = surroundings
  }

  get isListing(): boolean {
    return this.#making.size > 0
  }

  /** The files that match. Waits for a list only if there is none yet. */
  async find({ typed, withIgnored, refresh, recent }: PathQuestion): Promise<Result<PathChoice>> {
    for (let round = 0; round < 3; round++) {
      const list = this.#lists.get(withIgnored)
      if (list?.folders === this.#folderNames()) {
        if (refresh && round === 0) void this.#list(withIgnored)
        const answer = await list.pool.run({ kind: 'match', typed, recent, limit: mostShown })
        if (answer.ok && answer.value !== null) return succeed(answer.value)
        // It was replaced by a newer list, which is asked instead.
        if (this.#lists.get(withIgnored) !== list) continue
        if (!answer.ok) return answer
      }
      // No list yet, or its thread has ended after being idle.
      const made = await this.#list(withIgnored)
      if (!made.ok) return made
    }
    return notListed
  }

  dispose(): void {
    this.#ended.abort()
    for (const { pool } of this.#lists.values()) pool.dispose()
    this.#lists.clear()
    this.#changes.dispose()
  }

  #list(withIgnored: boolean): Promise<Result<unknown>> {
    const running = this.#making.get(withIgnored)
    if (running) return running
    const made = this.#make(withIgnored).finally(() => {
      this.#making.delete(withIgnored)
      this.#changes.emit()
    })
    this.#making.set(withIgnored, made)
    this.#changes.emit()
    return made
  }

  async #make(withIgnored: boolean): Promise<Result<unknown>> {
    const program = await this.#surroundings.ripgrep()
    if (program === null) return noRipgrep
    const names = this.#folderNames()
    const folders = this.#surroundings.folders()
    const globs = readGlobs('', '', this.#surroundings.leftOut())
    const paths = folders.map(({ path }) => path)
    const lists: Extract<PathTask, { kind: 'load' }>['lists'] = []
    let room = mostPaths
    for (const { path: folder, name } of folders) {
      const prefix = folders.length > 1 ? `${name}/` : ''
      const skip = [...nestedFolders(folder, paths)]
      const scope = scopeArguments(folder, globs, withIgnored, null)
      const listed = await listFiles(program, folder, scope, room, this.#ended.signal)
      if (listed === null) return noRipgrep
      room -= listed.count
      lists.push({ folder, prefix, skip, listed: listed.names })
    }
    if (this.#ended.signal.aborted) return notListed
    const pool = new WorkerPool<PathTask, PathAnswer>(pathWorker, { idle })
    const stop = () => pool.dispose()
    this.#ended.signal.addEventListener('abort', stop)
    const transfer = lists.map(({ listed }) => listed.buffer)
    const task = { kind: 'load', lists, most: mostPaths } as const
    const loaded = await pool.run(task, transfer)
    this.#ended.signal.removeEventListener('abort', stop)
    if (!loaded.ok) {
      pool.dispose()
      return loaded
    }
    const before = this.#lists.get(withIgnored)
    this.#lists.set(withIgnored, { folders: names, pool })
    this.generation++
    before?.pool.dispose()
    // A list of other folders is of no use any more, with ignored files or without.
    for (const [kind, list] of [...this.#lists]) {
      if (list.folders === names) continue
      list.pool.dispose()
      this.#lists.delete(kind)
    }
    return succeed({})
  }

  #folderNames(): string {
    return this.#surroundings
      .folders()
      .map(({ path }) => path)
      .join('\n')
  }
}

const notListed = fail('failed', 'This folder’s files can’t be listed. Choose one in the side bar.')
