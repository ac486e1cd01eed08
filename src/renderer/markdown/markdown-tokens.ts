import { Lexer, type Token } from 'marked'

/** A longer text is shown as it stands, in UTF-16 units: reading it anew at each key would hold the page up. */
const longestText = 500_000
/** A longer paragraph is shown without its marks, and so is one with more signs that could be marks. */
const longestParagraph = 20_000
const mostSigns = 400
/** All paragraphs together may take so much work, in signs to the square: well under a second. */
const mostWork = 4_000_000
/** Quotes and lists in one another by more than this, or an item that is indented so far, are none of a person's. */
const isTooDeep =
  /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){50}|^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m

/**
 * Reads Markdown with bounded work, for its text is a file's or an agent's: the parser takes minutes for some texts of
 * a few kilobytes, and its stack ends in others. Null: the text cannot be drawn and is to be shown as it stands.
 */
export function readMarkdown(text: string): readonly Token[] | null {
  if (text.length > longestText || isTooDeep.test(text)) return null
  const lexer = new Lexer({ gfm: true })
  try {
    lexer.blockTokens(text.replaceAll(/\r\n?/g, '\n'), lexer.tokens)
    let work = 0
    for (const { src, tokens } of lexer.inlineQueue) {
      const signs = src.match(/[*_~`[\]<!\\]/g)?.length ?? 0
      work += signs * signs
      if (src.length > longestParagraph || signs > mostSigns || work > mostWork) {
        tokens.push({ type: 'text', raw: src, text: src, escaped: false })
      } else lexer.inlineTokens(src, tokens)
    }
    return lexer.tokens
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
