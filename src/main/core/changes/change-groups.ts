import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { readJsonFile, writeJsonFile } from '../files/json-file'
import { type Before, beforeSchema, hashSchema } from './baseline'

const groupedFile = z.object({
  path: z.string(),
  before: beforeSchema,
  /**
   * The hash of what the agent left there; null: nothing. Absent if that isn't certain, as for groups stored by an
   * earlier version: such a file isn't put back with the others.
   */
  after: hashSchema.nullish(),
  /** The group's, once the file had come to it or was written again. */
  revision: z.number().int().default(0),
})
export type GroupedFile = z.infer<typeof groupedFile>

const changeGroup = z.object({
  id: z.string(),
  /** Grows with every file that comes to it, or is written again. */
  revision: z.number().int().default(0),
  /** The agent, if it is certain, and the command that it ran, if all was written by one. */
  agent: z.object({ id: z.string(), name: z.string(), command: z.string().exactOptional() }).nullable(),
  folder: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  files: z.array(groupedFile),
  /** There were more files than are listed. */
  isMore: z.boolean(),
})
/** More files than this that change together become a group. */
export const mostSingles = 50

/** Many files that changed together: one row in the list instead of as many reviews. */
export type ChangeGroup = z.infer<typeof changeGroup>

/** How many files a group lists at most. */
const mostGrouped = 20_000
/** In milliseconds: what comes within this time after many files joins their group. */
const joinTime = 10_000
/** The same for a few files: what a checkout leaves for a later look, but hardly an agent's next edit. */
const tailTime = 2000

/** The groups that wait for the person; stored on disk. */
export class ChangeGroups implements Disposable {
  readonly #path: string
  readonly #now: () => number
  readonly #changed = new Emitter<void>()
  readonly onChange = this.#changed.on
  readonly #lastMany = new Map<string, number>()
  #groups: readonly ChangeGroup[]
  #saving: Promise<void> = Promise.resolve()
  #disposed = false
  readonly #report: (error: unknown) => void
  /** What was wrong with the file at the start, as a sentence. */
  readonly problem: string | null

  constructor(folder: string, report: (error: unknown) => void, now = Date.now) {
    this.#path = join(folder, 'groups.json')
    const { value, problem } = readJsonFile(this.#path, z.array(changeGroup), 'The list of changed files')
    this.#groups = value ?? []
    this.problem = problem
    this.#report = report
    this.#now = now
  }

  /** Oldest first. */
  list(): readonly ChangeGroup[] {
    return this.#groups
  }

  find(id: string): ChangeGroup | undefined {
    return this.#groups.find((group) => group.id === id)
  }

  /** A group without what has come to it since a revision; undefined if nothing is left of it. */
  findAt(id: string, revision: number): ChangeGroup | undefined {
    const group = this.find(id)
    if (!group) return undefined
    const files = group.files.filter((file) => file.revision <= revision)
    const isMore = group.isMore && group.revision === revision
    return files.length > 0 || isMore ? { ...group, files, isMore } : undefined
  }

  /** All files in a folder's groups, with what stood there before. */
  befores(folder: string): Map<string, Before> {
    const groups = this.#groups.filter((group) => group.folder === folder)
    return new Map(groups.flatMap(({ files }) => files.map(({ path, before }) => [path, before])))
  }

  /** The group that new changes in a folder join; undefined if the last one is too old or another agent's. */
  growing(folder: string, agent: ChangeGroup['agent'], areFew = false): ChangeGroup | undefined {
    const group = this.#groups.findLast((one) => one.folder === folder)
    const grown = group ? (this.#lastMany.get(group.id) ?? 0) : 0
    return group?.agent?.id === agent?.id && this.#now() - grown <= (areFew ? tailTime : joinTime)
      ? group
      : undefined
  }

  /** Adds files to the growing group, or as a new one. */
  add(
    folder: string,
    agent: ChangeGroup['agent'],
    files: readonly Omit<GroupedFile, 'revision'>[],
    isMore: boolean,
  ): void {
    const started = {
      id: randomUUID(),
      revision: 0,
      agent,
      folder,
      at: this.#now(),
      files: [],
      isMore: false,
    }
    const growing = this.growing(folder, agent)
    const group = growing ?? started
    const revision = group.revision + 1
    const all = [...group.files, ...files.map((file) => ({ ...file, revision }))]
    const next: ChangeGroup = {
      ...group,
      revision,
      agent: group.agent?.command === agent?.command ? group.agent : withoutCommand(group.agent),
      files: all.slice(0, mostGrouped),
      isMore: group.isMore || isMore || all.length > mostGrouped,
    }
    // Few don't prolong it: otherwise whatever an agent writes one by one would never be asked about by itself.
    if (!growing || isMore || files.length > mostSingles) this.#lastMany.set(next.id, this.#now())
    this.#set([...this.#groups.filter(({ id }) => id !== next.id), next])
  }

  /**
   * An agent wrote grouped files again: the hashes of what they hold now, null for nothing. That is of a new revision:
   * nobody has seen it.
   */
  rewritten(left: ReadonlyMap<string, string | null>): void {
    if (left.size === 0) return
    this.#set(
      this.#groups.map((group) => {
        const revision = group.revision + 1
        const files = group.files.map((file) => {
          const after = left.has(file.path) ? left.get(file.path) : file.after
          return after === file.after ? file : { ...file, after, revision }
        })
        return files.some((file) => file.revision === revision) ? { ...group, revision, files } : group
      }),
    )
  }

  /** Takes files out of their groups, and out of the group `whole` those that it doesn't list; empty groups go. */
  drop(paths: readonly string[], whole?: string): void {
    const gone = new Set(paths)
    const left = this.#groups.map((group) => ({
      ...group,
      files: group.files.filter(({ path }) => !gone.has(path)),
      isMore: group.isMore && group.id !== whole,
    }))
    this.#set(left.filter(({ files, isMore }) => files.length > 0 || isMore))
  }

  /** The snapshots needed for putting back. */
  hashes(): string[] {
    return this.#groups.flatMap(({ files }) =>
      files.flatMap(({ before }) => (before.kind === 'kept' ? [before.hash] : [])),
    )
  }

  /** Resolves when the groups are on disk. */
  flush(): Promise<void> {
    return this.#saving
  }

  /** Changes nothing after this; await `flush` for what is still being written. */
  dispose(): void {
    this.#disposed = true
    this.#changed.dispose()
  }

  #set(groups: readonly ChangeGroup[]): void {
    if (this.#disposed) return
    this.#groups = groups
    this.#changed.emit()
    this.#saving = this.#saving.then(() => this.#save(groups)).catch((error: unknown) => this.#report(error))
  }

  async #save(groups: readonly ChangeGroup[]): Promise<void> {
    if (groups !== this.#groups) return
    const written = await writeJsonFile(this.#path, groups)
    if (!written.ok) this.#report(new Error(written.failure.message))
  }
}

function withoutCommand(agent: ChangeGroup['agent']): ChangeGroup['agent'] {
  return agent && { id: agent.id, name: agent.name }
}
