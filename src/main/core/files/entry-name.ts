import { succeed, type Result } from '../../../shared/result'
import { fileFailure, type FileFailure } from './file-failure'

/** In bytes of UTF-8; usual file systems accept no longer names. */
const longest = 255
const reservedOnWindows = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i

/** Whether a file can have this name; the failure's sentence says what is wrong with it. */
export function checkName(
  name: string,
  platform: NodeJS.Platform = process.platform,
): Result<string, FileFailure> {
  if (name.trim() === '') return refuse('Type a name.')
  if (name === '.' || name === '..')
    return refuse(`“${name}” already refers to a folder. Choose another name.`)
  if (name.includes('/')) return refuse('A name can’t contain “/”. Choose another name.')
  if (name.includes('\0')) return refuse('A name can’t contain a NUL character. Choose another name.')
  if (Buffer.byteLength(name) > longest) return refuse('The name is too long. Choose a shorter one.')
  if (platform !== 'win32') return succeed(name)
  const sign = /[\\:*?"<>|]/.exec(name)?.[0]
  if (sign) return refuse(`Windows doesn’t allow “${sign}” in a name. Choose another name.`)
  if (/[\u0001-\u001f]/.test(name))
    return refuse('Windows doesn’t allow control characters in a name. Choose another name.')
  if (/[. ]$/.test(name))
    return refuse('On Windows a name can’t end with a dot or a space. Choose another name.')
  if (reservedOnWindows.test(name))
    return refuse(`Windows reserves “${name}” for a device. Choose another name.`)
  return succeed(name)
}

/** The name of a copy next to the original: "a copy.txt", "a copy 2.txt". Dots at the start belong to the name. */
export function copyName(name: string, isFolder: boolean, attempt: number): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  // A copy of a copy gets the next number rather than another "copy".
  const base = stem.replace(/ copy(?: \d+)?$/, '') || stem
  return `${base} copy${attempt > 1 ? ` ${attempt}` : ''}${ending}`
}

function refuse(message: string): { ok: false; failure: FileFailure } {
  return fileFailure('bad-name', message)
}
