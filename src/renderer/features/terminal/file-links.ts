import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { type FileWord, fileWordsOf } from './file-words'
import { logicalLineAt } from './text-cells'

/** A file chosen in the terminal. `at` counts from 0 and is null where the output names no line. */
export interface ChosenFile {
  path: string
  at: { line: number; character: number } | null
}

/** Links to the files that output names. `resolve` gives the path of each name that is a file. */
export function fileLinks(
  terminal: Terminal,
  resolve: (names: string[]) => Promise<(string | null)[]>,
  open: (file: ChosenFile) => void,
): ILinkProvider {
  return {
    provideLinks(row, give) {
      const { text, cells } = logicalLineAt(terminal, row)
      const words = fileWordsOf(text)
      if (words.length === 0) return give(undefined)
      const linkTo = (word: FileWord, path: string | null | undefined): ILink[] => {
        const start = cells[word.from]
        const end = cells[word.to - 1]
        if (!path || !start || !end) return []
        const activate = () => open({ path, at: placeOf(word) })
        return [{ text: text.slice(word.from, word.to), range: { start, end }, activate }]
      }
      resolve(words.map((word) => word.name)).then(
        (paths) => give(words.flatMap((word, index) => linkTo(word, paths[index]))),
        () => give(undefined),
      )
    },
  }
}

function placeOf(word: FileWord): ChosenFile['at'] {
  if (word.line === null) return null
  return { line: Math.max(0, word.line - 1), character: Math.max(0, (word.column ?? 1) - 1) }
}
