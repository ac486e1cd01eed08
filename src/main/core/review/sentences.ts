import { unreachable } from '../../../shared/result'
import type { Origin } from '../../../shared/review'
import { readNames } from './askers'
import type { End, Machine } from './machine'

/** What became of a review, as its view says when it closes. */
export function endSentence(end: End, askers: readonly Origin[]): string {
  const agent = readNames(askers)
  switch (end) {
    case 'confirmed':
      return 'Accepted and written.'
    case 'diverged':
      return `Accepted, but the file now holds something else. Compare it with what you accepted.`
    case 'unconfirmed':
      return `Accepted; ${agent} ${isOne(askers) ? 'has' : 'have'} not written it.`
    case 'rejected':
      return 'Rejected. Nothing was written.'
    case 'answered-there':
      return 'Answered in the terminal instead.'
    case 'withdrawn':
      return `${agent} no longer ${isOne(askers) ? 'asks' : 'ask'} for this change.`
    case 'replaced':
      return `${agent} proposed a newer version.`
    case 'kept':
      return 'Written as your own change.'
    case 'discarded':
      return 'Discarded. Nothing was written.'
    default:
      return unreachable(end)
  }
}

/** What the person must know and do about a review that does not go its usual way; null for one that does. */
export function problemSentence({ phase }: Machine, askers: readonly Origin[]): string | null {
  const agent = readNames(askers)
  if (phase.kind === 'overdue')
    return `Accepted, but ${agent} ${isOne(askers) ? 'has' : 'have'} not written it.`
  if (phase.kind !== 'orphaned') return null
  const choices = 'save it as a patch, or discard it'
  switch (phase.reason) {
    case 'answered-there':
      return `Answered in the terminal instead. Keep your version as a change of your own, ${choices}.`
    case 'restart':
      return `Greenlight can no longer answer ${agent}. Keep this change as yours, ${choices}.`
    default:
      return `${agent} ${isOne(askers) ? 'is' : 'are'} gone. Keep this change as yours, ${choices}.`
  }
}

function isOne(askers: readonly Origin[]): boolean {
  return new Set(askers.map(({ agent }) => agent)).size < 2
}
