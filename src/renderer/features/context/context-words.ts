import type { SentEntry } from '../../../shared/contract/context'
import type { Withheld } from '../../../shared/agent-view'
import { nameOfPath } from '../../../shared/text/path-name'
import { countOf, formatNumber } from '../../ui/wording/number-format'
import { shorten } from '../../ui/wording/home-path'
import { plainName } from '../../ui/wording/plain-name'

/** Why something is not shared, in a few words. `home` shortens the path of a settings file. */
export function describeWithheld(withheld: Withheld, home: string): string {
  switch (withheld.kind) {
    case 'all-off':
      return 'Not shared: sharing is off'
    case 'selection-off':
      return 'Not shared: the selection is turned off'
    case 'files-off':
      return 'Not shared: open files are turned off'
    case 'excluded':
      return withheld.file === null
        ? `Never shared: ${plainName(withheld.rule)}`
        : `Never shared: ${plainName(withheld.rule)} in ${plainName(shorten(withheld.file, home))}`
    case 'ignored-by-git':
      return 'Never shared: git ignores it'
    case 'unknown':
      return 'Not shared until its rules are checked'
  }
}

/** A cursor or a selection as people count, from 1: "line 3, column 7", "lines 3–7". */
export function describePlaceIn({ start, end }: { start: Place; end: Place }): string {
  if (start.line === end.line && start.character === end.character) {
    return `line ${formatNumber(start.line + 1)}, column ${formatNumber(start.character + 1)}`
  }
  // A selection that ends at the start of a line has nothing of that line.
  const isBefore = end.character === 0 && end.line > start.line
  return describeLines({ first: start.line, last: isBefore ? end.line - 1 : end.line })
}

/** What an entry of the record says was sent. */
export function describeItem(item: SentEntry['item']): string {
  switch (item.kind) {
    case 'selection':
      return `${nameOf(item.path)}, ${describePlaceIn(item)}, ${countOf(item.length, 'character')}`
    case 'cursor':
      return `Active file: ${nameOf(item.path)}`
    case 'files':
      return item.paths.length === 1
        ? `open: ${nameOf(item.paths[0] ?? '')}`
        : `${countOf(item.paths.length, 'open file')}: ${item.paths.map(nameOf).join(', ')}`
    case 'mention':
      return item.lines === null
        ? `mention of ${nameOf(item.path)}`
        : `mention of ${nameOf(item.path)}, ${describeLines(item.lines)}`
    case 'diagnostics':
      return `${countOf(item.count, 'problem')} in ${item.paths.map(nameOf).join(', ')}`
    case 'nothing':
      return 'nothing is selected any more'
  }
}

/** Takes lines from 0, the last one included; writes them from 1. */
function describeLines({ first, last }: { first: number; last: number }): string {
  return first === last
    ? `line ${formatNumber(first + 1)}`
    : `lines ${formatNumber(first + 1)}–${formatNumber(last + 1)}`
}

function nameOf(path: string): string {
  return plainName(nameOfPath(path))
}

interface Place {
  line: number
  character: number
}
