import { type LanguageDescription, LanguageDescription as Description } from '@codemirror/language'
import { languages } from '@codemirror/language-data'

/** Above this many characters a text is shown plain: colouring it would cost more than it helps. */
export const longestParsed = 2_000_000

/** The language of a file by its name; null where the name tells none. Loaded when `load` is called. */
export function languageOf(name: string): LanguageDescription | null {
  return Description.matchFilename(languages, name)
}
