import { join } from 'node:path'
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser'
import { type Result, fail, succeed } from '../../../shared/result'
import { encodeText, parseText, type TextFacts } from '../../../shared/text/text-facts'
import { FileSwapper } from '../files/compare-and-swap'
import { readFile } from '../files/read-file'

/** What Gemini CLI's own settings say about editors. `enabled` is null if they say nothing, which means off. */
export interface GeminiIdeSettings {
  path: string
  enabled: boolean | null
}

/** Where Gemini CLI keeps the person's settings. */
export function geminiSettingsPath(home: string): string {
  return join(home, '.gemini', 'settings.json')
}

/** Fails as `unreadable` if the client couldn't read the file either. */
export async function readGeminiIdeSettings(home: string): Promise<Result<GeminiIdeSettings>> {
  const path = geminiSettingsPath(home)
  const found = await readSettings(path)
  if (!found.ok) return found
  const { ide } = found.value.settings
  const enabled = typeof ide === 'object' && ide !== null ? (ide as { enabled?: unknown }).enabled : undefined
  return succeed({ path, enabled: typeof enabled === 'boolean' ? enabled : null })
}

/**
 * Turns on the client's support for editors, and answers its question about it in advance. Comments, order and
 * everything else in the file stay. A file that can't be read, or changes meanwhile, is left alone.
 */
export async function enableGeminiIde(home: string): Promise<Result<{ path: string }>> {
  const path = geminiSettingsPath(home)
  const found = await readSettings(path)
  if (!found.ok) return found
  const { text, facts, hash } = found.value
  const bytes = encodeText(enableIn(text), facts)
  const swapped = await new FileSwapper().swap(path, hash, bytes, { createParents: true })
  return swapped.ok ? succeed({ path }) : fail(swapped.failure.code, swapped.failure.message)
}

/** The settings with `ide.enabled` and `ide.hasSeenNudge` set. `text` has line feeds. */
export function enableIn(text: string): string {
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize, eol: '\n' }
  const start = text.trim() === '' ? '{}\n' : text
  return ['enabled', 'hasSeenNudge'].reduce(
    (now, name) => applyEdits(now, modify(now, ['ide', name], true, { formattingOptions })),
    start,
  )
}

interface SettingsFile {
  text: string
  facts: TextFacts
  /** Of the file's bytes; null if there is no file. */
  hash: string | null
  settings: Record<string, unknown>
}

async function readSettings(path: string): Promise<Result<SettingsFile>> {
  const found = await readFile(path, { maxBytes: 4 << 20 })
  if (!found.ok) return found
  const file = found.value
  if (file.kind === 'absent') return succeed({ ...parseText(''), hash: null, settings: {} })
  if (file.content.kind !== 'text') return unreadable(path)
  const { text, facts } = file.content
  const errors: ParseError[] = []
  const value: unknown = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true })
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (errors.length > 0 || !isObject) return unreadable(path)
  return succeed({ text, facts, hash: file.hash, settings: value as Record<string, unknown> })
}

function unreadable(path: string) {
  return fail('unreadable', `${path} isn’t valid JSON. Fix it in an editor, then try again.`)
}
