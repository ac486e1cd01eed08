import { ChangeSet } from '@codemirror/state'
import type { DraftStepJson } from '../contract/review'
import type { DraftStep } from './draft'

/** A step as it travels and is journaled. */
export function stepToJson(step: DraftStep): DraftStepJson {
  switch (step.kind) {
    case 'edit':
    case 'rebase':
      return { kind: step.kind, changes: step.changes.toJSON() as unknown[] }
    case 'renew':
      return { kind: step.kind, a: step.a.toJSON() as unknown[], b: step.b.toJSON() as unknown[] }
    case 'accept':
    case 'reject':
    case 'undecide':
      return step
  }
}

/** The inverse of `stepToJson`; null for an invalid change set. */
export function stepFromJson(json: DraftStepJson): DraftStep | null {
  if ('hunk' in json) return json
  try {
    if (json.kind === 'renew') {
      return { kind: json.kind, a: ChangeSet.fromJSON(json.a), b: ChangeSet.fromJSON(json.b) }
    }
    return { kind: json.kind, changes: ChangeSet.fromJSON(json.changes) }
  } catch {
    return null
  }
}
