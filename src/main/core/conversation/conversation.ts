import type { LiveConversationState } from '../../../shared/contract/conversations'
import type { TranscriptChange } from '../../../shared/conversation/live-transcript'
import type { Item } from '../../../shared/conversation/transcript'
import type { Listen } from '../../../shared/lifetime'
import type { Done, Result } from '../../../shared/result'

/** A conversation with an agent, reached in a terminal or as a process that Greenlight runs. */
export interface Conversation {
  /** Sends a message; ok once it is delivered or waits in the agent's queue. */
  send(text: string): Promise<Done>
  /** Has the agent stop what it is doing. */
  stop(): Promise<Done>
}

/** Where a live conversation's items come from. */
export interface TranscriptSource {
  /** At most `count` items before the given one, or the last ones. */
  page(count: number, before?: string): { items: Item[]; hasEarlier: boolean }
  readonly onChange: Listen<TranscriptChange>
}

/** A conversation whose agent Greenlight itself runs, so it knows all of it and can drive it. */
export interface DrivenConversation extends Conversation {
  readonly state: LiveConversationState
  /** Emits the parts of the state that changed. */
  readonly onState: Listen<Partial<LiveConversationState>>
  readonly source: TranscriptSource
  restart(): Promise<Done>
  edit(message: string, text: string): Done
  move(message: string, to: number): Done
  withdraw(message: string): Result<{ text: string }>
  choose(control: string, value: string): Promise<Done>
}
