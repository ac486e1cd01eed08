import { devNull } from 'node:os'
import { startProgram } from '../platform/child-process'
import { findProgram } from '../platform/programs'

/** One run of git: its folder, its input, and how much it may answer. */
export interface GitQuestion {
  folder: string
  args: readonly string[]
  input?: string
  /** Longer answers are cut, and `isWhole` is false. Default 16 MiB. */
  maxBytes?: number
  /** The program; `git` on the PATH of `env`. */
  git?: string
  env?: Record<string, string | undefined>
}

/** What git printed. `code` is null if it was ended for length or time. */
export interface GitAnswer {
  code: number | null
  output: Buffer
  isWhole: boolean
}

/** How long git may take, in milliseconds. */
const patience = 30_000

/**
 * A folder may be a stranger's, copied with its .git: nothing that its configuration names may run. For the commands
 * used here that means monitors, hooks, and whatever fetches what a partial clone lacks; `withoutFilters` handles
 * filters.
 */
const settings = {
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.pager': 'cat',
  'safe.bareRepository': 'explicit',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
}
const surroundings = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
}
/** Left by whoever started the app: another repository, or programs for things that are never asked for here. */
const foreign = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE', 'GIT_ATTR_SOURCE'],
  ...['GIT_EXTERNAL_DIFF', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_PROXY_COMMAND', 'GIT_ASKPASS'],
]

/**
 * Runs git once, without its locks, pagers or prompts, and without any program that a repository configures. Commands
 * that read the contents of files go through `withoutFilters`. Null if git can't be run.
 */
export function runGit(question: GitQuestion): Promise<GitAnswer | null> {
  const { folder, args, input = '', maxBytes = 16 * 1024 * 1024, git = 'git', env = process.env } = question
  // The full path, because Windows looks for a bare name in the folder first.
  const program = findProgram(git, { platform: process.platform, env })
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.includes(name)))
  return new Promise((resolve) => {
    if (program === null) return resolve(null)
    const child = startProgram(program, [...asArguments(settings), ...args], {
      cwd: folder,
      env: { ...given, ...surroundings },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: patience,
      windowsHide: true,
    })
    if (!child) return resolve(null)
    const pieces: Buffer[] = []
    let length = 0
    child.stdout?.on('data', (piece: Buffer) => {
      if (length > maxBytes) return
      length += piece.length
      if (length <= maxBytes) pieces.push(piece)
      else child.kill()
    })
    // It may end before reading its input.
    child.stdin?.on('error', () => undefined)
    child.once('close', (code) => {
      resolve({ code, output: Buffer.concat(pieces), isWhole: code !== null && length <= maxBytes })
    })
    child.stdin?.end(input)
  })
}

/** Settings as arguments that go before git's command. */
export function asArguments(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Makes git take every path literally, even one that begins with a colon: as a pattern it would match nothing, and the
 * file would count as missing from the commit. git accepts this only with the other kinds of patterns off.
 */
export const namesOnly = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_GLOB_PATHSPECS: '0',
  GIT_NOGLOB_PATHSPECS: '0',
  GIT_ICASE_PATHSPECS: '0',
}
