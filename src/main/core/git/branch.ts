import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readText } from '../files/regular-file'

/** The HEAD file of a folder's repository or worktree; null outside of any. */
export async function findHead(folder: string): Promise<string | null> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const head = await ownHead(at)
    if (head !== null) return head
    if (dirname(at) === at) return null
  }
}

/** The same if the folder is the top of a repository or worktree; null otherwise. */
export function ownHead(folder: string): Promise<string | null> {
  return headIn(join(folder, '.git'))
}

/** The branch that HEAD names, or the beginning of the commit if it names none; null if it can't be read. */
export async function readBranch(head: string): Promise<string | null> {
  try {
    const text = (await readText(head)).trim()
    const named = /^ref: refs\/heads\/(.+)$/.exec(text)
    if (named?.[1]) return named[1]
    return /^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 8) : null
  } catch {
    return null
  }
}

/** In a worktree or a submodule `.git` is a file that names the folder. */
async function headIn(git: string): Promise<string | null> {
  try {
    const found = await stat(git)
    // An empty folder named .git is not a repository.
    if (found.isDirectory()) return (await stat(join(git, 'HEAD'))).isFile() ? join(git, 'HEAD') : null
    const named = /^gitdir: (.+)$/m.exec(await readText(git))
    return named?.[1] ? join(resolve(dirname(git), named[1]), 'HEAD') : null
  } catch {
    return null
  }
}
