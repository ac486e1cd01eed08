import type { SettingsTarget } from '../../../shared/contract/settings'
import { type Disposable, type Listen, DisposableStack, Emitter } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import {
  type SettingName,
  type Settings,
  folderSettingNames,
  joiningSettingNames,
} from '../../../shared/settings/all-settings'
import type { FolderSettings } from './folder-settings'
import { type SettingsStore, describeUnwritable, differing } from './settings-store'

/** The settings in force in one window: its first folder's values before the person's, or, for lists that join, both. */
export class WindowSettings implements Disposable {
  readonly #store: SettingsStore
  readonly #ofFolders: FolderSettings
  readonly #folder: () => string | undefined
  readonly #changes = new Emitter<Partial<Settings>>()
  readonly #sources = new Emitter<void>()
  readonly #owned = new DisposableStack()
  #current: Settings
  /** Tells exactly what has changed of the values in force. */
  readonly onChange: Listen<Partial<Settings>> = this.#changes.on
  /** Something was set or reset somewhere, or the file's problem has changed. */
  readonly onSources: Listen<void> = this.#sources.on

  constructor(store: SettingsStore, ofFolders: FolderSettings, folder: () => string | undefined) {
    this.#store = store
    this.#ofFolders = ofFolders
    this.#folder = folder
    this.#current = this.#merge()
    this.#owned.add(store.onChange(() => this.update()))
    this.#owned.add(store.onProblem(() => this.#sources.emit()))
    this.#owned.add(ofFolders.onChange((changed) => changed === folder() && this.update()))
    this.#owned.add(this.#changes)
    this.#owned.add(this.#sources)
  }

  get(): Settings {
    return this.#current
  }

  /** What is set for the person and in the folder. */
  stored(): { person: Partial<Settings>; inFolder: Partial<Settings> } {
    const folder = this.#folder()
    return {
      person: this.#store.stored(),
      inFolder: folder === undefined ? {} : this.#ofFolders.of(folder),
    }
  }

  /** Changes settings where they are in force: in the folder if it has its own value. */
  set(values: Partial<Settings>): Done {
    const { inFolder } = this.stored()
    const names = Object.keys(values) as SettingName[]
    const part = (own: boolean) =>
      Object.fromEntries(
        names.filter((name) => name in inFolder === own).map((name) => [name, values[name]]),
      ) as Partial<Settings>
    const folders = this.change('folder', part(true), [])
    return folders.ok ? this.change('person', part(false), []) : folders
  }

  /** Changes and resets settings in one place. Fails if the file, the folder or the setting doesn't allow it. */
  change(target: SettingsTarget, values: Partial<Settings>, reset: readonly string[]): Done {
    const names = [...Object.keys(values), ...reset]
    if (names.length === 0) return succeed({})
    if (target === 'person') {
      const done = this.#store.set(values, reset as SettingName[])
      if (done.ok) this.#sources.emit()
      return done
    }
    const folder = this.#folder()
    if (folder === undefined) return fail('no-folder', 'Open a folder first: this window has none.')
    if (names.some((name) => !folderSettingNames.some((known) => known === name))) {
      return fail('not-for-folders', 'This setting has one value for all folders. Change it there.')
    }
    try {
      this.#ofFolders.change(folder, values, reset)
    } catch (error) {
      return fail('unwritable', describeUnwritable('folder-settings.json', error))
    }
    this.#sources.emit()
    return succeed({})
  }

  /** The folder, or something that is set, has changed. */
  update(): void {
    const next = this.#merge()
    const change = differing(this.#current, next)
    this.#current = next
    if (Object.keys(change).length > 0) this.#changes.emit(change)
    this.#sources.emit()
  }

  dispose(): void {
    this.#owned.dispose()
  }

  #merge(): Settings {
    const { inFolder } = this.stored()
    const person = this.#store.get()
    const joined = joiningSettingNames
      .filter((name) => name in inFolder)
      .map((name) => [name, [person[name], inFolder[name]].flat()])
    return { ...person, ...inFolder, ...(Object.fromEntries(joined) as Partial<Settings>) }
  }
}
