import { LanguageDescription, type Language } from '@codemirror/language'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'

/** What tells the language of a piece of code: the word at its fence, or the name of its file. */
export type LanguageHint = { fence: string } | { file: string }

/** A stretch of code and the kind of thing that it is; `code.css` has a look for each kind. */
export interface CodeStretch {
  from: number
  to: number
  kind: CodeKind
}

/** Every kind that code is painted in. */
export const codeKinds = [
  'comment',
  'keyword',
  'string',
  'number',
  'type',
  'function',
  'property',
  'meta',
  'link',
  'added',
  'removed',
  'invalid',
] as const
export type CodeKind = (typeof codeKinds)[number]

const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.docComment, tags.docString], class: 'comment' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword], class: 'keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'number' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName, tags.heading], class: 'type' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 'function' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: 'property' },
  { tag: [tags.meta, tags.processingInstruction], class: 'meta' },
  { tag: [tags.link, tags.url], class: 'link' },
  { tag: tags.inserted, class: 'added' },
  { tag: tags.deleted, class: 'removed' },
  { tag: tags.invalid, class: 'invalid' },
])

/** Longer code is shown plain: reading it would hold the page up. In UTF-16 units. */
const longestRead = 60_000

const kinds = new Set<string>(codeKinds)

/** The kinds of things in a piece of code, in order; none in a long one. */
export function readCode(code: string, language: Language): CodeStretch[] {
  const found: CodeStretch[] = []
  if (code.length > longestRead) return found
  highlightTree(language.parser.parse(code), highlighter, (from, to, classes) => {
    const kind = classes.split(' ', 1)[0] ?? ''
    if (kinds.has(kind)) found.push({ from, to, kind: kind as CodeKind })
  })
  return found
}

/** The language of a piece of code, fetched when it is needed; null where none is known or it does not load. */
export async function findLanguage(hint: LanguageHint): Promise<Language | null> {
  try {
    const { languages } = await import('@codemirror/language-data')
    const found =
      'fence' in hint
        ? LanguageDescription.matchLanguageName(languages, nameOf(hint.fence), false)
        : LanguageDescription.matchFilename(languages, lastOf(hint.file))
    return found ? (await found.load()).language : null
  } catch {
    // Without colours it is as good to read; the next piece tries again.
    return null
  }
}

const short: Record<string, string> = {
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  console: 'shell',
  py: 'python',
  rs: 'rust',
  yml: 'yaml',
  jsonc: 'json',
  json5: 'json',
  golang: 'go',
  'c#': 'csharp',
  patch: 'diff',
}

function nameOf(fence: string): string {
  const word = /^[^\s{,:]*/.exec(fence.trim())?.[0].toLowerCase() ?? ''
  return short[word] ?? word
}

function lastOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
