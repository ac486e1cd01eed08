import type { DraftStepJson } from '../../../shared/contract/review'
import { countSteps } from '../../../shared/review/client-steps'
import { type Draft, type DraftStep, applyStep } from '../../../shared/review/draft'
import { DraftSync } from '../../../shared/review/draft-sync'
import { stepFromJson } from '../../../shared/review/step-json'
import type { TakenSteps, TextContent } from './review-content'

/** What a client sends of a draft; see the call `review.step`. */
export interface DraftPush {
  client: string
  /** Taken on the draft of this version, with so many of the client's own steps in it. */
  version: number
  after: number
  steps: readonly DraftStepJson[]
  /** Nothing more comes of this client. */
  isLast?: boolean
}

/** What a client hears of a push; see the call `review.step`. */
export type PushAnswer =
  | { status: 'accepted'; revision?: number }
  | { status: 'behind' }
  | { status: 'closed' }

/** What became of a push: what is new in the draft, which may be nothing, or that it cannot be taken. */
export type PushTaken =
  | { status: 'accepted'; content: TextContent; steps: readonly DraftStep[] }
  | { status: 'behind' }

/** So many pushes are remembered, that one which was under way for a while can be carried over the later ones. */
const mostRemembered = 64

/** The content after steps, which fit it; they are remembered. `counted` is how many steps of the client it has then. */
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
 * Takes what a client has sent, each of its steps once. Taken on another draft than the present one it is refused, for
 * the client can carry its steps over itself; where that is gone, it is done here.
 */
export function takePush(content: TextContent, push: DraftPush): PushTaken {
  const { client, after, version } = push
  const have = content.clients.get(client) ?? 0
  const known = have - after
  const sent = decodeSteps(push.steps)
  // Steps are missing, or were forgotten because too many other clients came.
  if (!sent || known < 0) return { status: 'behind' }
  if (known >= sent.length) return { status: 'accepted', content, steps: [] }
  // So many steps since that version, and all of them this client's.
  const isNewest = version + known === content.version
  const steps = isNewest ? sent.slice(known) : push.isLast ? carryOver(content, push, sent) : null
  const draft = steps && applyAll(content.draft, steps)
  if (!steps || !draft) return { status: 'behind' }
  const clients = countSteps(content.clients, client, sent.length - known)
  const next = steps.length === 0 ? content : withSteps(content, client, steps, draft)
  return { status: 'accepted', content: { ...next, clients }, steps }
}

/** What is left of a push to be done on the present draft; null where that cannot be told any more. */
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

/** Steps as a page may take them; null where one is none. */
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
