import type { Stats } from 'node:fs'
import { lstat, mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'
import { outputOf } from './child-process'

/** What decides where the trash is: the system's rules, its environment, and the account. */
export interface TrashPlace {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  home: string
  /** The account's number; undefined on Windows. */
  uid: number | undefined
  now?: () => Date
}

/** The trash of this process's account. */
export function trashOfProcess(): TrashPlace {
  const { platform, env } = process
  return { platform, env, home: env['HOME'] ?? homedir(), uid: process.getuid?.() }
}

/** Null if the file is in the trash; otherwise why not, as the middle of a sentence. */
export type TrashAnswer = string | null

/** A program with its arguments, and the variables that are passed to it. */
export interface TrashCommand {
  program: string
  args: string[]
  env: Record<string, string>
}

/** How many names are tried in the trash. */
const mostAttempts = 10_000
/** How long a desktop's own program may take, in milliseconds. */
const patience = 60_000

/**
 * Moves a file, link or folder to the desktop's trash, from which the person can take it back. Nothing is ever deleted:
 * what the trash doesn't take stays where it is.
 */
export async function moveToTrash(path: string, place: TrashPlace): Promise<TrashAnswer> {
  switch (place.platform) {
    case 'darwin':
      // An alias of a link resolves to the link's target, which would go to the trash instead.
      if ((await lstatOf(path))?.isSymbolicLink()) return 'the Finder would take what the link leads to'
      return runTrash(macTrashCommand(path), place.env)
    case 'win32': {
      const found = await lstatOf(path)
      return found ? runTrash(windowsTrashCommand(path, found.isDirectory()), place.env) : 'it is gone'
    }
    default:
      return moveToFreedesktopTrash(path, place)
  }
}

/** Asks the Finder, which also remembers where the file was. The path is an argument of the script, not part of it. */
export function macTrashCommand(path: string): TrashCommand {
  const lines = [
    'on run argv',
    'tell application "Finder" to delete (POSIX file (item 1 of argv) as alias)',
    'end run',
  ]
  return { program: '/usr/bin/osascript', args: [...lines.flatMap((line) => ['-e', line]), path], env: {} }
}

/** Calls .NET's recycle bin. The path is passed as a variable, not as part of the script. */
export function windowsTrashCommand(path: string, isFolder: boolean): TrashCommand {
  const call = isFolder ? 'DeleteDirectory' : 'DeleteFile'
  const script =
    'Add-Type -AssemblyName Microsoft.VisualBasic; ' +
    `[Microsoft.VisualBasic.FileIO.FileSystem]::${call}($env:GREENLIGHT_TRASH_PATH, 'OnlyErrorDialogs', 'SendToRecycleBin', 'ThrowException')`
  return {
    program: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
    env: { GREENLIGHT_TRASH_PATH: path },
  }
}

async function runTrash(
  { program, args, env }: TrashCommand,
  base: Record<string, string | undefined>,
): Promise<TrashAnswer> {
  const { hasFailed } = await outputOf(program, args, { env: { ...base, ...env }, timeout: patience })
  return hasFailed ? 'the system’s trash refused it' : null
}

/**
 * The trash as freedesktop.org describes it (Trash specification 1.0): the home trash for files on the same file
 * system, otherwise one at the top of the other file system, owned by this account.
 */
async function moveToFreedesktopTrash(path: string, place: TrashPlace): Promise<TrashAnswer> {
  const absolute = resolve(path)
  try {
    const found = await lstat(absolute)
    const folder = await findTrash(absolute, found, place)
    if (folder === null) return 'there is no trash on its file system'
    // Relative to the top unless it is the home trash, so that it stays right wherever that is mounted.
    const written = folder.top === null ? absolute : relative(folder.top, absolute)
    const taken = await reserve(
      folder.trash,
      basename(absolute),
      trashInfo(written, place.now?.() ?? new Date()),
    )
    try {
      await rename(absolute, join(folder.trash, 'files', taken.name))
      return null
    } catch (error) {
      await unlink(taken.info).catch(() => undefined)
      throw error
    }
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
        return 'it is gone'
      case 'EACCES':
      case 'EPERM':
        return 'there is no permission to move it there'
      case 'EROFS':
        return 'its file system is read-only'
      case 'ENOSPC':
      case 'EDQUOT':
        return 'the disk is full'
      case 'EXDEV':
      case 'EBUSY':
        return 'it is the top of a file system'
      case '':
        throw error
      default:
        return `the system answered ${codeOf(error)}`
    }
  }
}

/** The description of a trashed file: where it was and when it went, in local time. */
export function trashInfo(path: string, now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
  // Encoded as in a URL, except for the slashes.
  const encoded = path.split(posix.sep).map(encodeURIComponent).join('/')
  return `[Trash Info]\nPath=${encoded}\nDeletionDate=${date}T${time}\n`
}

async function findTrash(
  path: string,
  found: Stats,
  { env, home, uid }: TrashPlace,
): Promise<{ trash: string; top: string | null } | null> {
  const data = env['XDG_DATA_HOME']
  const trash = join(data?.startsWith('/') ? data : join(home, '.local', 'share'), 'Trash')
  await makeTrash(trash).catch(() => undefined)
  const own = await lstatOf(join(trash, 'files'))
  if (own?.dev === found.dev) return { trash, top: null }
  const top = await topOf(path, found.dev)
  const shared = await lstatOf(join(top, '.Trash'))
  // Only with the sticky bit, and not a link: otherwise others could take what is in it.
  if (uid !== undefined && shared?.isDirectory() && (shared.mode & 0o1000) !== 0) {
    const mine = join(top, '.Trash', String(uid))
    if (await isMade(mine, uid)) return { trash: mine, top }
  }
  const mine = join(top, `.Trash-${uid ?? 0}`)
  return (await isMade(mine, uid)) ? { trash: mine, top } : null
}

async function isMade(trash: string, uid: number | undefined): Promise<boolean> {
  try {
    await makeTrash(trash)
    const made = await lstat(trash)
    return made.isDirectory() && (uid === undefined || made.uid === uid)
  } catch (error) {
    if (codeOf(error) === '') throw error
    return false
  }
}

async function makeTrash(trash: string): Promise<void> {
  await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 })
  await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 })
}

/** The highest folder above a path on the same file system. */
async function topOf(path: string, device: number): Promise<string> {
  for (let at = dirname(path); ; at = dirname(at)) {
    const above = dirname(at)
    if (above === at || (await lstat(above)).dev !== device) return at
  }
}

/** Reserves a name in the trash by writing its description first, as the specification requires. */
async function reserve(trash: string, name: string, text: string): Promise<{ name: string; info: string }> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const tried = attempt === 1 ? name : `${name}.${attempt}`
    const info = join(trash, 'info', `${tried}.trashinfo`)
    try {
      await writeFile(info, text, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      await unlink(info).catch(() => undefined)
      throw error
    }
    // A leftover without its description, which a rename would overwrite.
    if (!(await lstatOf(join(trash, 'files', tried)))) return { name: tried, info }
    await unlink(info)
  }
  throw Object.assign(new Error('no free name in the trash'), { code: 'EEXIST' })
}

async function lstatOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === '') throw error
    return undefined
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : ''
}
