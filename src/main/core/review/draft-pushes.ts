import type { DraftStepJson } from '../../../shared/contract/review'
import { countSteps } from '../../../shared/review/client-steps'
import { type Draft, type DraftStep, applyStep } from '../../../shared/review/draft'
import { DraftSync } from '../../../shared/review/draft-sync'
import { stepFromJson } from '../../../shared/review/step-json'
import type { TakenSteps, TextContent } from './review-content'

/** Steps that a client sends; see the call `review.step`. */
export interface DraftPush {
  client: string
  /** The draft's version when the steps were made, and how many of the client's own steps it contained. */
  version: number
  after: number
  steps: readonly DraftStepJson[]
  /** The client will send nothing more. */
  isLast?: boolean
}

/** The answer to a push; see the call `review.step`. */
export type PushAnswer =
  | { status: 'accepted'; revision?: number }
  | { status: 'behind' }
  | { status: 'closed' }

/** The content after a push and the steps that were new, maybe none; or `behind`: it can't be taken. */
export type PushTaken =
  | { status: 'accepted'; content: TextContent; steps: readonly DraftStep[] }
  | { status: 'behind' }

/** How many pushes are remembered, so that a delayed one can be carried over later ones. */
const mostRemembered = 64

/** The content after steps that fit it. `counted`: how many of the client's steps it then contains. */
export function withSteps(
  content: TextContent,
  client: string,
  steps: readonly DraftStep[],
  draft: Draft,
): TextContent {
  const { version, latest } = content
  const taken: TakenSteps = { version, client, before: content.draft, steps }
  return {
    ...content,
    draft,
    version: version + steps.length,
    latest: [...latest, taken].slice(-mostRemembered),
  }
}

/**
 * Takes each step of a push once. A push made on an older draft is `behind`, because the client can carry its steps
 * over itself; if the client is gone, that is done here.
 */
export function takePush(content: TextContent, push: DraftPush): PushTaken {
  const { client, after, version } = push
  const have = content.clients.get(client) ?? 0
  const known = have - after
  const sent = decodeSteps(push.steps)
  // Steps are missing, or the client was forgotten because too many others came.
  if (!sent || known < 0) return { status: 'behind' }
  if (known >= sent.length) return { status: 'accepted', content, steps: [] }
  // Every step since that version is this client's own.
  const isNewest = version + known === content.version
  const steps = isNewest ? sent.slice(known) : push.isLast ? carryOver(content, push, sent) : null
  const draft = steps && applyAll(content.draft, steps)
  if (!steps || !draft) return { status: 'behind' }
  const clients = countSteps(content.clients, client, sent.length - known)
  const next = steps.length === 0 ? content : withSteps(content, client, steps, draft)
  return { status: 'accepted', content: { ...next, clients }, steps }
}

/** A push's new steps, carried onto the present draft; null if the steps since are no longer remembered. */
function carryOver(
  { latest }: TextContent,
  { client, version, after }: DraftPush,
  sent: readonly DraftStep[],
): readonly DraftStep[] | null {
  const since = latest.slice(latest.findIndex((taken) => taken.version === version))
  const [first] = since
  if (first?.version !== version) return null
  const sync = new DraftSync(client, version, first.before, after)
  if (!sent.every((step) => sync.take(step))) return null
  for (const taken of since) {
    if (sync.receive(taken.version, taken.client, taken.steps) === 'gap') return null
  }
  return sync.pending
}

/** Steps that a page may take; null if one of them isn't valid. */
function decodeSteps(all: readonly DraftStepJson[]): DraftStep[] | null {
  const steps: DraftStep[] = []
  for (const json of all) {
    const step = json.kind === 'rebase' || json.kind === 'renew' ? null : stepFromJson(json)
    if (!step) return null
    steps.push(step)
  }
  return steps
}

function applyAll(draft: Draft, steps: readonly DraftStep[]): Draft | null {
  for (const step of steps) {
    const stepped = applyStep(draft, step)
    if (!stepped) return null
    draft = stepped.draft
  }
  return draft
}
