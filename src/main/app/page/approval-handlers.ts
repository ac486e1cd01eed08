import type { ApprovalRecord } from '../../core/approvals/approval-record'
import type { ApprovalRules } from '../../core/approvals/approval-rules'
import type { Tabs } from '../../core/editing/tabs'
import type { WindowApprovals } from '../wiring/approvals-to-windows'
import { succeed } from '../../../shared/result'
import type { PageHandlers } from './page-handlers'
import { approvalsPage } from './tab-handlers'

type ApprovalCall =
  | 'approvals.answer'
  | 'approvals.seen'
  | 'approvals.show'
  | 'approvals.addRule'
  | 'approvals.editRule'
  | 'approvals.removeRule'

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
}): PageHandlers<ApprovalCall, 'approvals' | 'approvalRules' | 'approvalRecord'> {
  const allRules = () => ({ rules: [...rules.rules] })
  const entries = () => ({ entries: [...record.entries] })
  return {
    calls: {
      'approvals.answer': ({ id, ...answer }) => approvals.answer(id, answer),
      'approvals.seen': ({ id }) => approvals.seen(id),
      'approvals.show': () => void tabs.openOther(approvalsPage),
      'approvals.addRule': async (words) => {
        const added = await rules.add({ ...words, session: null })
        return added.ok ? succeed({}) : added
      },
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
      approvalRules: (_params, sink) => {
        sink.snapshot(allRules())
        return rules.onChange(() => sink.delta(allRules()))
      },
      approvalRecord: (_params, sink) => {
        sink.snapshot(entries())
        return record.onChange(() => sink.delta(entries()))
      },
    },
  }
}
