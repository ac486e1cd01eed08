/** The letters of a list of paths, prepared for being matched again and again. */
export interface PreparedPaths {
  readonly paths: readonly string[]
  /** The small letters of all paths one after another, and what each is worth where it stands. */
  readonly letters: Uint16Array
  readonly worths: Uint8Array
  /** Where each path begins; one more, for the end. */
  readonly starts: Uint32Array
  /** Where each path's file name begins. */
  readonly names: Uint32Array
  /** Which letters each path has, as bits: most are refused by one look at it. */
  readonly masks: Int32Array
}

/** Prepares paths, written with `/`. */
export function preparePaths(paths: readonly string[]): PreparedPaths {
  const starts = new Uint32Array(paths.length + 1)
  let total = 0
  for (const [index, path] of paths.entries()) {
    starts[index] = total
    total += path.length
  }
  starts[paths.length] = total
  const letters = new Uint16Array(total)
  const worths = new Uint8Array(total)
  const names = new Uint32Array(paths.length)
  const masks = new Int32Array(paths.length)
  let place = 0
  for (const [index, path] of paths.entries()) {
    const small = toLower(path)
    const name = path.lastIndexOf('/') + 1
    names[index] = place + name
    let mask = 0
    let before = 47
    let isHumpBefore = true
    for (let at = 0; at < path.length; at++, place++) {
      const code = small.charCodeAt(at)
      const isHump = path.charCodeAt(at) !== code
      mask |= bitOf(code)
      letters[place] = code
      worths[place] = worthOf(at - name, before, isHump && !isHumpBefore)
      before = code
      isHumpBefore = isHump
    }
    masks[index] = mask
  }
  return { paths, letters, worths, starts, names, masks }
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

/**
 * A letter counts more in the name, most at its start, and where a part or a word of the path begins. `inName` is its
 * place in the name, below 0 before it.
 */
function worthOf(inName: number, before: number, isHump: boolean): number {
  const base = inName >= 0 ? 22 : 16
  if (inName === 0) return base + 22
  if (before === 47) return base + 14
  if (before === 45 || before === 95 || before === 46 || before === 32 || isHump) return base + 12
  return base
}
