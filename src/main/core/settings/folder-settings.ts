import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Listen, Emitter } from '../../../shared/lifetime'
import { settingSchemas } from '../../../shared/contract/settings'
import { type SettingName, type Settings, folderSettingNames } from '../../../shared/settings/all-settings'
import { privateFolderMode } from '../platform/file-modes'
import { replaceFileAtOnce } from '../platform/atomic-replace'
import { setAsideWhenBroken } from './broken-file'
import { parseSettings } from './settings-text'

/**
 * Values that apply in one folder only, kept with the person's settings and never in the project:
 * DATA/folder-settings.json, an object with the folders' real paths as keys. Only settings of the scope `folder` may be
 * in it; an invalid value counts as not set.
 */
export class FolderSettings {
  readonly #path: string
  readonly #changes = new Emitter<string>()
  #folders: ReadonlyMap<string, Partial<Settings>>
  /** What was wrong with the file at the start; null if nothing. */
  readonly problem: string | null
  /** Tells the folder whose values have changed. */
  readonly onChange: Listen<string> = this.#changes.on

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'folder-settings.json')
    this.problem = setAsideWhenBroken(this.#path)
    this.#folders = load(this.#path)
  }

  /** The folder's own values; the same object until something changes. */
  of(folder: string): Partial<Settings> {
    return this.#folders.get(folder) ?? none
  }

  /** Changes and resets values for a folder. Throws if the disk refuses; then nothing has changed. */
  change(folder: string, values: Partial<Settings>, reset: readonly string[] = []): void {
    const next = { ...this.of(folder), ...onlyOfFolders(values) }
    for (const name of reset) delete next[name as SettingName]
    if (JSON.stringify(next) === JSON.stringify(this.of(folder))) return
    const folders = new Map(this.#folders)
    if (Object.keys(next).length === 0) folders.delete(folder)
    else folders.set(folder, next)
    this.#write(folders)
    this.#folders = folders
    this.#changes.emit(folder)
  }

  #write(folders: ReadonlyMap<string, Partial<Settings>>): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: privateFolderMode })
    replaceFileAtOnce(this.#path, `${JSON.stringify(Object.fromEntries(folders), null, 2)}\n`)
  }
}

const none: Partial<Settings> = {}

function load(path: string): Map<string, Partial<Settings>> {
  try {
    // Parsed as in `setAsideWhenBroken`: what that leaves in place must not count as empty.
    return new Map(
      Object.entries(parseSettings(readFileSync(path, 'utf8')) ?? {}).flatMap(([folder, values]) =>
        typeof values === 'object' && values !== null ? [[folder, onlyOfFolders(values)] as const] : [],
      ),
    )
  } catch {
    return new Map()
  }
}

function onlyOfFolders(values: Partial<Settings>): Partial<Settings> {
  const valid: Record<string, unknown> = {}
  for (const name of folderSettingNames) {
    if (!Object.hasOwn(values, name)) continue
    const parsed = settingSchemas[name].safeParse(values[name])
    if (parsed.success) valid[name] = parsed.data
  }
  return valid
}
