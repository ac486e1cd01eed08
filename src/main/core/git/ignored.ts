import { spawn } from 'node:child_process'
import { dirname } from 'node:path'

/** Longer than this git is not waited for, in milliseconds. */
const patience = 10_000
/** So many folders are asked about at once. */
const atOnce = 4

/**
 * Which of some files git ignores (real, absolute paths). A file that is in the index is not ignored, whatever the
 * patterns say; one outside of any repository is not either. Null where git cannot be asked.
 */
export async function findIgnored(
  paths: readonly string[],
  git: string = 'git',
): Promise<ReadonlySet<string> | null> {
  // Asked in each file's own folder, so that it is the right repository that answers, also in a submodule.
  const byFolder = new Map<string, string[]>()
  for (const path of paths) byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), path])
  const waiting = [...byFolder]
  const ignored = new Set<string>()
  let isKnown = true
  const work = async () => {
    for (let next = waiting.shift(); next && isKnown; next = waiting.shift()) {
      const found = await askFolder(git, ...next)
      if (found === null) isKnown = false
      else for (const path of found) ignored.add(path)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return isKnown ? ignored : null
}

function askFolder(git: string, folder: string, paths: readonly string[]): Promise<string[] | null> {
  return new Promise((resolve) => {
    // Nothing that a repository configures may be run for it.
    const child = spawn(git, ['-c', 'core.fsmonitor=false', 'check-ignore', '-z', '--stdin'], {
      cwd: folder,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: patience,
    })
    let [out, problem] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece))
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (problem += piece.slice(0, 1000)))
    child.stdin.on('error', () => undefined)
    child.once('error', () => resolve(null))
    child.once('close', (code) => {
      if (code === 0 || code === 1) resolve(out.split('\0').filter((path) => path !== ''))
      else resolve(/not a git repository/.test(problem) ? [] : null)
    })
    child.stdin.end(paths.map((path) => `${path}\0`).join(''))
  })
}
