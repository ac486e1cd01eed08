import { LanguageDescription, type LanguageSupport } from '@codemirror/language'

/** Above this many characters a text is shown plain: colouring it would cost more than it helps. */
export const longestParsed = 2_000_000

/** The language of a file by its name, fetched when it is needed; null where the name tells none. */
export async function loadLanguage(name: string): Promise<{ name: string; support: LanguageSupport } | null> {
  const { languages } = await import('@codemirror/language-data')
  const description = LanguageDescription.matchFilename(languages, name)
  return description && { name: description.name, support: await description.load() }
}
