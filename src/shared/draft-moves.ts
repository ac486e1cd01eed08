import type { ChangeSet } from '@codemirror/state'
import type { Draft, Hunk } from './draft'

/** Places the changes of an undecided draft on the text after `disk`, each with the result's text for its range. */
export function moveHunks(plain: Draft, disk: ChangeSet): { hunk: Hunk; text: string }[] {
  const edits: { from: number; to: number; growth: number }[] = []
  disk.iterChangedRanges((from, to, newFrom, newTo) => {
    edits.push({ from, to, growth: newTo - newFrom - (to - from) })
  })
  const moved: { hunk: Hunk; text: string }[] = []
  let growth = 0
  let shiftB = 0
  let e = 0
  let h = 0
  while (h < plain.hunks.length) {
    const first = plain.hunks[h]
    if (!first) break
    for (let edit = edits[e]; edit && edit.to < first.fromA; edit = edits[++e]) growth += edit.growth
    // Everything that touches, hunks and edits in turn, is one region.
    let from = first.fromA
    let to = first.toA
    let endH = h + 1
    let growthInside = 0
    const firstEdit = e
    for (let grown = true; grown;) {
      grown = false
      for (let edit = edits[e]; edit && edit.from <= to; edit = edits[++e]) {
        from = Math.min(from, edit.from)
        to = Math.max(to, edit.to)
        growthInside += edit.growth
        grown = true
      }
      for (
        let hunk = plain.hunks[endH];
        hunk && e > firstEdit && hunk.fromA <= to;
        hunk = plain.hunks[++endH]
      ) {
        to = Math.max(to, hunk.toA)
        grown = true
      }
    }
    const region = plain.hunks.slice(h, endH)
    const growthB = region.reduce((sum, hunk) => sum + hunk.toB - hunk.fromB - (hunk.toA - hunk.fromA), 0)
    const newFrom = from + growth
    const newTo = to + growth + growthInside
    const text = plain.b.sliceString(from + shiftB, to + shiftB + growthB)
    region.forEach((hunk, i) => {
      const [fromA, toA] = i === 0 ? [newFrom, newTo] : [newTo, newTo]
      moved.push({
        hunk: { ...hunk, fromA, toA, fromB: 0, toB: 0, conflict: hunk.conflict || e > firstEdit },
        text: i === 0 ? text : '',
      })
    })
    growth += growthInside
    shiftB += growthB
    h = endH
  }
  let shift = 0
  return moved.map(({ hunk, text }) => {
    const fromB = hunk.fromA + shift
    const toB = fromB + text.length
    shift += text.length - (hunk.toA - hunk.fromA)
    return { hunk: { ...hunk, fromB, toB }, text }
  })
}
