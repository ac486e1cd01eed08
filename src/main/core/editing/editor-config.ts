import { dirname, join } from 'node:path'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import type { TextEncoding } from '../../../shared/text/text-facts'
import { readIfShort } from '../files/regular-file'
import type { FileWatcher } from '../files/watcher'

/** How a project's .editorconfig files want a file to be written. What is absent isn't asked for. */
export interface FormatRules {
  indent?: { style: 'space' | 'tab'; size: number }
  /** For texts without line breaks. */
  eol?: 'lf' | 'crlf' | 'cr'
  /** For empty texts; `latin-1` also tells how to read. */
  charset?: { encoding: TextEncoding; bom: boolean }
  trimTrailingWhitespace?: true
  insertFinalNewline?: true
}

/** How many folders are searched for .editorconfig files, from the file's own upwards. */
const mostFolders = 60
/** In bytes; a longer .editorconfig is ignored. */
const mostBytes = 256 * 1024

/** The rules for a file. An unreadable or invalid .editorconfig is ignored. */
export async function readFormatRules(path: string): Promise<FormatRules> {
  const files: { name: string; contents: Buffer }[] = []
  let folder = dirname(path)
  for (let count = 0; count < mostFolders; count++) {
    const name = join(folder, '.editorconfig')
    const contents = await readIfShort(name, mostBytes).catch(() => undefined)
    if (contents) files.push({ name, contents })
    const above = dirname(folder)
    // A root file ends the search; the parser would ignore anything above it.
    if (above === folder || (contents && /^\s*root\s*=\s*true\s*$/im.test(headOf(contents)))) break
    folder = above
  }
  if (files.length === 0) return {}
  try {
    // Loading it costs a tenth of the start, and few projects have such a file.
    const { parseFromFiles } = await import('editorconfig')
    return rulesOf(await parseFromFiles(path, Promise.resolve(files)))
  } catch {
    return {}
  }
}

/** How many folders are watched for .editorconfig files, from the file's own upwards. */
const mostWatched = 20

/** Calls `hear` when a file's rules may have changed: a .editorconfig above it came, changed or went. */
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

/** Everything before the first section. */
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
