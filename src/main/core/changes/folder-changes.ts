import type { Disposable } from '../../../shared/lifetime'
import { hashContent } from '../files/content-hash'
import { settleTime } from '../files/read-file'
import type { AgentTurns } from './agent-turns'
import { Baseline, type Before, type BytesBefore, bytesIn, isAsBefore, readBefore } from './baseline'
import { type ChangeGroups, mostSingles } from './change-groups'
import { type OnDisk, diskHashOf, readDisk } from './disk-bytes'
import { FolderTree } from './folder-tree'
import type { CertainAgent, ChangesGit, ChangesReviews, PresentAgent } from './changes-ports'
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
  /** In milliseconds: changes are looked at once none has come for `quiet`, and after `patience` at the latest. */
  quiet?: number
  patience?: number
}

/** More candidates than this aren't looked at. */
const mostCandidates = 20_000
/** How many of the person's own files are kept one by one. */
const mostTakenOver = 200
const atOnce = 16
/** How often a flush looks: what is being written while it is looked at waits again. */
const mostLooks = 4
/** Milliseconds for which the answer to who is in a turn is reused. */
const turnGrain = 5

/** Who was in a turn when a file changed, by id; empty: the person changed it. */
type Candidates = Map<string, Map<string, PresentAgent>>

/** What is remembered of the moment when a file changed. */
interface Moment {
  readonly agents: readonly PresentAgent[]
  /** The folder was being read then. */
  readonly isEarly: boolean
}

/**
 * Watches what is written in one folder while agents are here. What an agent wrote in its turn, and nobody agreed to,
 * is asked about after the fact; anything else is the person's and becomes the baseline.
 */
export class FolderChanges implements Disposable {
  readonly folder: string
  readonly #parts: FolderChangesParts
  #tree: FolderTree<Moment>
  #baseline: Baseline | null = null
  /** The next baseline, while it is being read. What only the present one needs may make room for it. */
  #taking: Baseline | null = null
  #candidates: Candidates = new Map()
  /** Who may have written a file while a review of it was open. */
  readonly #suspects: Candidates = new Map()
  /** Files that changed while the folder was being read. */
  #early = new Set<string>()
  #isReading = false
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

  /** Resolves when the folder's content is known; from then on nothing is missed. */
  async start(): Promise<void> {
    await this.#reading(() => this.#take())
    if (this.#candidates.size > 0) this.#plan()
  }

  /** Whether some of the folder can't be watched. */
  get isPartial(): boolean {
    return this.#tree.isPartial
  }

  /**
   * A review of a file in this folder is over. `left`: hashes of what it may have left there, null for nothing;
   * `bytes`: the content if certain, because the file may have been written again by now.
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
      const hash = diskHashOf(disk)
      const isLeft = bytes !== undefined || (hash !== undefined && left.includes(hash))
      if (isLeft) await this.#baseline?.put(path, disk)
      if (isLeft && bytes === undefined) return
      this.#hint(path, { agents: isLeft ? this.#parts.turns.inTurn() : suspects, isEarly: false })
      // Ask about anything else that was written, before it can be overwritten.
      if (!isLeft) await this.#look()
    })
  }

  /**
   * Files of a group become the baseline; with `isMore` the whole folder does. What waits is asked about first, and only
   * then is asked which they are. Call it when `start` has ended.
   */
  async accept(chosen: () => { paths: readonly string[]; isMore: boolean }): Promise<void> {
    await this.#tree.flush()
    await this.#inOrder(async () => {
      await this.#look()
      const { paths, isMore } = chosen()
      await (isMore ? this.#takeAnew() : this.#takeOver(paths))
    })
  }

  /** The snapshots this folder needs. */
  hashes(): string[] {
    return (this.#taking ?? this.#baseline)?.hashes() ?? []
  }

  /** Looks immediately at everything that waits. */
  async flush(): Promise<void> {
    await this.#tree.flush()
    let looks = 0
    do await this.#lookNow()
    while (this.#candidates.size > 0 && ++looks < mostLooks)
  }

  dispose(): void {
    this.#disposed = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#tree.dispose()
  }

  #makeTree(): FolderTree<Moment> {
    return new FolderTree({
      folder: this.folder,
      mark: () => ({ agents: this.#inTurn(), isEarly: this.#isReading }),
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

  async #reading(work: () => Promise<void>): Promise<void> {
    this.#isReading = true
    try {
      await work()
    } finally {
      this.#isReading = false
      this.#taking = null
    }
  }

  async #take(): Promise<void> {
    const { git, snapshots } = this.#parts
    await this.#tree.start()
    this.#taking = new Baseline(snapshots, this.#tree)
    await this.#taking.take(this.folder, git)
    this.#baseline = this.#taking
  }

  /** Reads the whole folder again as the new baseline. */
  async #takeAnew(): Promise<void> {
    const before = this.#tree
    await this.#reading(async () => {
      // What has come by now may be read as if it had stood there before.
      await before.flush()
      for (const path of this.#candidates.keys()) this.#early.add(path)
      this.#tree = this.#makeTree()
      if (this.#disposed) this.#tree.dispose()
      await this.#take()
    })
    before.dispose()
  }

  /** Who is in a turn; reused for a few milliseconds, since a flood asks for every file. */
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
      for (const agent of inTurn) note(agents, agent)
      this.#candidates.set(path, agents)
      if (this.#candidates.size <= mostSingles) void this.#inOrder(() => this.#glance(path))
    }
    this.#plan()
  }

  /** Takes what is certainly the person's into the baseline immediately, before an agent can overwrite it. */
  async #glance(path: string): Promise<void> {
    const { reviews, turns } = this.#parts
    const isKnown = this.#tree.sizeOf(path) !== undefined || this.#baseline?.knows(path)
    if (!isKnown) return
    const disk = await readDisk(path)
    const hash = diskHashOf(disk)
    if (hash === undefined) return
    const agents = this.#candidates.get(path)
    // An agent working silently is only noticed by what its process has done.
    if (agents?.size === 0) for (const agent of await turns.silentlyInTurn()) note(agents, agent)
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

  /** One timer for a flood of hints: it keeps waiting if more have come. */
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
    const baseline = this.#baseline
    if (!baseline) return
    const batch = this.#candidates
    const isMore = this.#isMore
    const early = this.#early
    this.#candidates = new Map()
    this.#early = new Set()
    this.#isMore = false
    if (batch.size === 0 && !isMore) return
    // An agent working silently is only noticed now, by its process.
    const silent = await turns.silentlyInTurn()
    for (const agent of silent) for (const agents of batch.values()) note(agents, agent)
    // An agent wrote these while the folder was being read, so nobody saw what they held before.
    for (const path of early) if (batch.get(path)?.size !== 0) baseline.forget(path)
    const all = [...batch.keys()].filter((path) => !this.#isWatchedOver(path, batch.get(path)))
    const ignored = (baseline.isInGit ? await git.ignored(this.folder, all) : null) ?? new Set()
    const paths = all.filter((path) => !ignored.has(path))
    const grouped = groups.befores(this.folder)
    const own = paths.filter((path) => batch.get(path)?.size === 0)
    const theirs = paths.filter((path) => batch.get(path)?.size !== 0 && !grouped.has(path))
    // First, as an agent may write over them while its files are read; a whole folder read again would hold those.
    const isFew = own.length <= mostTakenOver
    if (isFew) await this.#takeOver(own)
    const isMany =
      theirs.length > mostSingles || isMore || groups.growing(this.folder, writerOf(theirs, batch), true)
    if (isMany) await this.#meetMany(baseline, theirs, batch, isMore)
    else await this.#meetFew(baseline, theirs, batch)
    if (!isFew) await this.#takeOver(own)
    const claimed = paths.filter((path) => grouped.has(path) && batch.get(path)?.size === 0)
    if (claimed.length > 0) groups.drop(claimed)
    await this.#meetAgain(
      baseline,
      grouped,
      paths.filter((path) => grouped.has(path) && batch.get(path)?.size !== 0),
    )
  }

  /** Grouped files were written again in a turn: those now agreed to, or as before, leave the group. */
  async #meetAgain(
    baseline: Baseline,
    befores: ReadonlyMap<string, Before>,
    paths: readonly string[],
  ): Promise<void> {
    if (paths.length === 0) return
    const { groups } = this.#parts
    // A folder read again holds what the agent left, and not what stood there before.
    const changed = await this.#findChanged(baseline, paths, (path) => befores.get(path))
    groups.rewritten(changed)
    const over = paths.filter((path) => !changed.has(path))
    if (over.length > 0) groups.drop(over)
  }

  /** Whether a review watches the file. An agent's other writes are then remembered until the review is over. */
  #isWatchedOver(path: string, agents: ReadonlyMap<string, PresentAgent> | undefined): boolean {
    if (!this.#parts.reviews.isUnderReview(path)) return false
    this.#suspect(path, agents)
    return true
  }

  #suspect(path: string, agents: ReadonlyMap<string, PresentAgent> | undefined): void {
    if (agents && agents.size > 0) {
      this.#suspects.set(path, new Map([...(this.#suspects.get(path) ?? []), ...agents]))
    }
  }

  /** What the person made of files becomes the baseline. */
  async #takeOver(paths: readonly string[]): Promise<void> {
    // In a flood most files match a commit, so reading the folder again is cheaper than keeping each file.
    if (paths.length > mostTakenOver) return this.#takeAnew()
    await this.#baseline?.putAll(paths)
  }

  async #meetFew(baseline: Baseline, paths: readonly string[], batch: Candidates): Promise<void> {
    const { git, reviews, snapshots } = this.#parts
    const befores = new Map(paths.map((path) => [path, baseline.beforeOf(path)]))
    const texts = await readBefore(befores, { git, snapshots })
    const written: { path: string; before: BytesBefore; disk: OnDisk; hash: string | null }[] = []
    for (const path of paths) {
      const disk = await readDisk(path)
      const before = bytesIn(texts, path)
      const hash = diskHashOf(disk)
      if (hash === undefined || isAsBefore(before, disk)) continue
      if (reviews.isExpected(path, hash)) await baseline.put(path, disk)
      else if (!(await this.#isSameForGit(path, befores.get(path), before)))
        written.push({ path, before, disk, hash })
    }
    if (written.length > 0) await new Promise((resolve) => setTimeout(resolve, settleTime))
    const still: typeof written = []
    for (const one of written) {
      const { path, hash } = one
      const isStill = diskHashOf(await readDisk(path)) === hash && !reviews.isExpected(path, hash)
      if (isStill) still.push(one)
      // It is being written, or was agreed to meanwhile. Whoever was in a turn at the first stays with it.
      else this.#hint(path, { agents: [...(batch.get(path)?.values() ?? [])], isEarly: false })
    }
    for (const change of describeWritten(still)) {
      if (this.#disposed) return
      const agents = batch.get(change.path)
      const review = await reviews.open({ ...change, agent: onlyOne(agents?.values() ?? []) })
      if (review === null) this.#suspect(change.path, agents)
    }
  }

  /** A file too large to be read may still be unchanged. */
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
    const changed = await this.#findChanged(baseline, paths, (path) => baseline.beforeOf(path))
    if (this.#disposed || (changed.size === 0 && !isMore)) return
    const agent = writerOf([...changed.keys()], batch)
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

  /** Which of many files have changed without anyone having agreed, with the hashes of what they hold. */
  async #findChanged(
    baseline: Baseline,
    paths: readonly string[],
    beforeOf: (path: string) => Before | undefined,
  ): Promise<Map<string, string | null>> {
    const { git, reviews } = this.#parts
    const changed = new Map<string, string | null>()
    const byCommit = new Map<string, { at: Extract<Before, { kind: 'commit' }>; paths: string[] }>()
    for (let at = 0; at < paths.length; at += atOnce) {
      await Promise.all(
        paths.slice(at, at + atOnce).map(async (path) => {
          const disk = await readDisk(path)
          const before = beforeOf(path)
          const hash = diskHashOf(disk)
          if (!before || hash === undefined) return
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

/** Adds an agent to those of a file; what it ran when it was noted before stays, if it runs nothing now. */
function note(agents: Map<string, PresentAgent>, agent: PresentAgent): void {
  const known = agents.get(agent.id)
  agents.set(agent.id, known?.command && !agent.command ? known : agent)
}

/** The agent, if only one can have written all of these files. */
function writerOf(paths: readonly string[], batch: Candidates): CertainAgent | null {
  return onlyOne(paths.flatMap((path) => [...(batch.get(path)?.values() ?? [])]))
}

/** The agent, if only one can have been it, with its command, if it can only have been that. */
function onlyOne(agents: Iterable<PresentAgent>): CertainAgent | null {
  const all = [...agents]
  const [first] = all
  if (!first || all.some(({ id }) => id !== first.id)) return null
  const [command, other] = new Set(all.flatMap((one) => one.command ?? []))
  const { id, name } = first
  return { id, name, ...(command === undefined || other !== undefined ? {} : { command }) }
}
