import type { EditGatePorts } from '../../protocols/claude-tools/edit-gate'
import type { DialectWindow } from '../dialect-kit/dialect'
import { receiveWrite } from '../wiring/tool-writes'

/**
 * What the gate of a driven agent needs of the app. `isLookedAt`: whether the person looks afterwards at what a mode let
 * through.
 */
export function gatePorts(
  { rules, ledger, desk }: Pick<DialectWindow, 'rules' | 'ledger' | 'desk'>,
  isLookedAt: () => boolean,
): EditGatePorts {
  return { rules, ledger, receive: (receipt) => receiveWrite(receipt, isLookedAt(), { desk, ledger }) }
}
