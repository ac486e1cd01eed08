import { resolve } from 'node:path'
import { isWithin } from '../../shared/text/path-name'

/**
 * The person's words in Electron's argv. When the app is not packaged, the switches of Electron and Chromium stand
 * before the app's own path, and the words after it; packaged, only the program itself stands before them.
 */
export function programArguments(
  argv: readonly string[],
  app: { path: string; packaged: boolean },
  cwd: string,
): string[] {
  const words = argv.slice(1)
  if (app.packaged) return words
  const at = words.findIndex((word) => {
    if (word.startsWith('-')) return false
    return isWithin(app.path, resolve(cwd, word))
  })
  return at < 0 ? words.filter((word) => !word.startsWith('-')) : words.slice(at + 1)
}
