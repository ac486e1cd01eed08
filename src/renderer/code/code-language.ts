import { type Language, LanguageDescription, type LanguageSupport } from '@codemirror/language'
import { type Tree, TreeFragment } from '@lezer/common'
import { highlightTree } from '@lezer/highlight'
import { nameOfPath } from '../../shared/text/path-name'
import { type CodeKind, codeHighlighter } from './code-colors'

/** What identifies the language of a piece of code: the word after its fence, or the name of its file. */
export type LanguageHint = { fence: string } | { file: string }

/** A stretch of code and the kind of thing that it is; `code-colors.ts` has a look for each kind. */
export interface CodeStretch {
  from: number
  to: number
  kind: CodeKind
}

/** Editors show longer texts without colours, which would cost more than they help. UTF-16 units. */
export const longestParsed = 2_000_000

/** Longer code blocks are shown without colours: parsing them would block the page. UTF-16 units. */
const longestRead = 60_000

/** Reads code that grows at its end: what was read before is read on. Any other code is read from its start. */
export class CodeReader {
  #read: { code: string; language: Language; tree: Tree } | null = null

  /** The kinds of things from a place on, in order; none in a long code. */
  read(code: string, language: Language, start = 0): CodeStretch[] {
    const found: CodeStretch[] = []
    if (code.length > longestRead) return found
    const before = this.#read
    const tree =
      before?.language === language && code.startsWith(before.code)
        ? language.parser.parse(code, grown(before.tree, code.length))
        : language.parser.parse(code)
    this.#read = { code, language, tree }
    const take = (from: number, to: number, classes: string) =>
      found.push({ from, to, kind: classes.split(' ', 1)[0] as CodeKind })
    highlightTree(tree, codeHighlighter, take, start)
    return found
  }
}

function grown(tree: Tree, length: number): readonly TreeFragment[] {
  const at = tree.length
  return TreeFragment.applyChanges(TreeFragment.addTree(tree), [
    { fromA: at, toA: at, fromB: at, toB: length },
  ])
}

/** The language of a piece of code with its display name, loaded on demand; null if it is unknown or doesn't load. */
export async function findLanguage(
  hint: LanguageHint,
): Promise<{ name: string; support: LanguageSupport } | null> {
  try {
    const { languages } = await import('@codemirror/language-data')
    const found =
      'fence' in hint
        ? LanguageDescription.matchLanguageName(languages, nameOf(hint.fence), false)
        : LanguageDescription.matchFilename(languages, nameOfPath(hint.file))
    return found && { name: found.name, support: await found.load() }
  } catch (error) {
    // The code stays readable without colours, and the next piece tries again.
    console.error(error)
    return null
  }
}

/** Words that the language data doesn't have. */
const short: Record<string, string> = {
  console: 'shell',
  py: 'python',
  rs: 'rust',
  jsonc: 'json',
  golang: 'go',
  patch: 'diff',
}

function nameOf(fence: string): string {
  const word = /^[^\s{,:]*/.exec(fence.trim())?.[0].toLowerCase() ?? ''
  return short[word] ?? word
}
