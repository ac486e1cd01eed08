/**
 * What is left of a draft after a text has been sent from it: what was typed meanwhile into, before or after that text.
 * A draft that was rewritten meanwhile stays whole: repeating a few words is better than losing a letter.
 */
export function withoutSent(now: string, sent: string): string {
  // Never half a character.
  const [left, gone] = [Array.from(now), Array.from(sent)]
  const most = Math.min(left.length, gone.length)
  let before = 0
  while (before < most && left[before] === gone[before]) before++
  let behind = 0
  while (behind < most - before && left.at(-1 - behind) === gone.at(-1 - behind)) behind++
  const isRewritten = before + behind < gone.length && before + behind < left.length
  return isRewritten ? now : left.slice(before, left.length - behind).join('')
}
