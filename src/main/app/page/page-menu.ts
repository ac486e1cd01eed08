import type { Menu } from '../../../shared/contract/menu'
import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'
import type { PageHandlers } from './page-handlers'

/** Between a page's commands and the native menu of its frame, if it has one. */
export class PageMenu implements Disposable {
  readonly #shown = new Emitter<void>()
  readonly #chosen = new Emitter<string>()
  #menus: readonly Menu[] = []
  /** The page's commands or their keys have changed. */
  readonly onMenus: Listen<void> = this.#shown.on
  /** Hears the commands that were chosen in the native menu. */
  readonly onChosen: Listen<string> = this.#chosen.on

  /** The page's commands, as the native menu shows them. */
  get menus(): readonly Menu[] {
    return this.#menus
  }

  show(menus: readonly Menu[]): void {
    if (JSON.stringify(menus) === JSON.stringify(this.#menus)) return
    this.#menus = menus
    this.#shown.emit()
  }

  /** Has the page run a command that was chosen in the native menu. */
  run(command: string): void {
    this.#chosen.emit(command)
  }

  dispose(): void {
    this.#shown.dispose()
    this.#chosen.dispose()
  }
}

/** The page sends its menus and hears what was chosen in them. */
export function menuHandlers(menu: PageMenu): PageHandlers<'menu', 'menu'> {
  return {
    calls: {
      'menu.set': ({ menus }) => menu.show(menus),
    },
    topics: {
      menu: (_params, sink) => {
        sink.snapshot({})
        return menu.onChosen((command) => sink.delta({ command }))
      },
    },
  }
}
