import ignore from 'ignore'

/** Which paths in a folder are searched, by the person's globs. Paths are relative, with `/`. */
export interface GlobFilter {
  /** Globs in .gitignore syntax, braces already expanded; empty for everything. */
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
  has(path: string): boolean
}

/**
 * Parses globs as typed: separated by commas, `{a,b}` for either, `!` before one to leave out. A name alone matches at
 * any depth, and a folder's name matches everything in it. `always` are globs that are left out in any case.
 */
export function readGlobs(include: string, exclude: string, always: readonly string[] = []): GlobFilter {
  const all = splitGlobs(include)
  const includes = all.filter((glob) => !glob.startsWith('!'))
  const excludes = [
    ...always.filter((glob) => !glob.startsWith('!')),
    ...splitGlobs(exclude).map((glob) => glob.replace(/^!/, '')),
    ...all.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
  ].filter((glob) => glob !== '')
  const wanted = includes.length > 0 ? ignore().add([...includes]) : null
  const unwanted = ignore().add(excludes)
  return {
    includes,
    excludes,
    has: (path) => (wanted === null || wanted.ignores(path)) && !unwanted.ignores(path),
  }
}

function splitGlobs(typed: string): string[] {
  return splitAtCommas(typed)
    .flatMap(spreadBraces)
    .map((glob) => {
      const plain = glob.trim().replaceAll('\\', '/')
      const [, not = '', rest = ''] = /^(!?)(?:\.\/)?(.*)$/.exec(plain) ?? []
      // A leading "./" anchors a glob; a "#" begins no comment here.
      const anchored = plain.slice(not.length).startsWith('./') && !rest.startsWith('/') ? `/${rest}` : rest
      return anchored === '' ? '' : not + anchored.replace(/^#/, '\\#')
    })
    .filter((glob) => glob !== '')
}

/** Splits at commas outside of braces. */
function splitAtCommas(typed: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of typed) {
    if (letter === '{') depth++
    if (letter === '}') depth = Math.max(0, depth - 1)
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

/** Expands `a{b,c}d` to `abd` and `acd`. Stops at 200 results. */
function spreadBraces(glob: string): string[] {
  let ways = [glob]
  for (;;) {
    const next = ways.flatMap((way) => {
      const found = /^([^{}]*)\{([^{}]*)\}(.*)$/.exec(way)
      if (!found) return [way]
      const [, before = '', inner = '', after = ''] = found
      return inner.split(',').map((one) => before + one + after)
    })
    if (next.length === ways.length && next.every((way, at) => way === ways[at])) return ways
    if (next.length > 200) return ways
    ways = next
  }
}
