import type { Origin } from '../../../shared/review/proposal'
import { familyOf, listProcesses } from '../../core/platform/process-tree'

/**
 * Whether two agents are one: the same process, or one of them was started by the other, however far down. Where a
 * dialect does not tell the process, they are two.
 */
export async function areOneTree({ pid: one }: Origin, { pid: other }: Origin): Promise<boolean> {
  if (one === undefined || other === undefined) return false
  if (one === other) return true
  const processes = await listProcesses()
  const isWithin = (root: number, pid: number) => familyOf(root, processes).some((entry) => entry.pid === pid)
  return isWithin(one, other) || isWithin(other, one)
}
