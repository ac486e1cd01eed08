import type { Menu } from '../../../shared/contract/menu'
import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'
import type { PageHandlers } from './page-handlers'

/** Between a page's commands and the native menu of its frame, if it has one. */
export class PageMenu implements Disposable {
  readonly #shown = new Emitter<void>()
  readonly #chosen = new Emitter<string>()
  #menus: readonly Menu[] = []
  /** The page's commands or their keys are others now. */
  readonly onMenus: Listen<void> = this.#shown.on
  /** Hears the commands that are chosen in the menu. */
  readonly onChosen: Listen<string> = this.#chosen.on

  get menus(): readonly Menu[] {
    return this.#menus
  }

  show(menus: readonly Menu[]): void {
    if (JSON.stringify(menus) === JSON.stringify(this.#menus)) return
    this.#menus = menus
    this.#shown.emit()
  }

  run(command: string): void {
    this.#chosen.emit(command)
  }

  dispose(): void {
    this.#shown.dispose()
    this.#chosen.dispose()
  }
}

/** The page tells its menus and hears what is chosen in them. */
export function menuHandlers(menu: PageMenu): PageHandlers<'menu.set', 'menu'> {
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
