/** A part of a line of output that may name a file. Line and column count from 1, as written. */
export interface FileWord {
  /** Where the word and its place begin and end in the line. */
  from: number
  to: number
  name: string
  line: number | null
  column: number | null
}

/** A word of path characters that holds a dot or a slash, with `:line:column` or `(line,column)` behind it. */
const word =
  /(?:file:\/\/)?(?:[A-Za-z]:[\\/])?[\p{L}\p{N}_@~.+%#$&=/\\\-[\]()]*[\p{L}\p{N}_@~+%$&=/\\\-\])](?:\.[\p{L}\p{N}_+-]+)*(?::\d{1,7}(?::\d{1,7})?|,\d{1,7}\))?/gu
/** A place as some compilers write it. */
const inParentheses = /\((\d{1,7})(?:[,:](\d{1,7}))?\)$/
/** As Python writes it. */
const python = /File "([^"]+)", line (\d{1,7})/g

/** Longer lines are data, not messages. */
const longest = 4000

/** The words of a line of output that may name files, at most 50; the caller asks which do. */
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
  // Brackets around the word belong to the sentence, not the name.
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
  // Web addresses have a link provider of their own.
  if (/^[a-z]{2,}:\/\//i.test(name) && !name.startsWith('file://')) return null
  return {
    from,
    to,
    name,
    line: place ? Number(place[1]) : null,
    column: place?.[2] === undefined ? null : Number(place[2]),
  }
}
