import type { FieldValues } from '../../../shared/approval/approval-fields'
import type {
  ConversationFigures,
  ConversationOffer,
  LiveConversationState,
  OutgoingMessage,
} from '../../../shared/contract/conversations'
import type { TranscriptChange, TranscriptPage } from '../../../shared/conversation/live-transcript'
import type { Listen } from '../../../shared/lifetime'
import type { Done, Result } from '../../../shared/result'
import type { KeptConversation } from '../settings/stored-tabs'

/** A conversation with an agent, reached in a terminal or as a process that Greenlight runs. */
export interface Conversation {
  /** Sends a message; ok once it is delivered or waits in the agent's queue. */
  send(message: OutgoingMessage): Promise<Done>
  /** Has the agent stop what it is doing. */
  stop(): Promise<Done>
}

/** Where a live conversation's items come from. */
export interface TranscriptSource {
  /** At most `count` items before the given one, or the last ones. */
  page(count: number, before?: string): TranscriptPage
  readonly onChange: Listen<TranscriptChange>
}

/** A conversation whose agent Greenlight itself runs, so it knows all of it and can drive it. */
export interface DrivenConversation extends Conversation {
  readonly state: LiveConversationState
  /** The session that it goes on from, which it has before its program tells its own; null for a new one. */
  readonly from: string | null
  /** What brings it back after the app has ended; null where nothing does, or before it has a session. */
  readonly kept: KeptConversation | null
  /** Emits the parts of the state that changed. */
  readonly onState: Listen<Partial<LiveConversationState>>
  readonly source: TranscriptSource
  /** The messages of its queue, whole. */
  readonly waiting: readonly OutgoingMessage[]
  /** Each event of what its model writes, as its program tells it. */
  readonly onStream: Listen<object>
  restart(): Promise<Done>
  edit(message: string, text: string): Done
  move(message: string, to: number): Done
  /** Gives a waiting message to the working agent. */
  give(message: string): Promise<Done>
  withdraw(message: string): Promise<Result<Pick<OutgoingMessage, 'text' | 'pictures'>>>
  choose(control: string, value: string): Promise<Done>
  /** Ends the process tree of an agent that no longer answers. */
  end(): Promise<Done>
  switch(id: string, on: boolean): Promise<Done>
  act(part: string, entry: string, act: string): Promise<Done>
  stopTask(task: string): Promise<Done>
  /** Begins another conversation from the point before a prompt; returns its id. */
  fork(before: string, message: OutgoingMessage): Promise<Result<{ id: string }>>
  /** Proposes, as reviews, to put the files back to what they were before a prompt; returns how many reviews. */
  rewind(before: string): Promise<Result<{ files: number }>>
  figures(): Promise<Result<ConversationFigures>>
}

/** What files held before each prompt of a session. */
export interface ConversationFiles {
  /** A prompt's turn begins: what files hold now is what they held before it. */
  begin(session: string, prompt: string): Promise<void>
  /** A session continues as another one. */
  forked(from: string, to: string): Promise<void>
  /** See `DrivenConversation.rewind`. `message`: what the prompt says. */
  rewind(session: string, prompt: string, message: string): Promise<Result<{ files: number }>>
}

/** What begins conversations with an agent. */
export interface ConversationStarter {
  /** The agent's id. */
  readonly agent: string
  offer(): Promise<ConversationOffer>
  /**
   * Begins one with a form's values and shows its tab. `first` is sent at once. Where another program has it begun, its tab
   * comes behind what is shown, and the values aren't remembered.
   */
  begin(
    values: FieldValues,
    first: OutgoingMessage | null,
    by: 'person' | 'program',
  ): Promise<Result<{ id: string }>>
  /**
   * Begins one that goes on from a recorded session, or from a copy of it, in that session's folder, with what was chosen
   * last. Absent where the agent's sessions can't be driven.
   */
  resume?(session: string, isCopy: boolean): Promise<Result<{ id: string }>>
  /**
   * Brings one back as one whose program has ended, with what was said in it; nothing is started before the person says
   * so. Its tab is the caller's. Returns its id.
   */
  bringBack?(kept: KeptConversation): string
}
