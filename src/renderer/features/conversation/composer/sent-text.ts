/** What is left of a text of which a part has been sent: all that was typed since, wherever in it that was. */
export function withoutSent(now: string, sent: string): string {
  // Never half a character.
  const [left, gone] = [Array.from(now), Array.from(sent)]
  const most = Math.min(left.length, gone.length)
  let before = 0
  while (before < most && left[before] === gone[before]) before++
  let behind = 0
  while (behind < most - before && left.at(-1 - behind) === gone.at(-1 - behind)) behind++
  return left.slice(before, left.length - behind).join('')
}
