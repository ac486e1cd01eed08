import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { isWithin } from '../../../shared/text/path-name'

/** More than this are no help to anybody. */
const most = 8

/**
 * The places outside of all folders that a command plainly names, as it names them: words that are absolute, or begin
 * with `~` or go up. What a variable or another program makes of it isn't known, so nothing is said of any other command.
 */
export function commandPlaces(
  command: string,
  cwd: string,
  folders: readonly string[],
  home: string = homedir(),
): string[] {
  const inside = [...folders, cwd]
  const places = wordsOf(command).filter((word) => {
    const path = pathOf(word, cwd, home)
    return path !== null && !isDevice(path) && !inside.some((folder) => isWithin(folder, path))
  })
  return [...new Set(places)].slice(0, most)
}

/** Words as a shell divides them; quotes go, and so does what joins commands or redirects. */
function wordsOf(command: string): string[] {
  const words: string[] = []
  let word = ''
  let quote: string | null = null
  const end = (): void => {
    if (word !== '') words.push(word)
    word = ''
  }
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? ''
    if (quote !== null) {
      if (char === quote) quote = null
      else word += char
    } else if (char === '"' || char === "'") quote = char
    else if (char === '\\' && process.platform !== 'win32') word += command[++at] ?? ''
    else if (/[\s;&|<>()`]/.test(char)) end()
    // What an option or an assignment is given is a word of its own.
    else if (char === '=') end()
    else word += char
  }
  end()
  return words
}

/** Where a word points; null if it isn't plainly a path. */
function pathOf(word: string, cwd: string, home: string): string | null {
  // A sentence or an expression in quotes; an address.
  if (/[\n*?$]/.test(word.split('/').slice(0, 2).join('/')) || word.startsWith('//')) return null
  if (word === '~' || /^~[/\\]/.test(word)) return resolve(home, word.slice(2))
  if (/^\.\.(?:[/\\]|$)/.test(word) || /[/\\]\.\.(?:[/\\]|$)/.test(word)) return resolve(cwd, word)
  return isAbsolute(word) && word.length > 1 ? resolve(word) : null
}

function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(path)
}
