import { diffLines } from '../../../shared/text/line-diff'

/** The longest account of a change, in characters; what is longer has to be read. */
const longestAccount = 16 * 1024

/**
 * For the model: what the person made of a change that they accepted in part or edited, as the lines that differ from
 * what was proposed.
 */
export function toolChangeWords(path: string, proposed: string, accepted: string): string {
  const head = `The person changed this before it was written: ${path} does not hold what you proposed.`
  const before = linesOf(proposed)
  const after = linesOf(accepted)
  const places = diffLines(before, after).map(({ fromA, toA, fromB, toB }) =>
    [
      `From line ${fromB + 1}:`,
      ...before.slice(fromA, toA).map((line) => `- ${line}`),
      ...after.slice(fromB, toB).map((line) => `+ ${line}`),
    ].join('\n'),
  )
  const account = places.join('\n')
  if (places.length === 0) return `${head} Only the ends of its lines differ.`
  if (account.length > longestAccount) return `${head} Read it again before you change it.`
  return `${head} Lines with - were proposed and are not in the file, those with + are in their place.\n${account}`
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}
