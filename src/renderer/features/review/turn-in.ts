import { agentTurn } from '../../../shared/review/proposal'
import { revealed } from '../../ui/labels/revealed-text'

/** The turn that a change was found in, with the command that ran. */
export function turnIn({ agent, command }: { agent: string; command?: string | null }): string {
  return agentTurn(agent, command && revealed(command))
}
