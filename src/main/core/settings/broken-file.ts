import { basename } from 'node:path'
import { systemCode } from '../files/file-failure'
import { setAside } from '../files/json-file'
import { readBytesSync } from '../files/regular-file'
import { parseSettings } from './settings-text'

/**
 * Sets aside a settings file that can't be read as an object (comments and trailing commas are allowed). Returns a
 * sentence for the person, or null if the file is fine or absent.
 */
export function setAsideWhenBroken(path: string, now: () => Date = () => new Date()): string | null {
  try {
    if (parseSettings(readBytesSync(path).toString('utf8')) !== null) return null
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
  }
  const aside = setAside(path, now())
  return aside
    ? `${basename(path)} wasn’t valid JSON, so it was moved to ${aside} and the defaults apply. Fix it there, or change your settings again.`
    : `${basename(path)} can be neither read nor moved away. Check ${path}.`
}
