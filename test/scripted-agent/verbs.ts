import type { DialectWindow } from '../../src/main/app/dialect-kit/dialect'
import type { Origin } from '../../src/shared/review/proposal'
import type { ScriptedConversations } from './scripted-conversations'
import type { ScriptedStarter } from './scripted-starter'
import { approvalVerbs } from './verbs/approvals'
import { conversationVerbs } from './verbs/conversations'
import { reviewVerbs } from './verbs/reviews'

/** A call of a scripted agent: what it said, and how long it waits for the answer. */
export interface ScriptedCall {
  readonly params: unknown
  /** Aborts when the agent cancels the call or its connection ends. */
  readonly signal: AbortSignal
  readonly origin: Origin
  /** Tells the agent something beside the answer: a line `{event, value}`. */
  tell(event: string, value: unknown): void
}

/** What a scripted agent can have done: the verb's name, and what it gives back as plain JSON. A throw is its error. */
export type Verbs = Readonly<Record<string, (call: ScriptedCall) => unknown>>

/**
 * All verbs of a window. To add some: a file per subject in `verbs/` that makes `Verbs` of what it needs of the window
 * (parse `params` with zod), and its line here. What must end with a connection listens to the call's signal; what must
 * end with the window is told by the same signal, for the server ends its connections.
 */
export function verbsOf(
  window: DialectWindow,
  conversations: ScriptedConversations,
  starter: ScriptedStarter,
): Verbs {
  return { ...approvalVerbs(window), ...reviewVerbs(window), ...conversationVerbs(conversations, starter) }
}
