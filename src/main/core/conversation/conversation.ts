import type { LiveConversationState } from '../../../shared/contract/conversations'
import type { TranscriptChange } from '../../../shared/conversation/live-transcript'
import type { Item } from '../../../shared/conversation/transcript'
import type { Listen } from '../../../shared/lifetime'
import type { Done, Result } from '../../../shared/result'

/** A conversation with an agent, however it is reached: in a terminal, or as a process that Greenlight runs. */
export interface Conversation {
  /** Says something; ok once it is delivered or waits in the agent's queue. */
  send(text: string): Promise<Done>
  /** Has the agent stop what it does. */
  stop(): Promise<Done>
}

/** Where what is said comes from while it is said. */
export interface TranscriptSource {
  /** The last items before one, or the last of all; so many at most. */
  page(count: number, before?: string): { items: Item[]; hasEarlier: boolean }
  readonly onChange: Listen<TranscriptChange>
}

/** A conversation whose agent Greenlight itself runs, so that all of it is known and can be driven. */
export interface DrivenConversation extends Conversation {
  readonly state: LiveConversationState
  /** What of the state is different now. */
  readonly onState: Listen<Partial<LiveConversationState>>
  readonly source: TranscriptSource
  restart(): Promise<Done>
  edit(message: string, text: string): Done
  move(message: string, to: number): Done
  withdraw(message: string): Result<{ text: string }>
  choose(control: string, value: string): Promise<Done>
}
