/** A part of a line of output that may name a file. Columns and lines are as written, counted from 1. */
export interface FileWord {
  /** Where it begins and ends in the line, with its place. */
  from: number
  to: number
  name: string
  line: number | null
  column: number | null
}

/** A word of path characters that holds a dot or a slash, with `:line:column` or `(line,column)` behind it. */
const word =
  /(?:file:\/\/)?(?:[A-Za-z]:[\\/])?[\p{L}\p{N}_@~.+%#$&=/\\\-[\]()]*[\p{L}\p{N}_@~+%$&=/\\\-\])](?:\.[\p{L}\p{N}_+-]+)*(?::\d{1,7}(?::\d{1,7})?|,\d{1,7}\))?/gu
/** The same place as some compilers write it. */
const inParentheses = /\((\d{1,7})(?:[,:](\d{1,7}))?\)$/
/** As Python says it. */
const python = /File "([^"]+)", line (\d{1,7})/g

/** Longer lines are no messages that name files. */
const longest = 4000

/** Words of a line of output that may name files; who shows them has to ask which do. At most 50. */
export function fileWordsOf(line: string): FileWord[] {
  const words: FileWord[] = []
  if (line.length > longest) return words
  const taken = (from: number, to: number) => words.some((other) => from < other.to && other.from < to)
  for (const match of line.matchAll(python)) {
    const from = match.index + 'File "'.length
    const name = match[1] ?? ''
    words.push({ from, to: from + name.length, name, line: Number(match[2]), column: null })
  }
  for (const match of line.matchAll(word)) {
    if (words.length >= 50) break
    const found = trimmed(match[0], match.index)
    if (found && !taken(found.from, found.to)) words.push(found)
  }
  return words
}

function trimmed(text: string, at: number): FileWord | null {
  let from = at
  let name = text
  // Brackets around the word are the sentence's, not the name's.
  while (/^[[(]/.test(name) && !(name.includes(']') && name.indexOf(']') < name.length - 1)) {
    name = name.slice(1)
    from++
  }
  const colons = /:(\d+)(?::(\d+))?$/.exec(name)
  const parentheses = colons ? null : inParentheses.exec(name)
  const place = colons ?? parentheses
  let to = from + name.length
  if (place) name = name.slice(0, place.index)
  else {
    const end = /[\])]+$/.exec(name)
    if (end && !/[[(]/.test(name)) {
      name = name.slice(0, end.index)
      to = from + name.length
    }
  }
  if (!/[./\\]/.test(name) || /^[./\\~]+$/.test(name) || /^\d+(?:\.\d+)*$/.test(name)) return null
  // An address is the other links' matter.
  if (/^[a-z]{2,}:\/\//i.test(name) && !name.startsWith('file://')) return null
  return {
    from,
    to,
    name,
    line: place ? Number(place[1]) : null,
    column: place?.[2] === undefined ? null : Number(place[2]),
  }
}
