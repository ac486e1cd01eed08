import { appendFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { hashContent } from '../files/content-hash'
import { resolveRealPath } from '../files/real-path'
import { readText } from '../files/regular-file'
import { privateFileMode, privateFolderMode } from '../platform/file-modes'
import { type Before, beforeSchema, type BytesBefore } from './baseline'
import { type OnDisk, readDisk } from './disk-bytes'
import { largest, Snapshots } from './snapshots'

/** How much is remembered. Beyond that, the oldest sessions are forgotten. */
const limits = {
  sessions: 100,
  /** In milliseconds since the latest prompt. */
  age: 30 * 24 * 3_600_000,
  /** Per session; anything beyond that is not remembered. */
  files: 4000,
  contents: { files: 10_000, bytes: 256 * 1024 * 1024 },
}

/** A line of a session's record: its id, a prompt, or what a file held before its first change in that prompt's turn. */
const lineSchema = z.union([
  z.object({ session: z.string() }),
  z.object({ prompt: z.string(), at: z.number() }),
  z.object({ path: z.string(), before: beforeSchema }),
])
type Line = z.infer<typeof lineSchema>

interface Session {
  readonly file: string
  /** In the order in which they began, each with what files held before their first change in its turn. */
  readonly prompts: { readonly id: string; readonly files: Map<string, Before> }[]
  usedAt: number
}

/**
 * What files held before each prompt of agents' sessions, so that they can be put back. Kept in the data directory, so
 * that it is there when a session is resumed later. Calls take effect in order.
 */
export class Checkpoints {
  readonly #folder: string
  readonly #snapshots: Snapshots
  readonly #limits: typeof limits
  readonly #now: () => number
  readonly #report: (error: unknown) => void
  readonly #sessions = new Map<string, Session>()
  #work: Promise<unknown>

  /** `directory`: the data directory. `report`: logs that the disk refused; then less can be put back. */
  constructor(
    directory: string,
    report: (error: unknown) => void,
    options: { limits?: typeof limits; now?: () => number } = {},
  ) {
    this.#report = report
    this.#folder = join(directory, 'checkpoints')
    this.#limits = options.limits ?? limits
    this.#now = options.now ?? Date.now
    const contents = join(this.#folder, 'contents')
    this.#snapshots = new Snapshots(contents, () => this.#needed(), this.#limits.contents)
    this.#work = this.#load().catch(report)
  }

  /** A prompt's turn begins: whatever files hold now, they held before it. */
  begin(session: string, prompt: string): Promise<void> {
    return this.#inOrder(async () => {
      const found = this.#sessions.get(session) ?? (await this.#add(session))
      if (found.prompts.some(({ id }) => id === prompt)) return
      found.prompts.push({ id: prompt, files: new Map() })
      found.usedAt = this.#now()
      await this.#note(found, { prompt, at: found.usedAt })
    })
  }

  /** A file is about to be changed. Resolves once its content is kept. */
  keepPresent(session: string, path: string): Promise<void> {
    return this.#inOrder(async () => {
      const real = await resolveRealPath(path).catch(() => path)
      if (this.#isNews(session, real)) await this.#keep(session, real, await readDisk(real))
    })
  }

  /** A file has turned out to be changed; `before` is what it held. */
  keepFormer(session: string, path: string, before: BytesBefore): Promise<void> {
    const disk: OnDisk =
      before === null
        ? { kind: 'absent' }
        : before === 'unknown'
          ? { kind: 'other' }
          : { kind: 'file', bytes: Buffer.from(before), hash: hashContent(before) }
    return this.#inOrder(() => this.#keep(session, path, disk))
  }

  /** What files held before a prompt, for each one changed since, by real path; null if the prompt is unknown. */
  before(session: string, prompt: string): Promise<Map<string, BytesBefore> | null> {
    return this.#inOrder(async () => {
      const prompts = this.#sessions.get(session)?.prompts ?? []
      const from = prompts.findIndex(({ id }) => id === prompt)
      if (from === -1) return null
      const first = new Map<string, Before>()
      for (const { files } of prompts.slice(from).toReversed())
        for (const [path, before] of files) first.set(path, before)
      const found = new Map<string, BytesBefore>()
      for (const [path, before] of first) {
        if (before.kind === 'absent') found.set(path, null)
        else if (before.kind !== 'kept') found.set(path, 'unknown')
        else found.set(path, (await this.#snapshots.read(before.hash)) ?? 'unknown')
      }
      return found
    })
  }

  /** A session continues as another one, which takes over what is known. */
  copy(from: string, to: string): Promise<void> {
    return this.#inOrder(async () => {
      const source = this.#sessions.get(from)
      if (!source || this.#sessions.has(to)) return
      const copied = await this.#add(to)
      copied.usedAt = source.usedAt
      for (const { id, files } of source.prompts) {
        copied.prompts.push({ id, files: new Map(files) })
        const lines = [...files].map(([path, before]) => ({ path, before }))
        await this.#note(copied, { prompt: id, at: source.usedAt }, ...lines)
      }
    })
  }

  /** Resolves when everything is on disk. */
  flush(): Promise<void> {
    return this.#inOrder(() => Promise.resolve())
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }

  #isNews(session: string, path: string): boolean {
    const prompts = this.#sessions.get(session)?.prompts ?? []
    const files = prompts.reduce((sum, prompt) => sum + prompt.files.size, 0)
    const turn = prompts.at(-1)
    return turn !== undefined && !turn.files.has(path) && files < this.#limits.files
  }

  async #keep(session: string, path: string, disk: OnDisk): Promise<void> {
    const found = this.#sessions.get(session)
    if (!found || !this.#isNews(session, path)) return
    const before = await this.#beforeOf(session, disk)
    found.prompts.at(-1)?.files.set(path, before)
    await this.#note(found, { path, before })
  }

  async #beforeOf(session: string, disk: OnDisk): Promise<Before> {
    if (disk.kind === 'absent') return { kind: 'absent' }
    if (disk.kind !== 'file') return { kind: 'unknown' }
    for (;;) {
      const hash = await this.#snapshots.keep(disk.bytes)
      if (hash !== null) return { kind: 'kept', hash }
      // Too large, or the disk refused.
      if (disk.bytes.length > largest || this.#snapshots.hasRoom(disk.bytes.length))
        return { kind: 'unknown' }
      if (!(await this.#forgetOldest(session))) return { kind: 'unknown' }
    }
  }

  /** Forgets the least recently used session, but not the one given; false if there is no other. */
  async #forgetOldest(except: string): Promise<boolean> {
    const others = [...this.#sessions].filter(([session]) => session !== except)
    const [oldest] = others.toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
    if (!oldest) return false
    const [session, { file }] = oldest
    this.#sessions.delete(session)
    await rm(file, { force: true })
    return true
  }

  async #add(session: string): Promise<Session> {
    while (this.#sessions.size >= this.#limits.sessions) await this.#forgetOldest(session)
    const added = { file: this.#fileOf(session), prompts: [], usedAt: this.#now() }
    this.#sessions.set(session, added)
    await this.#note(added, { session })
    return added
  }

  #fileOf(session: string): string {
    // An agent's id may be no valid file name.
    return join(this.#folder, `${hashContent(session).slice(0, 32)}.jsonl`)
  }

  async #note({ file }: Session, ...lines: readonly Line[]): Promise<void> {
    // The break comes first, so that a line cut off by a crash doesn't spoil the next one.
    const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('')
    try {
      await mkdir(this.#folder, { recursive: true, mode: privateFolderMode })
      await appendFile(file, text, { mode: privateFileMode })
    } catch (error) {
      this.#report(error)
    }
  }

  #needed(): Set<string> {
    const all = [...this.#sessions.values()].flatMap(({ prompts }) => prompts)
    const befores = all.flatMap(({ files }) => [...files.values()])
    return new Set(befores.flatMap((before) => (before.kind === 'kept' ? [before.hash] : [])))
  }

  async #load(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.jsonl'))) {
      const file = join(this.#folder, name)
      const [head, ...lines] = linesOf(await readText(file).catch(() => ''))
      const found: Session = { file, prompts: [], usedAt: 0 }
      for (const line of lines) {
        if ('prompt' in line) {
          found.prompts.push({ id: line.prompt, files: new Map() })
          found.usedAt = line.at
        } else if ('path' in line) found.prompts.at(-1)?.files.set(line.path, line.before)
      }
      const isOld = this.#now() - found.usedAt > this.#limits.age
      if (head && 'session' in head && !isOld) this.#sessions.set(head.session, found)
      else await rm(file, { force: true })
    }
    while (this.#sessions.size > this.#limits.sessions) await this.#forgetOldest('')
    await this.#snapshots.prune()
  }
}

/** The complete lines of a record, without one cut off by a crash. */
function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => lineSchema.safeParse(parseJson(line)).data ?? [])
}
