import type { EditGatePorts } from '../../protocols/claude-tools/edit-gate'
import type { DialectWindow } from '../dialect-kit/dialect'
import { receiveWrite } from '../wiring/tool-writes'

/**
 * What the gate of a driven agent needs of the app. `isLookedAt`: whether the person looks afterwards at what a mode let
 * through.
 */
export function gatePorts(
  { rules, ledger, desk, machine }: DialectWindow,
  isLookedAt: () => boolean,
): EditGatePorts {
  const report = (error: unknown) => machine.log.error('claude-sdk fault', { error })
  return {
    rules,
    ledger,
    receive: (receipt) => receiveWrite(receipt, isLookedAt(), { desk, ledger, report }),
  }
}
