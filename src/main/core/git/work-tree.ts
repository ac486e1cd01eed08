import { randomBytes } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import { findFiltered, withoutFilters } from './filters'
import { type GitQuestion, namesOnly, runGit } from './run-git'

/** A folder as git sees it at one moment. */
export interface WorkTree {
  /** The folder asked about, and the top of its repository; real paths. */
  folder: string
  top: string
  /** The commit that files are compared with; null if there is none yet, or too many unclean files to list. */
  commit: string | null
  /**
   * Absolute paths of files in the folder that may differ from the commit; includes untracked ones, not ignored ones.
   */
  unclean: string[]
}

/** A path's content in a commit, as a checkout would write it. */
export type CommittedFile =
  | { kind: 'absent' }
  | { kind: 'file'; bytes: Buffer }
  /** It is larger than allowed, a link or a submodule, or git couldn't tell. */
  | { kind: 'unknown' }

/** The program and its environment. */
export type GitProgram = Pick<GitQuestion, 'git' | 'env'>

const statusArgs = [
  ...['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'],
  ...['--', '.'],
]

/** How many paths go on one command line, and how many files are read together. */
const pathsAtOnce = 200

/** Reads a folder's state once. Null if it is in no repository that git would read. */
export async function readWorkTree(folder: string, program: GitProgram = {}): Promise<WorkTree | null> {
  const ask = (...args: string[]) => runGit({ ...program, folder, args })
  const found = await ask('rev-parse', '--show-toplevel')
  if (found?.code !== 0) return null
  const top = found.output.toString('utf8').replace(/\r?\n$/, '')
  const [head, status, flags] = await Promise.all([
    ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    withoutFilters({ ...program, folder, args: statusArgs }),
    // Files that git was told not to check, so nobody knows whether they differ.
    ask('ls-files', '-v', '-z', '--full-name', '--', '.'),
  ])
  const path = (name: string) => join(top, ...name.split('/'))
  const unclean = readList(status?.output).map((entry) => path(entry.slice(3)))
  for (const entry of readList(flags?.output)) if (/^[a-zS] /.test(entry)) unclean.push(path(entry.slice(2)))
  const isWhole = status?.code === 0 && status.isWhole && flags?.code === 0 && flags.isWhole
  const commit = head?.code === 0 && isWhole ? head.output.toString('utf8').trim() : null
  return { folder, top, commit, unclean }
}

/** Which of some paths, folders included, git ignores. Null if git can't be asked. Tracked files are not ignored. */
export async function findIgnoredIn(
  folder: string,
  paths: readonly string[],
  program: GitProgram = {},
): Promise<Set<string> | null> {
  if (paths.length === 0) return new Set()
  const input = paths.map((path) => `${path}\0`).join('')
  const answer = await runGit({ ...program, folder, args: ['check-ignore', '-z', '--stdin'], input })
  if (!answer?.isWhole || (answer.code !== 0 && answer.code !== 1)) return null
  return new Set(readList(answer.output))
}

/**
 * The contents of some paths in the commit, with the line endings that a checkout would give them; unknown if they go
 * through a filter. If the file's former size is known, it decides between that form and the stored bytes, and the
 * content is unknown if neither fits. Nothing over `maxBytes` is read.
 */
export async function readCommitted(
  tree: Pick<WorkTree, 'top' | 'commit'>,
  paths: readonly string[],
  sizeOf: (path: string) => number | undefined,
  maxBytes: number,
  program: GitProgram = {},
): Promise<Map<string, CommittedFile>> {
  const found = new Map<string, CommittedFile>(paths.map((path) => [path, { kind: 'unknown' }]))
  if (tree.commit === null) return found
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const some = paths.slice(at, at + pathsAtOnce)
    const blobs = await listBlobs(tree.top, tree.commit, some, program)
    if (blobs === null) continue
    const wanted = some.filter((path) => {
      const blob = blobs.get(path)
      if (!blob) found.set(path, { kind: 'absent' })
      return blob?.isFile === true && blob.size <= maxBytes && !path.includes('\n')
    })
    const idOf = (path: string) => blobs.get(path)?.id ?? ''
    const asWritten = await readBlobs(tree.top, wanted, idOf, true, maxBytes, program)
    const misfits = wanted.filter((path) => {
      const size = sizeOf(path)
      return size !== undefined && asWritten.get(path)?.length !== size
    })
    const asStored = await readBlobs(tree.top, misfits, idOf, false, maxBytes, program)
    for (const path of wanted) {
      const size = sizeOf(path)
      const bytes = [asWritten.get(path), asStored.get(path)].find(
        (candidate) => candidate && (size === undefined || candidate.length === size),
      )
      if (bytes) found.set(path, { kind: 'file', bytes })
    }
  }
  return found
}

/**
 * Which of some existing files git considers unchanged since the commit, allowing for line endings; never those with a
 * filter.
 */
export async function findUnchanged(
  tree: Pick<WorkTree, 'top' | 'commit'>,
  paths: readonly string[],
  program: GitProgram = {},
): Promise<Set<string>> {
  const same = new Set<string>()
  if (tree.commit === null) return same
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const some = paths.slice(at, at + pathsAtOnce).filter((path) => !path.includes('\n'))
    const blobs = await listBlobs(tree.top, tree.commit, some, program)
    const known = some.filter((path) => blobs?.get(path)?.isFile)
    const input = known.map((path) => `${nameIn(tree.top, path)}\n`).join('')
    const hashed = await withoutFilters({
      ...program,
      folder: tree.top,
      args: ['hash-object', '--stdin-paths'],
      input,
    })
    // A file that is gone ends the list; those after it count as changed.
    const ids = hashed?.output.toString('utf8').split('\n') ?? []
    known.forEach((path, index) => ids[index] === blobs?.get(path)?.id && same.add(path))
  }
  return same
}

interface Blob {
  id: string
  size: number
  isFile: boolean
}

async function listBlobs(
  top: string,
  commit: string,
  paths: readonly string[],
  program: GitProgram,
): Promise<Map<string, Blob> | null> {
  if (paths.length === 0) return new Map()
  const names = paths.map((path) => nameIn(top, path))
  const args = ['ls-tree', '-z', '-l', '--full-tree', commit, '--', ...names]
  const env = { ...(program.env ?? process.env), ...namesOnly }
  const answer = await runGit({ ...program, env, folder: top, args })
  if (answer?.code !== 0 || !answer.isWhole) return null
  const blobs = new Map<string, Blob>()
  for (const entry of readList(answer.output)) {
    const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]*)$/.exec(entry)
    if (!match) continue
    const [, mode, type, id = '', size, name = ''] = match
    const isFile = type === 'blob' && mode !== '120000'
    blobs.set(join(top, ...name.split('/')), { id, size: Number(size), isFile })
  }
  return blobs
}

/** The contents of blobs. The size that git prints is wrong for a filtered blob, so our own marker separates them. */
async function readBlobs(
  top: string,
  paths: readonly string[],
  idOf: (path: string) => string,
  isFiltered: boolean,
  maxBytes: number,
  program: GitProgram,
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  if (paths.length === 0) return contents
  const mark = randomBytes(16).toString('hex')
  const args = ['cat-file', `--batch=${mark}`, ...(isFiltered ? ['--filters'] : [])]
  const input = paths.map((path) => `${idOf(path)}${isFiltered ? ` ${nameIn(top, path)}` : ''}\n`).join('')
  // Filters may make a text longer; a content cut at the limit is then unknown.
  const limit = Math.min(paths.length * maxBytes * 2, 512 * 1024 * 1024)
  const answer = await withoutFilters({ ...program, folder: top, args, input, maxBytes: limit })
  if (!answer) return contents
  // Only the filter knows such a file's content in a checkout.
  const names = paths.map((path) => nameIn(top, path))
  const filtered = await findFiltered({ ...program, folder: top }, names, answer.filters)
  if (filtered === null) return contents
  const { output } = answer
  const head = Buffer.from(`${mark}\n`)
  let at = output.indexOf(head)
  for (const path of paths) {
    if (at < 0) break
    const begin = at + head.length
    const next = output.indexOf(head, begin)
    const isLast = next < 0
    if (isLast && !(answer.code === 0 && answer.isWhole)) break
    // Git adds a line break after each content.
    if (!filtered.has(nameIn(top, path)))
      contents.set(path, output.subarray(begin, (isLast ? output.length : next) - 1))
    at = next
  }
  return contents
}

function nameIn(top: string, path: string): string {
  return relative(top, path).split(sep).join('/')
}

function readList(output: Buffer | undefined): string[] {
  return (
    output
      ?.toString('utf8')
      .split('\0')
      .filter((entry) => entry !== '') ?? []
  )
}
