import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import type { Documents } from '../../core/editing/documents'
import type { Tabs } from '../../core/editing/tabs'
import type { Environment } from '../../core/platform/environment'
import { findRipgrep, noRipgrep } from '../../core/platform/ripgrep'
import { FolderSearch } from '../../core/search/folder-search'
import { PathLists } from '../../core/search/path-lists'
import { Replacer } from '../../core/search/replacer'
import { searchFolders } from '../../core/search/ripgrep-search'
import type { UnsavedText } from '../../core/search/search-job'
import type { FolderStates } from '../../core/settings/folder-state'
import type { WindowSettings } from '../../core/settings/window-settings'
import { describePlace } from '../folder-names'
import type { WindowFolders } from '../window-folders'

/** How many recently opened files are remembered. */
const mostRecent = 100

interface SearchSources {
  folders: WindowFolders
  tabs: Tabs
  documents: Documents
  settings: WindowSettings
  folderStates: FolderStates
  home: string
  environment(): Promise<Environment>
}

/** What a window searches with. */
export class WindowSearch implements Disposable {
  readonly search: FolderSearch
  readonly files: PathLists
  readonly replacer: Replacer
  readonly #sources: SearchSources
  readonly #owned = new DisposableStack()
  #recent: { folders: readonly string[]; paths: readonly string[] } | null = null

  constructor(sources: SearchSources) {
    this.#sources = sources
    const { folders, tabs, settings, home } = sources
    // Looked for each time, so that it is found as soon as it is installed.
    const ripgrep = () => sources.environment().then(findRipgrep)
    const leftOut = () => settings.get().filesExclude
    this.search = this.#owned.add(
      new FolderSearch({
        folders: () => folders.paths,
        unsaved: () => unsavedTexts(sources),
        leftOut,
        describeFolder: (path) => describePlace(folders.named, path, home).folder,
        async search(job, events, signal) {
          const program = await ripgrep()
          return program === null ? noRipgrep : searchFolders(program, job, events, signal)
        },
      }),
    )
    this.files = this.#owned.add(new PathLists({ folders: () => folders.named, ripgrep, leftOut }))
    this.replacer = this.#owned.add(new Replacer())
    this.#owned.add(tabs.on(({ kind }) => kind === 'changed' && this.#remember()))
  }

  /** Recently opened files, the latest first; the one shown now comes last, since nobody goes there. */
  recentFiles(): string[] {
    const shown = this.#sources.tabs.active
    const paths = this.#readRecent()
    if (shown?.kind !== 'file') return [...paths]
    return [...paths.filter((path) => path !== shown.path), shown.path]
  }

  dispose(): void {
    this.#owned.dispose()
  }

  #remember(): void {
    const { active } = this.#sources.tabs
    if (active?.kind !== 'file') return
    const folders = this.#sources.folders.paths
    const known = this.#readRecent()
    if (known[0] === active.path) return
    const paths = [active.path, ...known.filter((path) => path !== active.path)].slice(0, mostRecent)
    this.#recent = { folders, paths }
    this.#sources.folderStates.update(folders, { recentFiles: paths })
  }

  #readRecent(): readonly string[] {
    const folders = this.#sources.folders.paths
    if (this.#recent?.folders !== folders) {
      this.#recent = { folders, paths: this.#sources.folderStates.read(folders).recentFiles }
    }
    return this.#recent.paths
  }
}

/** The unsaved texts of open files in the window's folders, with what was typed last. */
async function unsavedTexts({ documents, folders }: SearchSources): Promise<UnsavedText[]> {
  const inside = documents.paths.filter((path) => folders.hold(path))
  await Promise.all(inside.map((path) => documents.settle(path)))
  return inside.flatMap((path): UnsavedText[] => {
    const state = documents.get(path)
    return state?.kind === 'text' && state.meta.dirty ? [{ path, text: state.text.toString() }] : []
  })
}
