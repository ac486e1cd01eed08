import type { Disposable } from '../../../shared/lifetime'
import { hashContent } from '../files/content-hash'
import type { AgentTurns } from './agent-turns'
import { Baseline, type Before, type BytesBefore, bytesIn, isAsBefore, readBefore } from './baseline'
import type { ChangeGroups } from './change-groups'
import { type OnDisk, hashOf, readDisk } from './disk-bytes'
import { FolderTree } from './folder-tree'
import type { ChangesGit, ChangesReviews, PresentAgent } from './changes-ports'
import type { Snapshots } from './snapshots'
import { describeWritten } from './written-change'

/** What a folder's watch shares with those of other folders. */
export interface FolderChangesParts {
  git: ChangesGit
  reviews: ChangesReviews
  turns: AgentTurns
  snapshots: Snapshots
  groups: ChangeGroups
  report(error: unknown): void
  /** Changes are looked at when none has come for so long, and at the latest after `patience`, in milliseconds. */
  quiet?: number
  patience?: number
}

/** More files than this at once are one line in the list. */
export const mostSingles = 50
/** More candidates than this are counted and not looked at. */
const mostCandidates = 20_000
/** So many files of the person's own are kept one by one. */
const mostTakenOver = 200
const atOnce = 16
/** Who is in a turn holds for so many milliseconds. */
const turnGrain = 5

/** Who was in a turn when a file changed, by id; none: the person. */
type Candidates = Map<string, Map<string, PresentAgent>>

/** What is remembered of the moment at which a file changed. */
interface Moment {
  readonly agents: readonly PresentAgent[]
  /** The folder had not been looked at whole by then. */
  readonly isEarly: boolean
}

/**
 * Sees what is written in one folder while agents are here. What an agent wrote in its turn and nobody had agreed to is
 * asked about after the fact; anything else is the person's, and what the file holds from then on.
 */
export class FolderChanges implements Disposable {
  readonly folder: string
  readonly #parts: FolderChangesParts
  #tree: FolderTree<Moment>
  #baseline: Baseline | null = null
  #candidates: Candidates = new Map()
  /** Who may have written a file while a review of it was open. */
  readonly #suspects: Candidates = new Map()
  /** Files that changed before the folder had been looked at whole. */
  #early = new Set<string>()
  #isKnown = false
  #isMore = false
  #turn: readonly PresentAgent[] = []
  #turnAt = -Infinity
  #timer: NodeJS.Timeout | null = null
  #firstAt = 0
  #lastAt = 0
  #work: Promise<void> = Promise.resolve()
  #disposed = false

  constructor(folder: string, parts: FolderChangesParts) {
    this.folder = folder
    this.#parts = parts
    this.#tree = this.#makeTree()
  }

  /** Resolves when what the folder holds is known; from then on nothing is missed. */
  async start(): Promise<void> {
    await this.#take(this.#tree)
    this.#isKnown = true
    if (this.#candidates.size > 0) this.#plan()
  }

  /** Not everything in the folder can be watched. */
  get isPartial(): boolean {
    return this.#tree.isPartial
  }

  /**
   * A review of a file in this folder is over; `left` is what it may have left there, null for nothing, `bytes` the same
   * where it is certain: the file may have been written again by now.
   */
  async settled(
    path: string,
    left: readonly (string | null)[],
    bytes: Uint8Array | null | undefined,
  ): Promise<void> {
    await this.#inOrder(async () => {
      const suspects = [...(this.#suspects.get(path)?.values() ?? [])]
      this.#suspects.delete(path)
      const disk = bytes === undefined ? await readDisk(path) : contentOf(bytes)
      const hash = hashOf(disk)
      const isLeft = bytes !== undefined || (hash !== undefined && left.includes(hash))
      if (isLeft) await this.#baseline?.put(path, disk)
      if (isLeft && bytes === undefined) return
      this.#hint(path, { agents: isLeft ? this.#parts.turns.inTurn() : suspects, isEarly: false })
      // What was written besides is asked about before anybody can write over it.
      if (!isLeft) await this.#look()
    })
  }

  /** From now on the files of a group hold what they hold now; with `isMore` any file of the folder. */
  async accept(paths: readonly string[], isMore: boolean): Promise<void> {
    await this.#inOrder(() => (isMore ? this.#takeAnew() : this.#takeOver(paths)))
  }

  /** Snapshots that this folder needs. */
  hashes(): string[] {
    return this.#baseline?.hashes() ?? []
  }

  /** Looks at once at all that is waiting. */
  async flush(): Promise<void> {
    await this.#tree.flush()
    await this.#lookNow()
  }

  dispose(): void {
    this.#disposed = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#tree.dispose()
  }

  #makeTree(): FolderTree<Moment> {
    return new FolderTree({
      folder: this.folder,
      mark: () => ({ agents: this.#inTurn(), isEarly: !this.#isKnown }),
      leaveOut: async (folders) => (await this.#parts.git.ignored(this.folder, folders)) ?? new Set(),
      onHint: (path, moment) => this.#hint(path, moment),
      onUnsure: (unsure, moment) =>
        this.#baseline?.knownIn(unsure).forEach((path) => this.#hint(path, moment)),
      onLost: () => {
        this.#isMore = true
        this.#plan()
      },
    })
  }

  async #take(tree: FolderTree<Moment>): Promise<void> {
    const { git, snapshots } = this.#parts
    await tree.start()
    this.#baseline = await Baseline.take(this.folder, { git, snapshots, tree })
  }

  /** Looks at the whole folder anew: everything in it is as it shall be. */
  async #takeAnew(): Promise<void> {
    const before = this.#tree
    this.#tree = this.#makeTree()
    if (this.#disposed) this.#tree.dispose()
    await this.#take(this.#tree)
    before.dispose()
  }

  /** Who is in a turn; asked anew every few milliseconds only, since a flood asks for every file. */
  #inTurn(): readonly PresentAgent[] {
    const now = performance.now()
    if (now - this.#turnAt > turnGrain) {
      this.#turn = this.#parts.turns.inTurn()
      this.#turnAt = now
    }
    return this.#turn
  }

  #hint(path: string, { agents: inTurn, isEarly }: Moment): void {
    if (this.#disposed) return
    if (isEarly) this.#early.add(path)
    const known = this.#candidates.get(path)
    if (!known && this.#candidates.size >= mostCandidates) this.#isMore = true
    else {
      const agents = known ?? new Map<string, PresentAgent>()
      for (const agent of inTurn) agents.set(agent.id, agent)
      this.#candidates.set(path, agents)
      if (this.#candidates.size <= mostSingles) void this.#inOrder(() => this.#glance(path))
    }
    this.#plan()
  }

  /** What is the person's for certain is known at once, before an agent can write over it. */
  async #glance(path: string): Promise<void> {
    const { reviews, turns } = this.#parts
    const isKnown = this.#tree.sizeOf(path) !== undefined || this.#baseline?.knows(path)
    if (!isKnown) return
    const disk = await readDisk(path)
    const hash = hashOf(disk)
    if (hash === undefined) return
    const agents = this.#candidates.get(path)
    // Who works silently is known only by a look at what it has done.
    if (agents?.size === 0) for (const agent of await turns.silentlyInTurn()) agents.set(agent.id, agent)
    const isOwn = agents?.size === 0
    if (isOwn || reviews.isExpected(path, hash)) await this.#baseline?.put(path, disk)
  }

  #plan(): void {
    if (!this.#baseline || this.#disposed) return
    this.#lastAt = performance.now()
    if (this.#timer) return
    this.#firstAt = this.#lastAt
    this.#wait()
  }

  /** One timer for a flood of hints: it goes on waiting when others have come meanwhile. */
  #wait(): void {
    const { quiet = 400, patience = 2000 } = this.#parts
    const until = Math.min(this.#lastAt + quiet, this.#firstAt + patience)
    this.#timer = setTimeout(
      () => {
        const now = performance.now()
        if (now < Math.min(this.#lastAt + quiet, this.#firstAt + patience)) return this.#wait()
        this.#lookNow().catch((error: unknown) => this.#parts.report(error))
      },
      Math.max(1, until - performance.now()),
    ).unref()
  }

  #inOrder(task: () => Promise<void>): Promise<void> {
    const own = this.#work.then(task)
    this.#work = own.catch(() => undefined)
    return own
  }

  #lookNow(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    return this.#inOrder(() => this.#look())
  }

  async #look(): Promise<void> {
    const { git, turns, groups } = this.#parts
    const batch = this.#candidates
    const isMore = this.#isMore
    const early = this.#early
    this.#candidates = new Map()
    this.#early = new Set()
    this.#isMore = false
    const baseline = this.#baseline
    if (!baseline || (batch.size === 0 && !isMore)) return
    // Who works silently is known by the processor, and that only now.
    const silent = await turns.silentlyInTurn()
    for (const agent of silent) for (const agents of batch.values()) agents.set(agent.id, agent)
    // What stood there before an agent wrote while the folder was being looked at, nobody has seen.
    for (const path of early) if (batch.get(path)?.size !== 0) baseline.forget(path)
    const all = [...batch.keys()].filter((path) => !this.#isWatchedOver(path, batch.get(path)))
    const ignored = (baseline.isInGit ? await git.ignored(this.folder, all) : null) ?? new Set()
    const paths = all.filter((path) => !ignored.has(path))
    const grouped = groups.paths(this.folder)
    const own = paths.filter((path) => batch.get(path)?.size === 0)
    const theirs = paths.filter((path) => batch.get(path)?.size !== 0 && !grouped.has(path))
    if (theirs.length > mostSingles || isMore) await this.#meetMany(baseline, theirs, batch, isMore)
    else await this.#meetFew(baseline, theirs, batch)
    await this.#takeOver(own)
    const claimed = paths.filter((path) => grouped.has(path) && batch.get(path)?.size === 0)
    if (claimed.length > 0) groups.drop(claimed)
    await this.#meetAgain(
      baseline,
      paths.filter((path) => grouped.has(path) && batch.get(path)?.size !== 0),
    )
  }

  /** Files of a group were written once more in a turn: what somebody had agreed to, or undone, leaves the group. */
  async #meetAgain(baseline: Baseline, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return
    const changed = await this.#findChanged(baseline, paths)
    const { groups } = this.#parts
    groups.rewritten(changed)
    const over = paths.filter((path) => !changed.has(path))
    if (over.length > 0) groups.drop(over)
  }

  /** A review sees to the file. An agent's write besides what it asks for is remembered until that is over. */
  #isWatchedOver(path: string, agents: ReadonlyMap<string, PresentAgent> | undefined): boolean {
    if (!this.#parts.reviews.isUnderReview(path)) return false
    if (agents && agents.size > 0) {
      this.#suspects.set(path, new Map([...(this.#suspects.get(path) ?? []), ...agents]))
    }
    return true
  }

  /** What the person has made of files is what they hold from now on. */
  async #takeOver(paths: readonly string[]): Promise<void> {
    // Of a flood most is as a commit has it: to look at the folder anew is less than to keep file by file.
    if (paths.length > mostTakenOver) return this.#takeAnew()
    await this.#baseline?.putAll(paths)
  }

  async #meetFew(baseline: Baseline, paths: readonly string[], batch: Candidates): Promise<void> {
    const { git, reviews, snapshots } = this.#parts
    const befores = new Map(paths.map((path) => [path, baseline.beforeOf(path)]))
    const texts = await readBefore(befores, { git, snapshots })
    const written: { path: string; before: BytesBefore; disk: OnDisk }[] = []
    for (const path of paths) {
      const disk = await readDisk(path)
      const before = bytesIn(texts, path)
      const hash = hashOf(disk)
      if (hash === undefined || isAsBefore(before, disk)) continue
      if (reviews.isExpected(path, hash)) await baseline.put(path, disk)
      else if (!(await this.#isSameForGit(path, befores.get(path), before)))
        written.push({ path, before, disk })
    }
    for (const change of describeWritten(written)) {
      if (this.#disposed) return
      await reviews.open({ ...change, agent: onlyOne(batch.get(change.path)) })
    }
  }

  /** A file whose text is too large to be read may still be the one that was there. */
  async #isSameForGit(path: string, at: Before | undefined, before: BytesBefore): Promise<boolean> {
    if (before !== 'unknown' || at?.kind !== 'commit') return false
    return (await this.#parts.git.unchanged(at, [path])).has(path)
  }

  async #meetMany(
    baseline: Baseline,
    paths: readonly string[],
    batch: Candidates,
    isMore: boolean,
  ): Promise<void> {
    const { groups } = this.#parts
    const changed = await this.#findChanged(baseline, paths)
    if (this.#disposed || (changed.size === 0 && !isMore)) return
    const agents = new Map([...changed.keys()].flatMap((path) => [...(batch.get(path) ?? [])]))
    const agent = onlyOne(agents)
    if (changed.size <= mostSingles && !isMore && !groups.growing(this.folder, agent)) {
      return this.#meetFew(baseline, [...changed.keys()], batch)
    }
    groups.add(
      this.folder,
      agent,
      [...changed].map(([path, after]) => ({ path, before: baseline.beforeOf(path), after })),
      isMore,
    )
  }

  /** Of many files those that are not as they were, and that nobody had agreed to, with the hash of what they hold. */
  async #findChanged(baseline: Baseline, paths: readonly string[]): Promise<Map<string, string | null>> {
    const { git, reviews } = this.#parts
    const changed = new Map<string, string | null>()
    const byCommit = new Map<string, { at: Extract<Before, { kind: 'commit' }>; paths: string[] }>()
    for (let at = 0; at < paths.length; at += atOnce) {
      await Promise.all(
        paths.slice(at, at + atOnce).map(async (path) => {
          const disk = await readDisk(path)
          const before = baseline.beforeOf(path)
          const hash = hashOf(disk)
          if (hash === undefined) return
          if (reviews.isExpected(path, hash)) return baseline.put(path, disk)
          if (before.kind === 'absent' ? hash === null : before.kind === 'kept' && before.hash === hash)
            return
          changed.set(path, hash)
          if (before.kind !== 'commit' || hash === null) return
          const group = byCommit.get(before.commit) ?? { at: before, paths: [] }
          group.paths.push(path)
          byCommit.set(before.commit, group)
        }),
      )
    }
    for (const { at, paths: some } of byCommit.values()) {
      for (const path of await git.unchanged(at, some)) changed.delete(path)
    }
    return changed
  }
}

function contentOf(bytes: Uint8Array | null): OnDisk {
  if (bytes === null) return { kind: 'absent' }
  return { kind: 'file', bytes: Buffer.from(bytes), hash: hashContent(bytes) }
}

/** The agent, where only one can have been it. */
function onlyOne(agents: ReadonlyMap<string, PresentAgent> | undefined): { id: string; name: string } | null {
  const [first, second] = agents?.values() ?? []
  return first && !second ? { id: first.id, name: first.name } : null
}
