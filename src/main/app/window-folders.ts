import type { WorkspaceFolder } from '../../shared/contract/window'
import { type Disposable, type Listen, Emitter } from '../../shared/lifetime'
import { isWithin } from '../../shared/text/path-name'
import { nameFolders } from './folder-names'

/** The folders of one window, by their real paths; the first is the one that settings and git's branch are for. */
export class WindowFolders implements Disposable {
  readonly #changed = new Emitter<void>()
  #paths: readonly string[]
  /** The window has other folders. */
  readonly onChange: Listen<void> = this.#changed.on

  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  /** The same with names that tell them apart. */
  get named(): WorkspaceFolder[] {
    return nameFolders(this.#paths)
  }

  /** Whether a path is one of them or lies in one. */
  hold(path: string): boolean {
    return this.#paths.some((folder) => isWithin(folder, path))
  }

  /** Gives the window other folders. `tell` then tells the listeners, once everything else has followed. */
  set(paths: readonly string[]): void {
    this.#paths = paths
  }

  tell(): void {
    this.#changed.emit()
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

/** Of several windows the one whose folder is the innermost that holds a path; undefined if none does. */
export function windowHolding<W extends { folders: Pick<WindowFolders, 'paths'> }>(
  windows: readonly W[],
  path: string,
): W | undefined {
  const depth = ({ folders }: W) =>
    Math.max(0, ...folders.paths.map((folder) => (isWithin(folder, path) ? folder.length : 0)))
  const [innermost] = windows.toSorted((one, other) => depth(other) - depth(one))
  return innermost && depth(innermost) > 0 ? innermost : undefined
}
