/** What was typed to go to a file: letters of its path, and the place in it, counted from 0. */
export interface TypedPlace {
  letters: string
  at: { line: number; character: number } | null
}

/** Reads `name:line:column` and `name(line,column)`, as compilers write them; lines and columns are typed from 1. */
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
