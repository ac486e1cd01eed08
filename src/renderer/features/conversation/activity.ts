import type { SessionSummary } from '../../../shared/contract/sessions'
import type { ConversationState } from './conversation-state'

/**
 * Whether the agent is working now. The record alone can't tell: an agent that was ended in the middle of its work
 * leaves a record that never says so.
 */
export function isAtWork({
  transcript,
  isAtRest,
}: Pick<ConversationState, 'transcript' | 'isAtRest'>): boolean {
  return transcript.activity === 'working' && isAtRest !== true
}

/** Whether the newest turn goes on: the agent works, or waits for the person's answer. */
export function isTurnOpen(state: Pick<ConversationState, 'transcript' | 'isAtRest' | 'isAsking'>): boolean {
  return isAtWork(state) || state.isAsking === true
}

/** Whether no agent is working in a session, whatever its record says: there is none, or it waits for the person. */
export function restsNow(summary: Pick<SessionSummary, 'state'> | undefined, isGone: boolean): boolean {
  if (isGone) return true
  switch (summary?.state) {
    case 'none':
    case 'idle':
    case 'asking':
      return true
    case 'working':
    case 'running':
    case undefined:
      return false
  }
}
