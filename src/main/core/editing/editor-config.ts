import { dirname, join } from 'node:path'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import type { TextEncoding } from '../../../shared/text/text-facts'
import { readIfShort } from '../files/regular-file'
import type { FileWatcher } from '../files/watcher'

/** How a project wants a file to be written, by the .editorconfig files above it. What is absent is not asked for. */
export interface FormatRules {
  indent?: { style: 'space' | 'tab'; size: number }
  /** For texts that have no line end yet. */
  eol?: 'lf' | 'crlf' | 'cr'
  /** For texts that are empty; `latin-1` also tells how to read. */
  charset?: { encoding: TextEncoding; bom: boolean }
  trimTrailingWhitespace?: true
  insertFinalNewline?: true
}

/** No more folders than this are looked through for .editorconfig files, the file's own first. */
const mostFolders = 60
/** A longer .editorconfig is not read, in bytes. */
const mostBytes = 256 * 1024

/** The rules for a file. One that cannot be read, or is no .editorconfig, counts as not there. */
export async function readFormatRules(path: string): Promise<FormatRules> {
  const files: { name: string; contents: Buffer }[] = []
  let folder = dirname(path)
  for (let count = 0; count < mostFolders; count++) {
    const name = join(folder, '.editorconfig')
    const contents = await readIfShort(name, mostBytes).catch(() => undefined)
    if (contents) files.push({ name, contents })
    const above = dirname(folder)
    // A root's file ends the search; the parser would leave out what is above it anyway.
    if (above === folder || (contents && /^\s*root\s*=\s*true\s*$/im.test(headOf(contents)))) break
    folder = above
  }
  if (files.length === 0) return {}
  try {
    // With what it brings along it takes a tenth of a start, and few projects have such a file.
    const { parseFromFiles } = await import('editorconfig')
    return rulesOf(await parseFromFiles(path, Promise.resolve(files)))
  } catch {
    return {}
  }
}

/** So many folders are watched for a .editorconfig that comes, changes or goes, the file's own first. */
const mostWatched = 20

/** Hears when a file's rules may be others now: wherever above it a .editorconfig came, changed or went. */
export async function watchFormatRules(
  path: string,
  watcher: Pick<FileWatcher, 'watchFile'>,
  hear: () => void,
): Promise<Disposable> {
  const folders: string[] = []
  for (let at = dirname(path); folders.length < mostWatched; at = dirname(at)) {
    folders.push(at)
    if (dirname(at) === at) break
  }
  const watched = new DisposableStack()
  const watches = folders.map((folder) => watcher.watchFile(join(folder, '.editorconfig'), hear))
  for (const watch of await Promise.all(watches)) watched.add(watch)
  return watched
}

/** What comes before the first section. */
function headOf(contents: Buffer): string {
  const text = contents.toString('utf8')
  const section = text.search(/^\s*\[/m)
  return section < 0 ? text : text.slice(0, section)
}

function rulesOf(found: object): FormatRules {
  const read = (name: string): string => {
    const value = (found as Record<string, unknown>)[name]
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value).toLowerCase()
      : ''
  }
  const rules: FormatRules = {}
  const tabWidth = columns(read('tab_width'))
  const size = columns(read('indent_size')) ?? tabWidth
  const style = read('indent_style')
  if (style === 'tab') rules.indent = { style, size: tabWidth ?? size ?? 4 }
  else if (style === 'space') rules.indent = { style, size: size ?? 4 }
  const eol = read('end_of_line')
  if (eol === 'lf' || eol === 'crlf' || eol === 'cr') rules.eol = eol
  const charset = charsets.get(read('charset'))
  if (charset) rules.charset = charset
  if (read('trim_trailing_whitespace') === 'true') rules.trimTrailingWhitespace = true
  if (read('insert_final_newline') === 'true') rules.insertFinalNewline = true
  return rules
}

const charsets = new Map<string, NonNullable<FormatRules['charset']>>([
  ['utf-8', { encoding: 'utf-8', bom: false }],
  ['utf-8-bom', { encoding: 'utf-8', bom: true }],
  ['utf-16le', { encoding: 'utf-16le', bom: true }],
  ['utf-16be', { encoding: 'utf-16be', bom: true }],
  ['latin1', { encoding: 'latin-1', bom: false }],
])

function columns(word: string): number | undefined {
  const value = /^\d+$/.test(word) ? Number(word) : 0
  return value >= 1 && value <= 32 ? value : undefined
}
