import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { FolderSearch, mostHits } from '../../core/search/folder-search'
import { OwnSearch } from '../../core/search/own-search-thread'
import { PathLists } from '../../core/search/path-lists'
import { Replacer } from '../../core/search/replacer'
import { findRipgrep } from '../../core/search/ripgrep-program'
import { RipgrepSearch } from '../../core/search/ripgrep-search'
import type { UnsavedText } from '../../core/search/search-engine'
import { describePlace, isInside } from '../folders'
import type { WindowHost } from '../window-host'

/** So many files are remembered as opened lately. */
const mostRecent = 100

/** What a window searches with. */
export class WindowSearch implements Disposable {
  readonly search: FolderSearch
  readonly files: PathLists
  readonly replacer: Replacer
  readonly #window: WindowHost
  readonly #owned = new DisposableStack()
  #recent: { folders: readonly string[]; paths: readonly string[] } | null = null
  #ripgrep: Promise<string | null> | null = null

  constructor(window: WindowHost) {
    this.#window = window
    const { parts } = window
    const ripgrep = () => (this.#ripgrep ??= parts.personEnvironment().then(findRipgrep))
    const leftOut = () => window.settings.get().filesExclude
    this.search = this.#owned.add(
      new FolderSearch({
        folders: () => window.folders,
        unsaved: () => unsavedTexts(window),
        leftOut,
        describeFolder: (path) => describePlace(window.workspace, path, parts.home).folder,
        async engines() {
          const program = await ripgrep()
          return [...(program === null ? [] : [new RipgrepSearch(program)]), new OwnSearch(mostHits)]
        },
      }),
    )
    this.files = this.#owned.add(new PathLists({ folders: () => window.workspace, ripgrep, leftOut }))
    this.replacer = this.#owned.add(new Replacer())
    this.#owned.add(window.tabs.on(({ kind }) => kind === 'changed' && this.#remember()))
  }

  /** Files opened lately, the latest first; the one that is shown now last, for nobody goes there. */
  recentFiles(): string[] {
    const shown = this.#window.tabs.active
    const paths = this.#readRecent()
    if (shown?.kind !== 'file') return [...paths]
    return [...paths.filter((path) => path !== shown.path), shown.path]
  }

  dispose(): void {
    this.#owned.dispose()
  }

  #remember(): void {
    const { active } = this.#window.tabs
    if (active?.kind !== 'file') return
    const { folders } = this.#window
    const known = this.#readRecent()
    if (known[0] === active.path) return
    const paths = [active.path, ...known.filter((path) => path !== active.path)].slice(0, mostRecent)
    this.#recent = { folders, paths }
    this.#window.parts.folderStates.update(folders, { recentFiles: paths })
  }

  #readRecent(): readonly string[] {
    const { folders, parts } = this.#window
    if (this.#recent?.folders !== folders) {
      this.#recent = { folders, paths: parts.folderStates.read(folders).recentFiles }
    }
    return this.#recent.paths
  }
}

/** Texts of open files in the window's folders that are not on disk yet, with what was typed last. */
async function unsavedTexts(window: WindowHost): Promise<UnsavedText[]> {
  const { documents } = window.parts
  const inside = documents.paths.filter((path) => window.folders.some((folder) => isInside(folder, path)))
  await Promise.all(inside.map((path) => documents.settle(path)))
  return inside.flatMap((path): UnsavedText[] => {
    const state = documents.get(path)
    return state?.kind === 'text' && state.meta.dirty ? [{ path, text: state.text.toString() }] : []
  })
}
