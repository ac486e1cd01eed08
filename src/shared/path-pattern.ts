/** How many stars in one name, and `**` in one pattern, are matched exactly. */
const mostStars = 3
const mostDoubleStars = 2

/**
 * Makes a pattern quick to match: with too many stars it is made to forbid more, never less. A folder's settings may
 * come from a stranger, and a regular expression can be made to take years.
 */
export function widen(pattern: string): string {
  const isNegative = pattern.startsWith('!')
  const parts = (isNegative ? pattern.slice(1) : pattern).split('/')
  const doubles = parts.flatMap((part, index) => (part === '**' ? [index] : []))
  const [first, last] = [doubles[0], doubles.at(-1)]
  const isTooDeep = doubles.length > mostDoubleStars
  const fewer =
    isTooDeep && first !== undefined && last !== undefined
      ? parts.toSpliced(first, last - first + 1, '**')
      : parts
  const simple = fewer.map(widenName)
  const isWider = isTooDeep || simple.some((part, index) => part !== fewer[index])
  // A negated pattern that allowed more than it says would reveal what is forbidden.
  if (isNegative) return isWider ? '' : pattern
  return simple.join('/')
}

function widenName(name: string): string {
  if (name === '**') return name
  const runs = name.split(/\*+/)
  if (runs.length - 1 <= mostStars) return name
  if (/[\\[\]]/.test(name)) return '*'
  return `${runs[0] ?? ''}*${runs.at(-1) ?? ''}`
}
