import { resolve } from 'node:path'
import { splitOption } from './split-option'

/** What to print of the record of writes. Paths are absolute. */
export interface RecordArguments {
  kind: 'record'
  /** A file or folder; null: everything. */
  path: string | null
  /** JSON lines in place of a table; with `texts` they hold the texts. */
  output: { kind: 'table' } | { kind: 'json'; texts: boolean }
  dataDir: string | null
}

/** Reads what follows `greenlight record`. Gives a sentence if that is wrong. */
export function parseRecord(
  words: readonly string[],
  cwd: string,
): RecordArguments | { kind: 'help' } | string {
  const paths: string[] = []
  let isJson = false
  let texts = false
  let dataDir: string | null = null
  let onlyPath = false
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (onlyPath || !word.startsWith('-')) {
      if (word === '') return 'The path is empty.'
      paths.push(word)
      continue
    }
    const { name, given } = splitOption(word)
    switch (name) {
      case '--':
        onlyPath = true
        continue
      case '--help':
        return { kind: 'help' }
      case '--json':
      case '--texts':
        if (given !== null) return `${name} takes no value.`
        if (name === '--json') isJson = true
        else texts = true
        continue
      case '--data-dir': {
        const value = given ?? words[++index]
        if (value === undefined || value === '') return `${name} needs a value.`
        dataDir = resolve(cwd, value)
        continue
      }
      default:
        return `Unknown option ${name} of greenlight record. See --help.`
    }
  }
  const [path, ...others] = paths
  if (others.length > 0) return 'greenlight record takes one file or folder.'
  if (texts && !isJson) return '--texts is for JSON lines. Add --json.'
  return {
    kind: 'record',
    path: path === undefined ? null : resolve(cwd, path),
    output: isJson ? { kind: 'json', texts } : { kind: 'table' },
    dataDir,
  }
}
