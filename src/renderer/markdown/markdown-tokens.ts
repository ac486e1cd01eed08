import { Lexer, type Links, type Token, Tokenizer, type Tokens } from 'marked'

/** Longer texts are shown unformatted: parsing them on every keystroke would block the page. UTF-16 units. */
const longestText = 500_000
/** Longer paragraphs, and those with more characters that could be markup, are shown unformatted. */
const longestParagraph = 20_000
const mostSigns = 400
/** The most work for all paragraphs, in squared markup characters: well under a second. */
const mostWork = 4_000_000
/** No person nests quotes and lists this deeply, or indents an item this far. */
const isTooDeep =
  /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){50}|^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m

/** A text falls into this many parts at most: each is an element of its own. */
const mostParts = 500

/** How many blocks at the end of a text may still change when more text follows. */
const open = 3
/** How many settled blocks make a group. */
const groupSize = 24

/** A text's blocks: groups that stay the same objects while it grows, and the blocks after them. */
export interface GrowingMarkdown {
  groups: readonly (readonly Token[])[]
  rest: readonly Token[]
}

/**
 * Reads Markdown with bounded work, since the text is a file's or an agent's: the parser takes minutes for some texts of
 * a few kilobytes, and overflows its stack on others. When a text grows at its end, only its last blocks are read
 * again, however long it is; what precedes an empty line and some more blocks is settled. Any other text is read from
 * the start, and so is one that defines link targets or has another system's line endings.
 */
export class GrowingReader {
  #settled = ''
  #groups: readonly (readonly Token[])[] = []
  #work = 0

  /**
   * Null where the text can't be rendered and should be shown as it is. `links`: what it refers to without defining it.
   */
  read(text: string, links?: Links): GrowingMarkdown | null {
    if (text.length > longestText) return null
    if (!text.startsWith(this.#settled)) this.#begin()
    let read = lex(text.slice(this.#settled.length), this.#work, links)
    if (read?.hasDefinitions === true && this.#settled !== '') {
      this.#begin()
      read = lex(text, 0, links)
    }
    if (!read) return null
    const { tokens } = read
    const at = settledUntil(tokens)
    // A definition at the end may apply anywhere before it.
    if (at < groupSize || read.hasDefinitions || text.includes('\r'))
      return { groups: this.#groups, rest: tokens }
    const group = tokens.slice(0, at)
    const from = this.#settled.length
    this.#settled = text.slice(
      0,
      group.reduce((end, { raw }) => end + raw.length, from),
    )
    // Read again for its own share of the work.
    this.#work = lex(this.#settled.slice(from), this.#work)?.work ?? mostWork
    this.#groups = [...this.#groups, group]
    return { groups: this.#groups, rest: tokens.slice(at) }
  }

  #begin(): void {
    this.#settled = ''
    this.#groups = []
    this.#work = 0
  }
}

/** How many tokens at the beginning are settled: they end with empty lines, and enough blocks follow. */
function settledUntil(tokens: readonly Token[]): number {
  let blocks = 0
  for (let at = tokens.length; at > 0; at--) {
    if (tokens[at - 1]?.type !== 'space') blocks++
    else if (blocks >= open) return at
  }
  return 0
}

/** Names each further definition of the same label, which the parser would leave out, so that it refers to nothing. */
class DefinitionTokenizer extends Tokenizer {
  #further: number

  /** `known`: how many definitions there are already. */
  constructor(known: number) {
    super()
    this.#further = known
  }

  override def(src: string): Tokens.Def | undefined {
    const found = super.def(src)
    // No label has a newline.
    if (found && this.lexer.tokens.links[found.tag]) found.tag += `\n${this.#further++}`
    return found
  }
}

function lex(text: string, workBefore: number, links: Links = {}) {
  if (text.length > longestText || isTooDeep.test(text)) return null
  const lexer = new Lexer({ gfm: true, tokenizer: new DefinitionTokenizer(Object.keys(links).length) })
  Object.assign(lexer.tokens.links, links)
  try {
    lexer.blockTokens(text.replaceAll(/\r\n?/g, '\n'), lexer.tokens)
    let work = workBefore
    for (const { src, tokens } of lexer.inlineQueue) {
      const signs = src.match(/[*_~`[\]<!\\]/g)?.length ?? 0
      work += signs * signs
      if (src.length > longestParagraph || signs > mostSigns || work > mostWork) {
        tokens.push({ type: 'text', raw: src, text: src, escaped: false })
      } else lexer.inlineTokens(src, tokens)
    }
    const found = lexer.tokens.links
    const hasDefinitions = Object.keys(found).length > 0
    return { tokens: lexer.tokens as readonly Token[], links: found, hasDefinitions, work }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A part of a text that stands for itself: a block, or an item of a list. Lines count from 1 and include the last. */
export interface MarkdownPart {
  /** As it is written. */
  text: string
  from: number
  to: number
}

/** The parts of a text, in order, and what it defines for all of them. */
export interface MarkdownParts {
  parts: readonly MarkdownPart[]
  links: Links
}

/** One part where they can't be told apart, so that nothing of the text is ever missing. */
export function partsOf(text: string): MarkdownParts {
  const whole = text.replaceAll(/\r\n?/g, '\n')
  const read = lex(whole, 0)
  const links = read?.links ?? {}
  const parts: MarkdownPart[] = []
  let at = 0
  let line = 1
  for (const raw of (read?.tokens ?? []).flatMap(rawsOf)) {
    const piece = raw.trim()
    if (piece === '') continue
    const start = whole.indexOf(piece, at)
    const lineStart = whole.lastIndexOf('\n', start) + 1
    // Some HTML ends within a line, which would then be a part of two.
    const isApart = start >= 0 && whole.slice(Math.min(at, lineStart), start).trim() === ''
    if (!isApart) return { parts: [wholeOf(whole)], links }
    line += newlinesIn(whole.slice(at, start))
    at = start + piece.length
    const from = line
    line += newlinesIn(piece)
    // The indentation of its first line is a part of it.
    parts.push({ text: whole.slice(lineStart, at), from, to: line })
  }
  return { parts: whole.slice(at).trim() === '' ? joined(whole, parts) : [wholeOf(whole)], links }
}

/** At most so many parts: those that follow one another make one. */
function joined(text: string, parts: readonly MarkdownPart[]): readonly MarkdownPart[] {
  if (parts.length <= mostParts) return parts
  const lines = text.split('\n')
  const size = Math.ceil(parts.length / mostParts)
  return Array.from({ length: Math.ceil(parts.length / size) }, (_, index) => {
    const group = parts.slice(index * size, (index + 1) * size)
    const from = group[0]?.from ?? 1
    const to = group.at(-1)?.to ?? from
    return { text: lines.slice(from - 1, to).join('\n'), from, to }
  })
}

function rawsOf(token: Token): readonly string[] {
  return token.type === 'list' ? (token as Tokens.List).items.map(({ raw }) => raw) : [token.raw]
}

function wholeOf(text: string): MarkdownPart {
  const start = text.lastIndexOf('\n', text.length - text.trimStart().length) + 1
  return {
    text: text.slice(start),
    from: newlinesIn(text.slice(0, start)) + 1,
    to: newlinesIn(text.trimEnd()) + 1,
  }
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1
}
