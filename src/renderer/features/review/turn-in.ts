import type { ReviewSummary } from '../../../shared/contract/review'
import { agentTurn } from '../../../shared/review/proposal'
import { revealed } from '../../ui/labels/revealed-text'

/** The turn that a change was found in, with the command that ran. */
export function turnIn({ agent, command }: Pick<ReviewSummary, 'agent' | 'command'>): string {
  return agentTurn(agent, command && revealed(command))
}
