import type { PermissionPorts } from '../../protocols/claude-sdk/permission-desk'
import type { DialectWindow } from '../dialect-kit/dialect'
import type { TurnSurroundings } from '../dialect-kit/turn'
import { receiveWrite } from '../wiring/tool-writes'

/**
 * What the gate of a driven agent needs of the app. `asked`: where the person is asked. `isLookedAt`: whether they look
 * afterwards at what a mode let through.
 */
export function gatePorts(
  { rules, ledger, desk, machine }: DialectWindow,
  asked: Pick<TurnSurroundings, 'approvals' | 'desk'>,
  isLookedAt: () => boolean,
): Pick<PermissionPorts, 'rules' | 'ledger' | 'receive' | 'review' | 'approve' | 'report'> {
  const report = (error: unknown) => machine.log.error('claude-sdk fault', { error })
  return {
    rules,
    ledger,
    receive: (receipt) => receiveWrite(receipt, isLookedAt(), { desk, ledger, report }),
    review: (proposal, signal) => asked.desk.open(proposal, signal),
    approve: (question, signal) => asked.approvals.ask(question, signal),
    report,
  }
}
