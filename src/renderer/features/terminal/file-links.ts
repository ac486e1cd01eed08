import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { type FileWord, fileWordsOf } from './file-words'
import { logicalLineAt } from './text-cells'

/** A file that a person chose in the terminal; line and column counted from 0, null where the output names none. */
export interface ChosenFile {
  path: string
  at: { line: number; character: number } | null
}

/** Links to the files that output names. `resolve` tells which of the names are files. */
export class FileLinks implements ILinkProvider {
  readonly #terminal: Terminal
  readonly #resolve: (names: string[]) => Promise<(string | null)[]>
  readonly #open: (file: ChosenFile) => void

  constructor(
    terminal: Terminal,
    resolve: (names: string[]) => Promise<(string | null)[]>,
    open: (file: ChosenFile) => void,
  ) {
    this.#terminal = terminal
    this.#resolve = resolve
    this.#open = open
  }

  provideLinks(row: number, give: (links: ILink[] | undefined) => void): void {
    const { text, cells } = logicalLineAt(this.#terminal, row)
    const words = fileWordsOf(text)
    if (words.length === 0) return give(undefined)
    this.#resolve(words.map((word) => word.name)).then(
      (paths) =>
        give(
          words.flatMap((word, index) => {
            const path = paths[index]
            const start = cells[word.from]
            const end = cells[word.to - 1]
            if (!path || !start || !end) return []
            return [
              {
                text: text.slice(word.from, word.to),
                range: { start, end },
                activate: () => this.#open({ path, at: placeOf(word) }),
              },
            ]
          }),
        ),
      () => give(undefined),
    )
  }
}

function placeOf(word: FileWord): ChosenFile['at'] {
  if (word.line === null) return null
  return { line: Math.max(0, word.line - 1), character: Math.max(0, (word.column ?? 1) - 1) }
}
