import { StringDecoder } from 'node:string_decoder'
import { runRipgrep } from '../../platform/ripgrep'

/** What to search: files, and folders with the records of sub-agents. */
export interface CandidateSearch {
  program: string
  /** Any existing folder. */
  folder: string
  paths: readonly string[]
  /** What the lines have to contain, ignoring case; empty for all lines. */
  plain: string
  signal: AbortSignal
}

/** `no-program`: ripgrep can't be started. `failed`: it broke off. */
export type CandidateLines =
  | { kind: 'found'; offsets: ReadonlyMap<string, number[]> }
  | { kind: 'no-program' | 'failed' | 'ended' }

/** A character that JSON writes as an escape; those beyond 16 bits have two. */
const byNumber = '(?:\\\\u[0-9a-fA-F]{4}){1,2}'
/**
 * Prints only the offset of each matching line, because its text may have megabytes. Bytes are matched as they are, so
 * that a session that isn't valid text is still searched.
 */
const manner = ['--heading', '--null', '--no-line-number', '--byte-offset', '--max-columns', '1']
const reach = [
  '--text',
  '--encoding',
  'none',
  '--no-ignore',
  '--hidden',
  '--max-depth',
  '1',
  '--color',
  'never',
]
const records = ['--glob', 'agent-*.jsonl']

/**
 * Finds the lines of sessions that may say something: all that do, and some that only contain it elsewhere. Gives where
 * they begin, in bytes, in the order of each file; files without any are left out.
 */
export async function findCandidateLines(search: CandidateSearch): Promise<CandidateLines> {
  const { program, folder, paths, plain, signal } = search
  const output = new OffsetOutput()
  const args = [...manner, ...reach, ...records, '--regexp', patternOf(plain), '--', ...paths]
  const end = await runRipgrep({
    ...{ program, folder, args, signal },
    output(piece) {
      output.take(piece)
      return true
    },
  })
  if (signal.aborted) return { kind: 'ended' }
  if (!end.isStarted) return { kind: 'no-program' }
  // ripgrep complains about files that are gone or unreadable; they have no lines to find.
  return end.code === null ? { kind: 'failed' } : { kind: 'found', offsets: output.offsets }
}

/** ASCII letters as escapes are not searched for: nobody writes them, and it takes twice as long. */
function patternOf(plain: string): string {
  const parts = plain.match(/[\0-\x7f]+|[^\0-\x7f]/gu) ?? []
  return parts
    .map((part) => {
      const itself = `(?i:${part.replaceAll(/[.*+?^${}()|[\]]/g, '\\$&')})`
      return /[\0-\x7f]/.test(part) ? itself : `(?:${itself}|${byNumber})`
    })
    .join('')
}

/** Parses `PATH NUL`, followed by a line `OFFSET:…` for each matching line in that file. */
class OffsetOutput {
  readonly offsets = new Map<string, number[]>()
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #file: number[] = []

  take(piece: Buffer): void {
    const text = this.#rest + this.#decoder.write(piece)
    let at = 0
    for (;;) {
      // All paths are absolute, so none begins with a digit.
      const isPath = /[^\d\n]/.test(text.charAt(at))
      const end = text.indexOf(isPath ? '\0' : '\n', at)
      if (end < 0) break
      if (isPath) this.offsets.set(text.slice(at, end), (this.#file = []))
      else if (end > at) this.#file.push(Number.parseInt(text.slice(at, end), 10))
      at = end + 1
    }
    this.#rest = text.slice(at)
  }
}
