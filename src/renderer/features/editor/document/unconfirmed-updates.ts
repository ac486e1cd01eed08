import { diff } from '@codemirror/merge'
import { ChangeSet, type Text } from '@codemirror/state'
import { changesBetween } from '../../../../shared/text/line-diff'

/** A change of the page that the host has not confirmed. */
export interface LocalUpdate {
  changes: ChangeSet
}

/** A change to apply: one of our own that the host turns out to have, or the rest of the host's text. */
interface Taken {
  changes: ChangeSet
  own: boolean
}

/**
 * The changes from the host's text that we last had, `synced`, to its new snapshot, after a lost link. The host has the
 * first `arrived` of our unconfirmed updates: they come first and confirm themselves, the snapshot's other changes come
 * after them. The first update is relative to `synced`, each other to the one before.
 */
export function reconcile(
  synced: Text,
  unconfirmed: readonly LocalUpdate[],
  arrived: number,
  snapshot: Text,
): Taken[] {
  const own = unconfirmed.slice(0, arrived).map(({ changes }): Taken => ({ changes, own: true }))
  const withOwn = own.reduce((text, { changes }) => changes.apply(text), synced)
  return [...own, ...rest(withOwn, snapshot)]
}

function rest(before: Text, after: Text): Taken[] {
  if (before.eq(after)) return []
  return [{ changes: refine(before, changesBetween(before, after)), own: false }]
}

/** Hunks up to this long are compared by character, longer ones only trimmed. */
const longestCompared = 4000

/** Makes changes of whole lines as small as possible, so that positions beside them stay. */
function refine(before: Text, lines: ChangeSet): ChangeSet {
  const changes: { from: number; to: number; insert: Text }[] = []
  lines.iterChanges((from, to, _fromB, _toB, insert) => {
    const [old, now] = [before.sliceString(from, to), insert.toString()]
    const scanLimit = old.length + now.length <= longestCompared ? longestCompared : 1
    for (const part of diff(old, now, { scanLimit })) {
      changes.push({
        from: from + part.fromA,
        to: from + part.toA,
        insert: insert.slice(part.fromB, part.toB),
      })
    }
  })
  return ChangeSet.of(changes, before.length)
}
