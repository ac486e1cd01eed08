import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fieldValues } from '../../../shared/approval/approval-schemas'
import { type Listen, Emitter } from '../../../shared/lifetime'
import { failureOf } from '../files/file-failure'
import { replaceFileAtOnce } from '../platform/atomic-replace'
import { storedTabs } from './stored-tabs'

const port = z.number().int().min(1).max(65_535)

/** What is kept for one window's folders, apart from the person's settings. */
const folderState = z.object({
  folders: z.array(z.string()),
  /** When these folders were last open, in milliseconds since the epoch. */
  usedAt: z.number().default(0),
  /** The server of each dialect: on or off, and the port and token that agents know it by. */
  servers: z
    .record(
      z.string(),
      z.object({
        on: z.boolean().default(true),
        port: port.nullable().default(null),
        token: z.string().nullable().default(null),
      }),
    )
    .default({}),
  /** What agents may see of the editor, and the symbolic links that its rules also cover. */
  context: z
    .object({
      sharing: z.object({ all: z.boolean(), selection: z.boolean(), files: z.boolean() }),
      names: z.array(z.object({ name: z.string(), path: z.string() })).max(1000),
    })
    .nullable()
    .default(null),
  /** What was last filled in to begin a conversation, by agent. */
  beginnings: z.record(z.string(), fieldValues).default({}),
  /** The page's own layout as it last stored it. */
  layout: z.record(z.string(), z.unknown()).nullable().default(null),
  /** What was open, to be opened again. */
  tabs: storedTabs.nullable().default(null),
  /** Whether a window has these folders now, or had them when the app ended. */
  open: z.boolean().default(false),
  /** Recently opened files, the latest first. */
  recentFiles: z.array(z.string()).max(1000).default([]),
  /** Where the shell's window was, in screen coordinates. */
  bounds: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .nullable()
    .default(null),
})
export type FolderState = z.infer<typeof folderState>
export type ServerMemory = FolderState['servers'][string]

const mostKept = 200

/**
 * One small file per set of folders in DATA/folders, readable by its owner only, because it holds tokens. An unreadable
 * file counts as missing: everything in it can be recreated. What can't be written holds until the app ends, and is
 * written with the next change that can be.
 */
export class FolderStates {
  readonly #directory: string
  readonly #now: () => number
  readonly #unwritten = new Map<string, FolderState>()
  readonly #problems = new Emitter<string>()
  /** Tells once why nothing can be kept for the next start, as a sentence; again if it has worked in between. */
  readonly onProblem: Listen<string> = this.#problems.on

  constructor(dataDirectory: string, now: () => number = Date.now) {
    this.#directory = join(dataDirectory, 'folders')
    this.#now = now
  }

  /** What is kept for these folders, in any order; defaults if nothing is. */
  read(folders: readonly string[]): FolderState {
    return this.#load(this.#pathOf(folders)) ?? folderState.parse({ folders: [...folders] })
  }

  /** Changes part of what is kept and marks the folders as in use now. */
  update(folders: readonly string[], change: Partial<Omit<FolderState, 'folders' | 'usedAt'>>): void {
    this.#write({ ...this.read(folders), ...change, folders: [...folders], usedAt: this.#now() })
  }

  updateServer(folders: readonly string[], dialect: string, change: Partial<ServerMemory>): void {
    const { servers } = this.read(folders)
    const memory: ServerMemory = { on: true, port: null, token: null, ...servers[dialect], ...change }
    this.update(folders, { servers: { ...servers, [dialect]: memory } })
  }

  /** What is kept of a dialect's servers, for all sets of folders. */
  servers(dialect: string): ServerMemory[] {
    return this.#states().flatMap(({ state }) => state?.servers[dialect] ?? [])
  }

  /** The folders of each window that is open, or was when the app ended, the latest first. */
  openFolders(): string[][] {
    return this.#states().flatMap(({ state }) => (state?.open ? [state.folders] : []))
  }

  /** Marks a window from an earlier start as no longer open; its last use stays. */
  forgetOpen(folders: readonly string[]): void {
    this.#write({ ...this.read(folders), open: false })
  }

  /** Recently used folders, the latest first, without repeats. The oldest files beyond a limit are removed. */
  recentFolders(limit: number): string[] {
    const states = this.#states()
    for (const { path } of states.slice(mostKept)) rmSync(path, { force: true })
    return [...new Set(states.flatMap(({ state }) => state?.folders ?? []))].slice(0, limit)
  }

  #write(state: FolderState): void {
    const isNews = this.#unwritten.size === 0
    this.#unwritten.set(this.#pathOf(state.folders), state)
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      for (const [path, unwritten] of this.#unwritten) {
        replaceFileAtOnce(path, JSON.stringify(unwritten))
        this.#unwritten.delete(path)
      }
    } catch (error) {
      const { message } = failureOf(error, 'write', this.#directory).failure
      if (isNews)
        this.#problems.emit(`Open tabs and the layout won’t be restored on the next start. ${message}`)
    }
  }

  /** What is kept, the latest first; null for a file that can't be read. */
  #states(): { path: string; state: FolderState | null }[] {
    return this.#names()
      .map((name) => ({ path: join(this.#directory, name), state: this.#load(join(this.#directory, name)) }))
      .sort((a, b) => (b.state?.usedAt ?? 0) - (a.state?.usedAt ?? 0))
  }

  #names(): string[] {
    try {
      return readdirSync(this.#directory).filter((name) => name.endsWith('.json'))
    } catch {
      return []
    }
  }

  #pathOf(folders: readonly string[]): string {
    const key = createHash('sha256')
      .update([...folders].sort().join('\0'))
      .digest('hex')
      .slice(0, 32)
    return join(this.#directory, `${key}.json`)
  }

  #load(path: string): FolderState | null {
    const unwritten = this.#unwritten.get(path)
    if (unwritten) return unwritten
    try {
      return folderState.parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch {
      return null
    }
  }
}
