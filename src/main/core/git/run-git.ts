import { startProgram } from '../platform/child-process'

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
 * Runs git once, without its locks, pagers, questions or monitors: what a repository configures for watching is not
 * started for it. Null where git cannot be run at all.
 */
export function runGit(question: GitQuestion): Promise<GitAnswer | null> {
  const { folder, args, input = '', maxBytes = 16 * 1024 * 1024, git = 'git', env = process.env } = question
  return new Promise((resolve) => {
    const child = startProgram(git, ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', LC_ALL: 'C' },
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
