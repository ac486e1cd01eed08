import { devNull } from 'node:os'
import { startProgram } from '../platform/child-process'
import { findProgram } from '../platform/programs'

/** How git is asked: from which folder, with which input, and how much it may answer. */
export interface GitQuestion {
  folder: string
  args: readonly string[]
  input?: string
  /** Longer answers are cut: then `isWhole` is false. Default 16 MiB. */
  maxBytes?: number
  /** The program; `git` on the PATH of `env`. */
  git?: string
  env?: Record<string, string | undefined>
}

/** What git put out. `code` is null where it was ended for its length or its time. */
export interface GitAnswer {
  code: number | null
  output: Buffer
  isWhole: boolean
}

/** Longer than this git is not waited for, in milliseconds. */
const patience = 30_000

/**
 * A folder may be a stranger's, copied with its .git: nothing that its configuration names is run. That are, for the
 * commands we use, monitors, hooks, and whatever fetches what a partial clone lacks; filters are `withoutFilters`.
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
/** Of whoever started the app: another repository than the folder's, or programs for what we never ask. */
const foreign = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE', 'GIT_ATTR_SOURCE'],
  ...['GIT_EXTERNAL_DIFF', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_PROXY_COMMAND', 'GIT_ASKPASS'],
]

/**
 * Runs git once, without its locks, pagers or questions, and without any program that a repository configures. Commands
 * that read the contents of files go through `withoutFilters`. Null where git cannot be run at all.
 */
export function runGit(question: GitQuestion): Promise<GitAnswer | null> {
  const { folder, args, input = '', maxBytes = 16 * 1024 * 1024, git = 'git', env = process.env } = question
  // By its full path: on Windows a bare name is looked for in the folder first.
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
    // It may end without reading what it was given.
    child.stdin?.on('error', () => undefined)
    child.once('close', (code) => {
      resolve({ code, output: Buffer.concat(pieces), isWhole: code !== null && length <= maxBytes })
    })
    child.stdin?.end(input)
  })
}

/** Settings as they stand before git's command. */
export function asArguments(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Has git take a path for a name, also where it begins with a colon: as a pattern it would match nothing, and the file
 * would count as one that the commit does not have. git refuses the other kinds of patterns beside this.
 */
export const namesOnly = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_GLOB_PATHSPECS: '0',
  GIT_NOGLOB_PATHSPECS: '0',
  GIT_ICASE_PATHSPECS: '0',
}
