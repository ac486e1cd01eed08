/** What was typed to go to a file: letters of its path, and a place in it that counts from 0. */
interface TypedPlace {
  letters: string
  at: { line: number; character: number } | null
}

/** Reads `name:line:column` and `name(line,column)`, as compilers write them, with lines and columns from 1. */
export function readTypedPlace(typed: string): TypedPlace {
  const found =
    /^(.*?):(\d{1,9})?(?::(\d{0,9}))?$/.exec(typed.trim()) ??
    /^(.*?)\((\d{1,9})(?:,(\d{1,9}))?\)$/.exec(typed.trim())
  if (!found) return { letters: typed.trim(), at: null }
  const [, letters = '', line = '', column = ''] = found
  if (line === '') return { letters, at: null }
  return { letters, at: { line: fromOne(line), character: fromOne(column) } }
}

function fromOne(digits: string): number {
  return Math.max(0, Number(digits) - 1)
}
