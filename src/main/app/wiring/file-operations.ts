import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import { isWithin } from '../../../shared/text/path-name'
import type { Connections } from '../../core/connections/connections'
import type { Backups } from '../../core/editing/backups'
import { type Documents, movedPath } from '../../core/editing/documents'
import type { FileWaits } from '../../core/editing/file-waits'
import type { Tabs } from '../../core/editing/tabs'
import { checkName } from '../../core/files/entry-name'
import type { FileFailure } from '../../core/files/file-failure'
import type { Ledger } from '../../core/files/ledger'
import { copyInto, createEntry, moveEntry, removeEntry } from '../../core/files/move-entry'
import { hashFile } from '../../core/files/read-file'
import { resolveRealPath } from '../../core/files/real-path'
import type { ReviewDesk } from '../../core/review/desk'
import type { Terminals } from '../../core/terminal/terminals'
import type { HostAbilities } from '../host-abilities'
import type { DocumentHolds } from '../document-holds'
import type { WindowFolders } from '../window-folders'

/** A window that may show a file that is moved or removed. */
export interface FileWindow {
  readonly folders: WindowFolders
  readonly tabs: Tabs
  readonly holds: DocumentHolds
  readonly waits: FileWaits
  readonly terminals: Terminals
  readonly connections: Connections
}

interface FileParts {
  folders: WindowFolders
  documents: Documents
  backups: Backups
  ledger: Ledger
  desk: ReviewDesk
  abilities: HostAbilities
  /** All windows there are now. */
  windows(): readonly FileWindow[]
}

/** What became of several files, as the contract has it. */
interface Outcome {
  done: string[]
  problems: string[]
}

/** So many files of a folder are announced as the person's own; reading more would take too long. */
const mostAnnounced = 2000
/** And so many bytes of them: they are read before anything happens. */
const mostBytesAnnounced = 128 * 1024 * 1024

/**
 * What a person does with the files of a window. Nothing is written over, and nothing is removed but to the trash,
 * unless `remove` is asked for. Open documents follow with their unsaved text; a file whose review is open stays where
 * the review knows it.
 */
export class FileOperations implements Disposable {
  readonly #parts: FileParts
  readonly #moved = new Emitter<void>()
  /** The person has made, moved or removed files here. */
  readonly onMoved: Listen<void> = this.#moved.on

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  dispose(): void {
    this.#moved.dispose()
  }

  async create(folder: string, name: string, kind: 'file' | 'folder'): Promise<Result<{ path: string }>> {
    const parts = name.split(process.platform === 'win32' ? /[/\\]/ : '/')
    for (const part of parts) {
      const checked = checkName(part)
      if (!checked.ok) return checked
    }
    const place = await this.#placeOf(join(folder, ...parts))
    if (!place.ok) return place
    const created = await createEntry(place.value, kind, { parents: parts.length > 1 })
    if (!created.ok) return created
    if (kind === 'file') await this.#announce(created.value)
    this.#moved.emit()
    return succeed({ path: join(folder, ...parts) })
  }

  async rename(path: string, name: string): Promise<Result<{ path: string }>> {
    const checked = checkName(name)
    if (!checked.ok) return checked
    const moved = await this.#moveTo(path, join(dirname(path), name))
    return moved.ok ? succeed({ path: moved.value }) : moved
  }

  move(paths: readonly string[], folder: string): Promise<Outcome> {
    return this.#forEach(paths, (path) => this.#moveTo(path, join(folder, basename(path))))
  }

  copy(paths: readonly string[], folder: string): Promise<Outcome> {
    return this.#forEach(paths, async (path) => {
      const from = await this.#placeOf(path)
      if (!from.ok) return from
      const within = await this.#placeOf(join(folder, 'x'))
      if (!within.ok) return within
      const copied = await copyInto(from.value, dirname(within.value))
      if (!copied.ok) return copied
      await this.#announce(copied.value)
      return succeed(join(folder, basename(copied.value)))
    })
  }

  async trash(paths: readonly string[]): Promise<Outcome & { refused: { path: string; why: string }[] }> {
    const refused: { path: string; why: string }[] = []
    const outcome = await this.#forEach(paths, async (path) => {
      const place = await this.#placeToLeave(path)
      if (!place.ok) return place
      const why = await this.#withoutIt(place.value, () => this.#parts.abilities.trash(place.value))
      if (why === null) return succeed(path)
      refused.push({ path, why })
      return null
    })
    return { ...outcome, refused }
  }

  /** Deletes for good. */
  remove(paths: readonly string[]): Promise<Outcome> {
    return this.#forEach(paths, async (path) => {
      const place = await this.#placeToLeave(path)
      if (!place.ok) return place
      let removed: Result<string, FileFailure> | undefined
      await this.#withoutIt(place.value, async () => {
        removed = await removeEntry(place.value)
        return removed.ok ? null : removed.failure.message
      })
      return removed ?? null
    })
  }

  async reveal(path: string): Promise<Done> {
    const place = await this.#placeOf(path)
    if (!place.ok) return place
    const isThere = await lstat(place.value).catch(() => null)
    if (!isThere) return fail('absent', `${path} is gone. Check the folder above it.`)
    const shown = await this.#parts.abilities.showInFileManager(place.value)
    return shown ? succeed({}) : fail('failed', 'Couldn’t start a file manager. Copy the path instead.')
  }

  /** Runs a step for each path in turn; null: the step has noted the outcome itself. */
  async #forEach(
    paths: readonly string[],
    step: (path: string) => Promise<Result<string> | null>,
  ): Promise<Outcome> {
    const outcome: Outcome = { done: [], problems: [] }
    const all = new Set(paths)
    for (const path of all) {
      // What lies in another of them goes with it.
      if (isBelowAny(path, all)) continue
      const result = await step(path)
      if (result?.ok) outcome.done.push(result.value)
      else if (result) outcome.problems.push(result.failure.message)
    }
    this.#moved.emit()
    return outcome
  }

  async #moveTo(path: string, target: string): Promise<Result<string>> {
    const place = await this.#placeToLeave(path)
    if (!place.ok) return place
    const to = await this.#placeOf(target)
    if (!to.ok) return to
    const from = place.value
    const { documents, ledger } = this.#parts
    // A file that is gone from disk, and whose unsaved text is still here under the very name.
    const stillOpen = [...documents.paths, ...this.#parts.backups.paths].find((open) =>
      isWithin(to.value, open),
    )
    const there = await lstat(to.value).catch(() => null)
    if (stillOpen !== undefined && !isWithin(from, stillOpen) && there === null) {
      return fail('taken', `${basename(stillOpen)} is deleted but still open. Close its tab first.`)
    }
    const unsaved = await documents.beforeMove(from)
    const announced = await this.#filesToAnnounce(from)
    const writes = announced.flatMap(({ path: file, hash }) => [
      { path: file, hash: null },
      { path: movedPath(file, from, to.value) ?? file, hash },
    ])
    for (const write of writes) ledger.expect(write)
    const moved = await moveEntry(from, to.value)
    if (!moved.ok) {
      for (const write of writes) ledger.cancel(write)
      return moved
    }
    const holds = await documents.afterMove(from, to.value, unsaved)
    for (const window of this.#parts.windows()) {
      await window.holds.followMove(
        (open) => movedPath(open, from, to.value),
        (open, now) => window.waits.rename(open, now),
      )
    }
    holds.dispose()
    return succeed(target)
  }

  /** Takes a file away from its place; then the tabs of what is gone close, except those with unsaved text. */
  async #withoutIt(path: string, take: () => Promise<string | null>): Promise<string | null> {
    const { documents, ledger } = this.#parts
    await documents.beforeMove(path)
    const writes = (await this.#filesToAnnounce(path)).map((file) => ({ path: file.path, hash: null }))
    for (const write of writes) ledger.expect(write)
    const why = await take()
    if (why !== null) {
      for (const write of writes) ledger.cancel(write)
      return why
    }
    // The taking may have been long: what was typed meanwhile counts.
    await Promise.all(
      documents.paths.filter((open) => isWithin(path, open)).map((open) => documents.settle(open)),
    )
    for (const window of this.#parts.windows()) {
      for (const tab of window.tabs.state.tabs) {
        if (!('path' in tab) || tab.kind === 'review' || !isWithin(path, tab.path)) continue
        const state = documents.get(tab.path)
        if (state?.kind !== 'text' || !state.meta.dirty) window.tabs.close(tab.id)
      }
    }
    return null
  }

  /**
   * Where a path of the tree really is: folders above it resolved, itself not, since a link is renamed and removed as a
   * link. Refused outside of the window's folders.
   */
  async #placeOf(path: string): Promise<Result<string>> {
    if (resolve(path) !== path || !this.#parts.folders.hold(path)) {
      return fail('outside', `${path} isn’t in an open folder. Open its folder first.`)
    }
    try {
      return succeed(join(await resolveRealPath(dirname(path)), basename(path)))
    } catch {
      return fail(
        'failed',
        `${dirname(path)} can’t be reached. Check the links and permissions along its path.`,
      )
    }
  }

  /** The same for what is to be moved or removed: no folder of any window, or one above it, and nothing under review. */
  async #placeToLeave(path: string): Promise<Result<string>> {
    const { desk, windows } = this.#parts
    const place = await this.#placeOf(path)
    if (!place.ok) return place
    const open = windows().flatMap(({ folders }) => folders.paths)
    if (open.some((folder) => isWithin(path, folder) || isWithin(place.value, folder))) {
      return fail('refused', `${basename(path)} is open in a window. Close that window first.`)
    }
    const reviewed = desk.pathsUnderReview().find((open) => isWithin(place.value, open))
    if (reviewed === undefined) return place
    return fail(
      'under-review',
      `${basename(reviewed)} has a pending review. Decide it first, then try again.`,
    )
  }

  /** Announces a file, or all files of a folder, as the person's own work. */
  async #announce(path: string): Promise<void> {
    for (const write of await this.#filesToAnnounce(path)) this.#parts.ledger.expect(write)
  }

  /** The files at or below a path with what they hold; none while no agent is here that could have written them. */
  async #filesToAnnounce(path: string): Promise<{ path: string; hash: string | null }[]> {
    const isAlone = this.#parts
      .windows()
      .every(({ terminals, connections }) => terminals.snapshot().length + connections.list().length === 0)
    if (isAlone) return []
    const files: string[] = []
    let room = mostBytesAnnounced
    const walk = async (at: string): Promise<void> => {
      const found = await lstat(at).catch(() => null)
      if (found?.isFile() && found.size <= room) {
        files.push(at)
        room -= found.size
      }
      if (!found?.isDirectory()) return
      for (const name of await readdir(at).catch(() => [])) {
        if (files.length >= mostAnnounced) return
        await walk(join(at, name))
      }
    }
    await walk(path)
    const known: { path: string; hash: string | null }[] = []
    for (const file of files) {
      const hash = await hashFile(file)
      if (hash.ok) known.push({ path: file, hash: hash.value })
    }
    return known
  }
}

/** By the folders above it, since there may be thousands of others. */
function isBelowAny(path: string, others: ReadonlySet<string>): boolean {
  for (let at = path, above = dirname(at); above !== at; at = above, above = dirname(at)) {
    if (others.has(above)) return true
  }
  return false
}
