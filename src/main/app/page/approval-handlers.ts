import type { ApprovalRecord } from '../../core/approvals/approval-record'
import type { ApprovalRules } from '../../core/approvals/approval-rules'
import type { Tabs } from '../../core/editing/tabs'
import type { WindowApprovals } from '../wiring/approvals-to-windows'
import { withoutValue } from '../../../shared/result'
import { type PageHandlers, sendWhole } from './page-handlers'
import { approvalsPage } from './tab-handlers'

/** What agents ask in a window beside changes, and the rules and the record of the whole app. */
export function approvalHandlers({
  approvals,
  rules,
  record,
  tabs,
}: {
  approvals: WindowApprovals
  rules: ApprovalRules
  record: ApprovalRecord
  tabs: Tabs
}): PageHandlers<'approvals', 'approvals' | 'approvalRules' | 'approvalRecord'> {
  return {
    calls: {
      'approvals.answer': ({ id, ...answer }) => approvals.answer(id, answer),
      'approvals.seen': ({ id }) => approvals.seen(id),
      'approvals.show': () => void tabs.openOther(approvalsPage),
      'approvals.addRule': async (words) => withoutValue(await rules.add({ ...words, session: null })),
      'approvals.editRule': ({ id, change }) => rules.edit(id, change),
      'approvals.removeRule': ({ id }) => rules.remove(id),
    },
    topics: {
      approvals: (_params, sink) => {
        sink.snapshot({ approvals: approvals.list() })
        return approvals.onChange(({ kind, approval }) =>
          sink.delta(
            kind === 'put' && approvals.isHere(approval)
              ? { kind: 'put', approval }
              : { kind: 'remove', id: approval.id },
          ),
        )
      },
      approvalRules: sendWhole(() => ({ rules: [...rules.rules] }), rules.onChange),
      approvalRecord: sendWhole(() => ({ entries: [...record.entries] }), record.onChange),
    },
  }
}
