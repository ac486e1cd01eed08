import type { SessionSummary } from '../../../shared/contract/sessions'
import { countOf, formatCost, formatTokens } from '../../ui/wording/number-format'

/** What was counted in a session, in a few words; empty until then. */
export function figureWords({ messages, costUSD, tokens, forks }: SessionSummary): string[] {
  return [
    messages === null ? '' : countOf(messages, 'message'),
    costUSD !== null && costUSD > 0 ? formatCost(costUSD) : '',
    (costUSD === null || costUSD === 0) && tokens !== null ? `${formatTokens(tokens)} tokens` : '',
    forks !== null && forks > 0 ? countOf(forks, 'fork') : '',
  ].filter((part) => part !== '')
}
