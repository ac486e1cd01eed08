/** An option's name, and what stands behind its `=`; null without one. */
export function splitOption(word: string): { name: string; given: string | null } {
  const equals = word.indexOf('=')
  return equals < 0
    ? { name: word, given: null }
    : { name: word.slice(0, equals), given: word.slice(equals + 1) }
}
