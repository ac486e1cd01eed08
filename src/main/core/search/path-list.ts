/** Pieces of text one after another: their small letters, and what each letter is worth where it stands. */
export interface Pieces {
  readonly letters: Uint16Array
  readonly worths: Uint8Array
  /** Where each piece begins; one more, for the end. */
  readonly starts: Uint32Array
  /** Which letters each piece has, as bits: most are refused by one look at it. */
  readonly masks: Int32Array
}

/**
 * The letters of a list of paths, prepared for being matched again and again. Many files lie in one folder: its part of
 * their paths is held, and matched, once.
 */
export interface PathList {
  readonly paths: readonly string[]
  /** The file names. */
  readonly names: Pieces
  /** What stands before the names, to its last `/`, each once. */
  readonly folders: Pieces
  /** Which of `folders` each path begins with. */
  readonly folderOf: Uint32Array
  /** The number of each text before a name. */
  readonly folderNumbers: ReadonlyMap<string, number>
}

/** Prepares paths, written with `/`. */
export function preparePaths(paths: readonly string[]): PathList {
  const folderOf = new Uint32Array(paths.length)
  const folderNumbers = new Map<string, number>()
  const names: string[] = []
  let folder = ''
  let number = -1
  for (let index = 0; index < paths.length; index++) {
    const path = paths[index] ?? ''
    const name = path.lastIndexOf('/') + 1
    // Files of one folder mostly follow one another.
    if (number === -1 || name !== folder.length || !path.startsWith(folder)) {
      folder = path.slice(0, name)
      number = folderNumbers.get(folder) ?? folderNumbers.size
      folderNumbers.set(folder, number)
    }
    folderOf[index] = number
    names.push(path.slice(name))
  }
  return {
    paths,
    names: readPieces(names, true),
    folders: readPieces([...folderNumbers.keys()], false),
    folderOf,
    folderNumbers,
  }
}

/** The number of a path in its list; undefined where it is not in it. */
export function numberOf({ paths, folderOf, folderNumbers }: PathList, path: string): number | undefined {
  const folder = folderNumbers.get(path.slice(0, path.lastIndexOf('/') + 1))
  if (folder === undefined) return undefined
  const first = folderOf.indexOf(folder)
  for (let index = first; index < paths.length; index++) {
    if (folderOf[index] === folder && paths[index] === path) return index
  }
  return undefined
}

/** Lower case of the same length: a letter whose small form has another length stays as it is. */
export function toLower(text: string): string {
  const small = text.toLowerCase()
  if (small.length === text.length) return small
  return Array.from({ length: text.length }, (_, at) => {
    const one = text.charAt(at).toLowerCase()
    return one.length === 1 ? one : text.charAt(at)
  }).join('')
}

/** The bit of a letter in a mask: letters have one each, other signs share some. */
export function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  if (code >= 48 && code <= 57) return 1 << 26
  if (code === 46) return 1 << 27
  if (code === 45 || code === 95) return 1 << 28
  if (code === 47) return 1 << 29
  return code < 128 ? 1 << 30 : 1 << 31
}

function readPieces(texts: readonly string[], areNames: boolean): Pieces {
  const starts = new Uint32Array(texts.length + 1)
  let total = 0
  for (let index = 0; index < texts.length; index++) {
    starts[index] = total
    total += texts[index]?.length ?? 0
  }
  starts[texts.length] = total
  const letters = new Uint16Array(total)
  const worths = new Uint8Array(total)
  const masks = new Int32Array(texts.length)
  let place = 0
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index] ?? ''
    const small = isPlain(text) ? null : toLower(text)
    let mask = 0
    let before = 47
    let isHumpBefore = true
    for (let at = 0; at < text.length; at++) {
      const own = text.charCodeAt(at)
      const code = small === null ? (own >= 65 && own <= 90 ? own + 32 : own) : small.charCodeAt(at)
      const isHump = own !== code
      mask |= bitOf(code)
      letters[place] = code
      worths[place] = worthOf(areNames, areNames && at === 0, before, isHump && !isHumpBefore)
      before = code
      isHumpBefore = isHump
      place++
    }
    masks[index] = mask
  }
  return { letters, worths, starts, masks }
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

/** A letter counts more in the name, most at its start, and where a part or a word of the path begins. */
function worthOf(isInName: boolean, isNameStart: boolean, before: number, isHump: boolean): number {
  const base = isInName ? 22 : 16
  if (isNameStart) return base + 22
  if (before === 47) return base + 14
  if (before === 45 || before === 95 || before === 46 || before === 32 || isHump) return base + 12
  return base
}
