import { stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * For each word in a terminal's output, the file that it names, or null. Relative words are tried in each folder in
 * turn; the `a/` and `b/` of git's patches are removed if the word as it is names nothing.
 */
export async function findLinkedFiles(
  words: readonly string[],
  folders: readonly string[],
  home: string,
): Promise<(string | null)[]> {
  return Promise.all(
    words.map(async (word) => {
      for (const candidate of candidatesOf(word, folders, home)) {
        if (await isFile(candidate)) return candidate
      }
      return null
    }),
  )
}

function candidatesOf(word: string, folders: readonly string[], home: string): string[] {
  if (word === '' || word.includes('\0')) return []
  if (word.startsWith('file://')) {
    try {
      return [fileURLToPath(word)]
    } catch {
      return []
    }
  }
  if (/^~[/\\]/.test(word)) return [join(home, word.slice(2))]
  if (isAbsolute(word)) return [resolve(word)]
  const names = /^[ab]\//.test(word) ? [word, word.slice(2)] : [word]
  return names.flatMap((name) => folders.map((folder) => resolve(folder, name)))
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
