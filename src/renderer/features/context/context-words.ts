import type { SentEntry } from '../../../shared/contract/context'
import type { Withheld } from '../../../shared/agent-view'
import { nameOfPath } from '../../../shared/text/path-name'
import { describeLines, describePlaceIn } from '../../ui/wording/line-places'
import { countOf } from '../../ui/wording/number-format'
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

function nameOf(path: string): string {
  return plainName(nameOfPath(path))
}
