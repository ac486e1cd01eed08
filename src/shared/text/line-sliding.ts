import type { LineChange } from './line-change'

/** How many lines a block may be moved by. */
const furthestSlide = 200
/** How many blank lines to skip when judging the lines around an edge. */
const furthestLook = 20
const widestIndent = 200

/**
 * Moves blocks that could be in several places to where they read best. An added or removed block of lines is the same
 * diff one line further down if the line after it equals its first line. A block that can reach its neighbour joins it;
 * otherwise it starts and ends where the indentation is least and blank lines separate, so that an added function is
 * shown from its first line to the blank line after it, not from the brace before.
 */
export function slideChanges(
  a: readonly string[],
  b: readonly string[],
  changes: readonly LineChange[],
): LineChange[] {
  const done: LineChange[] = []
  // The next change to place comes last.
  const waiting = changes.toReversed()
  for (let change = waiting.pop(); change; change = waiting.pop()) {
    const previous = done.at(-1)
    const next = waiting.at(-1)
    const room = roomAround(change, previous, next, a.length)
    const range = slideRange(a, b, change, room)
    if (previous && range.up === room.above) {
      done.pop()
      waiting.push(join(previous, shift(change, -range.up)))
    } else if (next && range.down === room.below) {
      waiting.pop()
      waiting.push(join(shift(change, range.down), next))
    } else done.push(shift(change, bestShift(a, b, change, range)))
  }
  return done
}

/** How many equal lines are between a change and its neighbours (or the end of the text). */
function roomAround(
  change: LineChange,
  previous: LineChange | undefined,
  next: LineChange | undefined,
  length: number,
): { above: number; below: number } {
  return { above: change.fromA - (previous?.toA ?? 0), below: (next?.fromA ?? length) - change.toA }
}

function slideRange(
  a: readonly string[],
  b: readonly string[],
  change: LineChange,
  room: { above: number; below: number },
): { up: number; down: number } {
  const block = blockOf(a, b, change)
  let [up, down] = [0, 0]
  if (block) {
    const { lines, from, to } = block
    while (up < room.above && up < furthestSlide && lines[from - 1 - up] === lines[to - 1 - up]) up++
    while (down < room.below && down < furthestSlide && lines[from + down] === lines[to + down]) down++
  }
  return { up, down }
}

/** The side of a change that has lines, if the other has none; only such a change can move. */
function blockOf(a: readonly string[], b: readonly string[], change: LineChange) {
  if (change.fromA === change.toA) return { lines: b, from: change.fromB, to: change.toB }
  if (change.fromB === change.toB) return { lines: a, from: change.fromA, to: change.toA }
  return undefined
}

function bestShift(
  a: readonly string[],
  b: readonly string[],
  change: LineChange,
  range: { up: number; down: number },
): number {
  const block = blockOf(a, b, change)
  if (!block) return 0
  let best = 0
  let lowest = Infinity
  for (let by = range.down; by >= -range.up; by--) {
    const cost = edgeCost(block.lines, block.from + by) + edgeCost(block.lines, block.to + by)
    if (cost < lowest) [best, lowest] = [by, cost]
  }
  return best
}

/**
 * How bad an edge of a block before line `at` is: deep indentation is bad, a line that closes the block above is worse;
 * a blank line above is good, one below is less good.
 */
function edgeCost(lines: readonly string[], at: number): number {
  if (at === 0) return -1
  let first = at
  while (first < lines.length && first - at < furthestLook && isBlank(lines[first])) first++
  let last = at - 1
  while (last >= 0 && at - 1 - last < furthestLook && isBlank(lines[last])) last--
  const blankBelow = first > at
  const blankAbove = last < at - 1
  const indent = first < lines.length ? indentOf(lines[first]) : 0
  const above = last >= 0 ? indentOf(lines[last]) : 0
  let cost = indent * 6
  if (blankAbove) cost -= blankBelow ? 2 : 4
  else if (blankBelow) cost -= 1
  if (indent < above) cost += blankAbove || blankBelow ? 2 : 5
  else if (indent > above) cost += blankAbove || blankBelow ? 0 : 1
  // After a text's last line break there is an empty line: an edge there would cut it off.
  if (at >= lines.length) cost += 4
  return cost
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || !/\S/.test(line)
}

/** Columns before the first visible character, a tab counting up to the next multiple of 8. */
function indentOf(line = ''): number {
  let columns = 0
  for (let i = 0; i < line.length && columns < widestIndent; i++) {
    const unit = line.charCodeAt(i)
    if (unit === 32) columns++
    else if (unit === 9) columns += 8 - (columns % 8)
    else break
  }
  return columns
}

function join(first: LineChange, second: LineChange): LineChange {
  return { fromA: first.fromA, toA: second.toA, fromB: first.fromB, toB: second.toB }
}

function shift(change: LineChange, by: number): LineChange {
  return { fromA: change.fromA + by, toA: change.toA + by, fromB: change.fromB + by, toB: change.toB + by }
}
