import { diff } from '@codemirror/merge'
import { ChangeSet, type Text } from '@codemirror/state'
import { changesBetween } from '../../../shared/diff'

/** A change of the page that the host has not confirmed. */
export interface LocalUpdate {
  changes: ChangeSet
}

/** A change to take in: one of our own that the host turns out to have, or what else lies in the host's text. */
export interface Taken {
  changes: ChangeSet
  own: boolean
}

/**
 * What leads from the text we last had of the host to the one in its new snapshot, when the link was lost in between.
 * Our last push may have arrived although its answer did not: when `pushed` was accepted it has; else whichever of
 * the two leaves less to explain is taken to be so. Updates are relative to `synced`, each to the one before;
 * `advance` is how many updates the host's version went on, negative when it began to count anew.
 */
export function reconcile(
  synced: Text,
  unconfirmed: readonly LocalUpdate[],
  pushed: { count: number; accepted: boolean } | null,
  snapshot: Text,
  advance: number,
): Taken[] {
  const isTooFew = advance >= 0 && advance < (pushed?.count ?? 0)
  if (isTooFew) return rest(synced, snapshot)
  const arrived = unconfirmed.slice(0, pushed?.count ?? 0)
  const withPushed = arrived.reduce((text, update) => update.changes.apply(text), synced)
  const confirmed = arrived.map(({ changes }): Taken => ({ changes, own: true }))
  if (arrived.length > 0 && (pushed?.accepted === true || withPushed.eq(snapshot))) {
    return [...confirmed, ...rest(withPushed, snapshot)]
  }
  const without = rest(synced, snapshot)
  if (arrived.length === 0 || without.length === 0) return without
  const beyond = rest(withPushed, snapshot)
  return sizeOf(beyond) < sizeOf(without) ? [...confirmed, ...beyond] : without
}

function rest(before: Text, after: Text): Taken[] {
  if (before.eq(after)) return []
  return [{ changes: refine(before, changesBetween(before, after)), own: false }]
}

/** Hunks up to this long are compared by characters, longer ones only trimmed. */
const longestCompared = 4000

/** Makes changes of whole lines as small as they can be, so that what stands beside them keeps its place. */
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

/** How much a change removes and inserts. */
function sizeOf(taken: readonly Taken[]): number {
  let size = 0
  for (const { changes } of taken) {
    changes.iterChanges((fromA, toA, fromB, toB) => {
      size += toA - fromA + (toB - fromB)
    })
  }
  return size
}
