/** One replacement of Claude Code's Edit. */
export interface TextReplacement {
  old_string: string
  new_string: string
  replace_all?: boolean | undefined
}

/**
 * A text after a replacement, as Claude Code's Edit makes it (measured; see docs/protocols/claude-sdk.md); null where it
 * refuses. The text has LF only, and no byte order mark.
 */
export function replaceAsClaude(
  text: string,
  { old_string, new_string, replace_all }: TextReplacement,
): string | null {
  if (old_string === '') return text.trim() === '' ? new_string : null
  const found = find(text, old_string, new_string)
  if (!found || found.old === found.new) return null
  if (replace_all !== true && text.split(found.old).length > 2) return null
  // A line that is removed takes its end along.
  const takesEnd = found.new === '' && !found.old.endsWith('\n') && text.includes(`${found.old}\n`)
  const old = takesEnd ? `${found.old}\n` : found.old
  return replace_all === true ? text.replaceAll(old, () => found.new) : text.replace(old, () => found.new)
}

/** The text that is meant as it is in the file, and what replaces it in the file's own manner. */
function find(text: string, wanted: string, by: string): { old: string; new: string } | null {
  if (text.includes(wanted)) return { old: wanted, new: by }
  const at = withStraightQuotes(text).indexOf(withStraightQuotes(wanted))
  if (at !== -1) {
    const old = text.slice(at, at + wanted.length)
    return { old, new: withQuotesOf(old, by) }
  }
  for (const isUpper of [false, true]) {
    const old = withEscapes(wanted, isUpper)
    if (old !== wanted && text.includes(old)) return { old, new: withEscapes(by, isUpper) }
  }
  return null
}

function withStraightQuotes(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"')
}

/** With curly quotes of the kinds that `old` has. */
function withQuotesOf(old: string, text: string): string {
  const withDouble = /[“”]/.test(old)
    ? text.replaceAll('"', (_, at: number) => (opensAt(text, at) ? '“' : '”'))
    : text
  if (!/[‘’]/.test(old)) return withDouble
  return withDouble.replaceAll("'", (_, at: number) => {
    const isApostrophe = isLetter(withDouble[at - 1]) && isLetter(withDouble[at + 1])
    return !isApostrophe && opensAt(withDouble, at) ? '‘' : '’'
  })
}

function opensAt(text: string, at: number): boolean {
  return at === 0 || /[\s([{—–]/.test(text[at - 1] ?? '')
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /\p{L}/u.test(sign)
}

/** With everything but ASCII as `\u` and four digits. */
function withEscapes(text: string, isUpper: boolean): string {
  return text.replace(/[^\0-\x7f]/g, (sign) => {
    const digits = sign.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${isUpper ? digits.toUpperCase() : digits}`
  })
}
