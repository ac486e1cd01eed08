import { existsSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import { readBytesSync } from '../files/regular-file'
import { parseSettings } from './settings-text'

/**
 * Renames a JSON file (comments and trailing commas may be in it) that cannot be read as an object to NAME.broken-TIME, so that nothing of it is lost when a new
 * one is written. Gives a sentence for the person, or null when the file is in order or not there.
 */
export function setAsideWhenBroken(path: string, now: () => Date = () => new Date()): string | null {
  let text: string
  try {
    text = readBytesSync(path).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    text = '\0'
  }
  if (parseSettings(text) !== null) return null
  const aside = nameAside(path, now())
  try {
    renameSync(path, aside)
  } catch {
    return `${basename(path)} can be neither read nor moved away. Check ${path}.`
  }
  return `${basename(path)} wasn’t valid JSON, so it was moved to ${aside} and the defaults apply. Fix it there, or change your settings again.`
}

/** A name beside a file, not taken yet, under which it can be set aside: NAME.broken-TIME. */
export function nameAside(path: string, at: Date): string {
  const name = `${path}.broken-${at.toISOString().replaceAll(':', '-')}`
  let free = name
  for (let more = 2; existsSync(free); more++) free = `${name}-${more}`
  return free
}
