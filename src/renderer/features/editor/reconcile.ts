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
 * Our last push may have arrived although its answer did not. It is only taken to have where that is as good as
 * certain; else it is made once more, for text that stands twice can be deleted and text that is lost is lost.
 * Updates are relative to `synced`, each to the one before; `advance` is how many updates the host's version went on,
 * negative when it began to count anew.
 */
export function reconcile(
  synced: Text,
  unconfirmed: readonly LocalUpdate[],
  pushed: { count: number; accepted: boolean } | null,
  snapshot: Text,
  advance: number,
): Taken[] {
  const arrived = unconfirmed.slice(0, pushed?.count ?? 0)
  const [first, ...others] = arrived
  if (!pushed || !first) return rest(synced, snapshot)
  const isTooFew = advance >= 0 && advance < pushed.count
  if (isTooFew && !pushed.accepted) return rest(synced, snapshot)
  const push = others.reduce((changes, update) => changes.compose(update.changes), first.changes)
  const withPush = push.apply(synced)
  const confirmed = arrived.map(({ changes }): Taken => ({ changes, own: true }))
  if (pushed.accepted || withPush.eq(snapshot)) return [...confirmed, ...rest(withPush, snapshot)]
  const without = rest(synced, snapshot)
  return explains(push, without) ? [...confirmed, ...rest(withPush, snapshot)] : without
}

/** Inserted text of this length does not stand in the same place by chance. */
const tellingLength = 8

/** Whether a push is among the differences, each of its changes by itself or too long to be there by chance. */
function explains(push: ChangeSet, differences: readonly Taken[]): boolean {
  const found: { from: number; to: number; text: string }[] = []
  for (const { changes } of differences) {
    changes.iterChanges((from, to, _fromB, _toB, text) => found.push({ from, to, text: text.toString() }))
  }
  let all = true
  push.iterChanges((from, to, _fromB, _toB, inserted) => {
    const text = inserted.toString()
    const isThere = found.some((other) => {
      if (other.from === from && other.to === to && other.text === text) return true
      return text.length >= tellingLength && other.from <= from && other.to >= to && other.text.includes(text)
    })
    if (!isThere) all = false
  })
  return all
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
