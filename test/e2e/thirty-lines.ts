const numbers = Array.from({ length: 30 }, (_, index) => index + 1)

/** A text of thirty lines, those that change in capitals. */
export function linesWith(changed: readonly number[], eol = '\n'): string {
  return numbers.map((number) => `${changed.includes(number) ? 'LINE' : 'line'} ${number}${eol}`).join('')
}
