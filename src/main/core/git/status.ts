import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitHead, GitMark } from '../../../shared/contract/git'
import { findFiltered, withoutFilters } from './filters'
import { namesOnly, runGit } from './run-git'
import type { GitProgram } from './work-tree'

/** How a folder stands in its repository. */
export interface GitStatus {
  /** The top of the repository's work tree; a real path. */
  top: string
  head: GitHead
  /** By absolute path, at most `mostMarks`. What is not listed is unchanged since the commit. */
  marks: ReadonlyMap<string, GitMark>
  /** Whether there are more than listed. */
  isPartial: boolean
}

/** How many marks are kept for one folder, and how much of git's answer is read. */
const mostMarks = 20_000
const mostBytes = 8 * 1024 * 1024
/** How many files with filters are checked one by one. */
const mostFiltered = 500

/**
 * Asks git about a folder, without locks. Ignored files are listed unless `ignored` is false; if they make the answer
 * too long, git is asked again without them. Null if the folder is in no repository that git would read.
 */
export async function readStatus(
  folder: string,
  program: GitProgram = {},
  { ignored = true, maxBytes = mostBytes }: { ignored?: boolean; maxBytes?: number } = {},
): Promise<GitStatus | null> {
  const args = [
    '--no-optional-locks',
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
    ...(ignored ? ['--ignored=traditional'] : []),
    '--',
    '.',
  ]
  const [found, answer] = await Promise.all([
    runGit({ ...program, folder, args: ['rev-parse', '--show-toplevel'] }),
    withoutFilters({ ...program, folder, args, maxBytes }),
  ])
  if (found?.code !== 0) return null
  const top = found.output.toString('utf8').replace(/\r?\n$/, '')
  if (!answer || (answer.code !== 0 && answer.code !== null)) return null
  if (!answer.isWhole && ignored) return readStatus(folder, program, { ignored: false, maxBytes })
  const { head, marks, written, isCut } = parseStatus(answer.output.toString('utf8'))
  for (const name of await findUntouched(top, written, answer.filters, program)) marks.delete(name)
  const absolute = new Map<string, GitMark>()
  for (const [name, mark] of marks) absolute.set(join(top, ...name.split('/')), mark)
  return { top, head, marks: absolute, isPartial: isCut || !answer.isWhole }
}

/**
 * Which of some files that look changed are not: without its filter, git compares a Git LFS file with the wrong
 * content. If the file still has the size and time that git recorded, it is unchanged.
 */
async function findUntouched(
  top: string,
  names: readonly string[],
  filters: readonly string[],
  program: GitProgram,
): Promise<string[]> {
  const filtered = await findFiltered({ ...program, folder: top }, names, filters)
  const some = [...(filtered ?? [])].slice(0, mostFiltered)
  if (some.length === 0) return []
  const env = { ...(program.env ?? process.env), ...namesOnly }
  const args = ['ls-files', '-z', '--debug', '--', ...some]
  const answer = await runGit({ ...program, env, folder: top, args })
  const noted = answer?.code === 0 && answer.isWhole ? answer.output.toString('utf8') : ''
  const untouched: string[] = []
  // Each name is followed by lines of what git recorded.
  const pattern = /([^\0]+)\0 +ctime: .*\n +mtime: (\d+):(\d+)\n.*\n.*\n +size: (\d+)\t.*\n/g
  for (const [, name = '', seconds, nanoseconds, size] of noted.matchAll(pattern)) {
    const found = await lstat(join(top, ...name.split('/')), { bigint: true }).catch(() => null)
    const isSameTime = found?.mtimeNs === BigInt(seconds ?? 0) * 1_000_000_000n + BigInt(nanoseconds ?? 0)
    // git keeps 32 bits of a size.
    if (isSameTime && BigInt.asUintN(32, found.size) === BigInt(size ?? -1)) untouched.push(name)
  }
  return untouched
}

/**
 * Parses `git status --porcelain=v2 -z --branch`. Names are relative to the top, with slashes and without one at the
 * end. A last record that was cut off is left out.
 */
export function parseStatus(output: string): {
  head: GitHead
  marks: Map<string, GitMark>
  /** Files that differ only between the index and the disk. */
  written: string[]
  isCut: boolean
} {
  const head: GitHead = { branch: null, commit: null, upstream: null }
  const marks = new Map<string, GitMark>()
  const written: string[] = []
  const records = output.split('\0')
  // Every record ends with a NUL, so the part after the last one is empty or incomplete.
  records.pop()
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ''
    if (marks.size >= mostMarks) return { head, marks, written, isCut: true }
    switch (record[0]) {
      case '#':
        readHead(record, head)
        break
      case '1':
        marks.set(nameAfter(record, 8), changeMark(record.slice(2, 4)))
        if (record.slice(2, 4) === '.M') written.push(nameAfter(record, 8))
        break
      case '2':
        marks.set(nameAfter(record, 9), renameMark(record.slice(2, 4)))
        // The former name is a record of its own.
        at += 1
        break
      case 'u':
        marks.set(nameAfter(record, 10), 'conflict')
        break
      case '?':
        marks.set(withoutSlash(record.slice(2)), 'untracked')
        break
      case '!':
        marks.set(withoutSlash(record.slice(2)), 'ignored')
        break
      default:
    }
  }
  return { head, marks, written, isCut: false }
}

function readHead(record: string, head: GitHead): void {
  const [, name, value = ''] = /^# branch\.(\S+) (.*)$/s.exec(record) ?? []
  switch (name) {
    case 'oid':
      head.commit = value === '(initial)' ? null : value.slice(0, 8)
      break
    case 'head':
      head.branch = value === '(detached)' ? null : value
      break
    case 'upstream':
      head.upstream = { name: value, ahead: 0, behind: 0 }
      break
    case 'ab': {
      const counts = /^\+(\d+) -(\d+)$/.exec(value)
      if (counts && head.upstream) {
        head.upstream = { ...head.upstream, ahead: Number(counts[1]), behind: Number(counts[2]) }
      }
      break
    }
    default:
  }
}

/** The name after this many fields, each followed by a space. Names may contain spaces. */
function nameAfter(record: string, fields: number): string {
  let at = 0
  for (let field = 0; field < fields; field++) at = record.indexOf(' ', at) + 1
  return record.slice(at)
}

function withoutSlash(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : name
}

/** `xy`: how the index differs from the commit, and the file from the index. */
function changeMark(xy: string): GitMark {
  if (xy.includes('D')) return xy[1] === 'D' || xy[1] === '.' ? 'deleted' : 'modified'
  return xy.startsWith('A') ? 'added' : 'modified'
}

function renameMark(xy: string): GitMark {
  if (xy[1] === 'D') return 'deleted'
  return xy.startsWith('C') ? 'added' : 'renamed'
}
