import { join } from 'node:path'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import type { FileSwapper } from '../files/compare-and-swap'
import type { Ledger } from '../files/ledger'
import { bytesIn, isAsBefore, readBefore } from './baseline'
import { AgentTurns, type WorkOf } from './agent-turns'
import { ChangeGroups } from './change-groups'
import { readDisk } from './disk-bytes'
import { FolderChanges } from './folder-changes'
import type { ChangesAgents, ChangesGit, ChangesReviews } from './changes-ports'
import { putBackFiles } from './put-back'
import { Snapshots } from './snapshots'
import { describeWritten } from './written-change'

/** What this room needs from the rest of the app. */
export interface ChangesOptions {
  /** The data directory. */
  directory: string
  git: ChangesGit
  reviews: ChangesReviews
  swapper: FileSwapper
  ledger: Ledger
  report(error: unknown): void
}

/** What a window provides. */
export interface WindowSurroundings {
  folders(): readonly string[]
  agents: ChangesAgents
  /** Whether the person wants to see what is written without asking. */
  isOn(): boolean
  /** A sentence for the person. */
  warn(sentence: string): void
  quiet?: number
  patience?: number
  /** How long a folder is watched after the last agent has gone, in milliseconds; default 5,000. */
  linger?: number
  workOf?: WorkOf
}

/** What agents write without asking, for all windows of a data directory. */
export class Changes implements Disposable {
  readonly groups: ChangeGroups
  readonly #options: ChangesOptions
  readonly #snapshots: Snapshots
  readonly #windows = new Set<WindowChanges>()
  /** Groups whose files are being put back. */
  readonly #returning = new Set<string>()

  constructor(options: ChangesOptions) {
    this.#options = options
    const folder = join(options.directory, 'changes')
    this.#snapshots = new Snapshots(join(folder, 'snapshots'), () => this.#needed())
    this.groups = new ChangeGroups(folder, options.report)
  }

  /** Follows a window until the result is disposed of. */
  follow(surroundings: WindowSurroundings): WindowChanges {
    const { git, reviews, report } = this.#options
    const window: WindowChanges = new WindowChanges(
      surroundings,
      { git, reviews, report, snapshots: this.#snapshots, groups: this.groups },
      (isEnding) => {
        if (isEnding) this.#windows.delete(window)
        this.prune().catch(report)
      },
    )
    this.#windows.add(window)
    return window
  }

  /** Whether a file's newest content counts as an agent's: one is in a turn, and nobody announced it. */
  isAgents(path: string, hash: string | null): boolean {
    if (this.#options.reviews.isExpected(path, hash)) return false
    return [...this.#windows].some((window) => window.isInTurn)
  }

  /**
   * A review is over. `left`: hashes of what it may have left at its path, null for nothing; `bytes`: the content, if
   * certain.
   */
  settled(path: string, left: readonly (string | null)[], bytes: Uint8Array | null | undefined): void {
    for (const window of this.#windows) window.settled(path, left, bytes)
  }

  /** Keeps the files as they are that a group had at a revision. */
  async keepAll(id: string, revision: number): Promise<Done> {
    const group = this.groups.findAt(id, revision)
    if (!group) return goneGroup
    const chosen = () => {
      const { files = [], isMore = false } = this.groups.findAt(id, revision) ?? {}
      return { paths: files.map(({ path }) => path), isMore }
    }
    for (const window of this.#windows) await window.accept(group.folder, chosen)
    // What has come to the group meanwhile stays: nobody has decided about that.
    const { paths, isMore } = chosen()
    this.groups.drop(paths, isMore ? id : undefined)
    return succeed({})
  }

  /**
   * Puts the files that a group had at a revision back to what they held before, if they still hold what the agent left;
   * the others stay, and stay listed. Returns how many of each there are.
   */
  async putBackAll(id: string, revision: number): Promise<Result<{ done: number; left: number }>> {
    const group = this.groups.findAt(id, revision)
    if (!group) return goneGroup
    if (this.#returning.has(id)) return fail('busy', 'These files are being put back. Wait a moment.')
    this.#returning.add(id)
    try {
      const { git, reviews, swapper, ledger } = this.#options
      let done = 0
      const parts = { git, reviews, swapper, ledger, snapshots: this.#snapshots }
      await putBackFiles(group.files, parts, (paths) => {
        done += paths.length
        this.groups.drop(paths)
      })
      return succeed({ done, left: group.files.length - done })
    } finally {
      this.#returning.delete(id)
    }
  }

  /** Opens a review of one file of a group, which takes it out of the group, and returns the review's id. */
  async review(id: string, path: string): Promise<Result<{ review: string }>> {
    const group = this.groups.find(id)
    const file = group?.files.find((one) => one.path === path)
    if (!group || !file) return goneGroup
    const { git, reviews } = this.#options
    const texts = await readBefore(new Map([[path, file.before]]), { git, snapshots: this.#snapshots })
    const before = bytesIn(texts, path)
    const disk = await readDisk(path)
    const [change] = isAsBefore(before, disk) ? [] : describeWritten([{ path, before, disk }])
    const review = change ? await reviews.open({ ...change, agent: group.agent }) : null
    if (change && review === null)
      return fail('busy', 'Another review of this file is open. Decide that one first.')
    this.groups.drop([path])
    if (review === null) return fail('same', 'This file is unchanged. There’s nothing to review.')
    return succeed({ review })
  }

  /** Removes snapshots that no folder and no group needs. */
  prune(): Promise<void> {
    return this.#snapshots.prune()
  }

  dispose(): void {
    for (const window of this.#windows) window.dispose()
    this.groups.dispose()
  }

  #needed(): Set<string> {
    const windows = [...this.#windows].flatMap((window) => window.hashes())
    return new Set([...windows, ...this.groups.hashes()])
  }
}

const goneGroup = fail('gone', 'These changes are no longer listed. Check the list of reviews.')

type SharedParts = Pick<ChangesOptions, 'git' | 'reviews' | 'report'> & {
  snapshots: Snapshots
  groups: ChangeGroups
}

/** One window's folders, watched while agents are here. */
export class WindowChanges implements Disposable {
  readonly #surroundings: WindowSurroundings
  readonly #parts: SharedParts
  readonly #turns: AgentTurns
  readonly #onLeft: (isEnding: boolean) => void
  readonly #folders = new Map<string, { changes: FolderChanges; ready: Promise<void> }>()
  readonly #owned = new DisposableStack()
  #linger: NodeJS.Timeout | null = null
  #warned = false
  #disposed = false

  constructor(surroundings: WindowSurroundings, parts: SharedParts, onLeft: (isEnding: boolean) => void) {
    this.#surroundings = surroundings
    this.#parts = parts
    this.#onLeft = onLeft
    const { agents, workOf } = surroundings
    this.#turns = this.#owned.add(new AgentTurns(agents, workOf ? { workOf } : {}))
    this.#owned.add(agents.onChange(() => this.update()))
    this.update()
  }

  get isInTurn(): boolean {
    return this.#turns.inTurn().length > 0
  }

  /** Folders, agents or the setting may have changed. */
  update(): void {
    const { agents, isOn, folders, linger = 5000 } = this.#surroundings
    if (this.#disposed) return
    if (this.#linger) clearTimeout(this.#linger)
    this.#linger = null
    if (!isOn()) return this.#leave()
    if (agents.list().length > 0) {
      const wanted = folders()
      this.#leave((folder) => !wanted.includes(folder))
      for (const folder of wanted) this.#watch(folder)
    } else if (this.#folders.size > 0) {
      // What the last agent wrote as its last act must still be seen.
      this.#linger = setTimeout(() => this.#leave(), linger).unref()
    }
  }

  /** An agent is about to start: reads its window's folders first, for at most `limit` milliseconds. */
  async prepare(limit: number): Promise<void> {
    const { isOn, folders } = this.#surroundings
    if (!isOn() || this.#disposed) return
    for (const folder of folders()) this.#watch(folder)
    // Should none start after all, the folders are left again.
    if (this.#surroundings.agents.list().length === 0) this.update()
    const ready = Promise.all([...this.#folders.values()].map((entry) => entry.ready))
    await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, limit).unref())])
  }

  settled(path: string, left: readonly (string | null)[], bytes: Uint8Array | null | undefined): void {
    for (const { changes, ready } of this.#folders.values()) {
      if (!isIn(changes.folder, path)) continue
      void ready
        .then(() => changes.settled(path, left, bytes))
        .catch((error: unknown) => this.#parts.report(error))
    }
  }

  async accept(folder: string, chosen: Parameters<FolderChanges['accept']>[0]): Promise<void> {
    const watched = this.#folders.get(folder)
    await watched?.ready
    await watched?.changes.accept(chosen)
  }

  hashes(): string[] {
    return [...this.#folders.values()].flatMap(({ changes }) => changes.hashes())
  }

  /** Looks immediately at everything that waits; for tests and for the end. */
  async flush(): Promise<void> {
    for (const { changes, ready } of this.#folders.values()) {
      await ready
      await changes.flush()
    }
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    if (this.#linger) clearTimeout(this.#linger)
    for (const { changes } of this.#folders.values()) changes.dispose()
    this.#folders.clear()
    this.#owned.dispose()
    this.#onLeft(true)
  }

  #watch(folder: string): void {
    if (this.#folders.has(folder)) return
    const { quiet, patience, warn } = this.#surroundings
    const changes = new FolderChanges(folder, {
      ...this.#parts,
      turns: this.#turns,
      ...(quiet === undefined ? {} : { quiet }),
      ...(patience === undefined ? {} : { patience }),
    })
    const ready = changes
      .start()
      .catch((error: unknown) => this.#parts.report(error))
      .finally(() => {
        if (!changes.isPartial || this.#warned || this.#disposed) return
        this.#warned = true
        warn(
          `${folder} is too large to be watched whole: some of what agents write without asking may not be shown.`,
        )
      })
    this.#folders.set(folder, { changes, ready })
  }

  #leave(which: (folder: string) => boolean = () => true): void {
    const left = [...this.#folders].filter(([folder]) => which(folder))
    for (const [folder, { changes }] of left) {
      changes.dispose()
      this.#folders.delete(folder)
    }
    if (left.length > 0) this.#onLeft(false)
  }
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(folder) && /^[/\\]/.test(path.slice(folder.length))
}
