import { StringDecoder } from 'node:string_decoder'
import { runRipgrep } from '../platform/ripgrep'

/** What is looked through: files, and folders in which the records of sub-agents are. */
export interface CandidateSearch {
  program: string
  /** Any folder that is there. */
  folder: string
  paths: readonly string[]
  /** What stands in the lines, in whatever case; empty for all lines. */
  plain: string
  signal: AbortSignal
}

/** `no-program`: ripgrep cannot be started. `failed`: it has broken off. */
export type CandidateLines =
  | { kind: 'found'; offsets: ReadonlyMap<string, number[]> }
  | { kind: 'no-program' | 'failed' | 'ended' }

/** A character that JSON writes by its number; those beyond 16 bits have two. */
const byNumber = '(?:\\\\u[0-9a-fA-F]{4}){1,2}'
/**
 * For each line that fits its offset, and never its text: it may have megabytes. Bytes are taken as they are, for one of
 * a session that is no text hides nothing.
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
 * Finds the lines of sessions that may say something: all that do, and some in which it only stands. Where they begin,
 * in bytes, in the order of each file; files without any are left out.
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
  // Files that are gone or may not be read are complained about, and hold nothing.
  return end.code === null ? { kind: 'failed' } : { kind: 'found', offsets: output.offsets }
}

/** Letters of ASCII by their numbers are not looked for: nobody writes them so, and it takes twice the time. */
function patternOf(plain: string): string {
  const parts = plain.match(/[\0-\x7f]+|[^\0-\x7f]/gu) ?? []
  return parts
    .map((part) => {
      const itself = `(?i:${part.replaceAll(/[.*+?^${}()|[\]]/g, '\\$&')})`
      return /[\0-\x7f]/.test(part) ? itself : `(?:${itself}|${byNumber})`
    })
    .join('')
}

/** Reads `PATH NUL`, and behind it a line `OFFSET:…` for each line of that file. */
class OffsetOutput {
  readonly offsets = new Map<string, number[]>()
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #file: number[] = []

  take(piece: Buffer): void {
    const text = this.#rest + this.#decoder.write(piece)
    let at = 0
    for (;;) {
      // All paths are absolute: none begins with a digit.
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
