import type { Approvals } from '../src/main/core/approvals/approvals'
import type { Approval } from '../src/shared/approval/approval'

/** The first question that waits for the person, once there is one. */
export function untilApproval(approvals: Approvals): Promise<Approval> {
  return new Promise((resolve) => {
    const look = () => {
      const found = approvals.list().find(({ state }) => state.kind === 'waiting')
      if (!found) return
      heard.dispose()
      resolve(found)
    }
    const heard = approvals.onChange(() => queueMicrotask(look))
    look()
  })
}
