import type { ReactNode } from 'react'
import type { Disposable } from '../../../shared/lifetime'
import type { AgentProcessState } from '../../../shared/contract/agent-processes'
import type { ConversationControl, QueuedMessage } from '../../../shared/contract/conversations'
import type { Done, Result } from '../../../shared/result'
import type { ReadTranscript } from '../../../shared/conversation/transcript'
import type { EarlierState } from '../../state/agents/agent-records'
import type { LiveShown } from '../../state/sessions/live-view'
import type { Density } from '../../state/sessions/conversation-layout'
import type { LayoutValue } from '../../state/window/kept-layout'
import type { Gap } from '../../state/sessions/loaded-stretches'

/** How much of what was recorded is here. Pages are added in front of the transcript by who owns it. */
export type HistoryState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'here'; earlier: 'none' | 'some' | 'loading' }

/** How much of a record is here, by what its view has read; `refused` says why it can’t be read. */
export function historyOf(
  { phase, hasEarlier, isLoading }: Pick<LiveShown, 'phase' | 'hasEarlier' | 'isLoading'>,
  refused: string,
): HistoryState {
  if (phase === 'waiting') return { kind: 'loading' }
  if (phase === 'refused') return { kind: 'failed', message: refused }
  return { kind: 'here', earlier: isLoading ? 'loading' : hasEarlier ? 'some' : 'none' }
}

/** Whether something can be said in this conversation. */
export type Sending =
  /** `resumes`: nothing runs, and what is said brings the session back in a terminal of the app. */
  | { kind: 'ready'; resumes?: boolean }
  /**
   * `reason` is one sentence; `canResume`: the session can be gone on with in a terminal of the app. `review`: the one
   * that is waited for.
   */
  | { kind: 'read-only'; reason: string; canResume: boolean; review?: string }

/** A review that the agent of a conversation waits for. */
export interface AskedReview {
  id: string
  /** As the agent named it. */
  path: string
  name: string
}

/** All that a conversation's view is given to show. */
export interface ConversationState {
  /** The session's id; another one is another conversation. */
  id: string
  title: string
  /** Who answers: "Claude". */
  agent: string
  transcript: ReadTranscript
  /** Another number at each change of the transcript. */
  revision: number
  history: HistoryState
  /** Parts that are not here between parts that are; none where it is absent. */
  gaps?: readonly Gap[]
  sending: Sending
  /** What waits until the agent is ready. */
  queue: readonly QueuedMessage[]
  /** It waits until the person sends something. */
  isQueueHeld?: boolean
  /** What the person can choose about how the agent works. */
  controls?: readonly ConversationControl[]
  /** The agent's process, where Greenlight runs it. */
  process?: AgentProcessState
  density: Density
  /** Nothing works at it, although its record may end in the middle of work. */
  isAtRest?: boolean
  /** It waits for an answer of the person's, which is no end of its turn. */
  isAsking?: boolean
  /** The reviews that it waits for; the same array as long as they are the same. */
  asked?: readonly AskedReview[]
}

/**
 * What the person has typed and not sent, followed by nothing but the composer. Whoever owns it keeps it for as long as
 * the session is known.
 */
export type MessageDraft = LayoutValue<string>

/** What a person does with messages that wait. Each fails where the message has been sent meanwhile. */
export interface QueueActions {
  edit(message: string, text: string): Promise<Done>
  /** `to`: its place among the others. */
  move(message: string, to: number): Promise<Done>
  /** Gives its text. */
  withdraw(message: string): Promise<Result<{ text: string }>>
}

/** The change that a person wants taken back: the tool's call, and the line that its result stands in. */
export interface RestoreRequest {
  path: string
  call: string
  offset: number
}

/** What a conversation's view asks for. It calls no host itself. */
export interface ConversationActions {
  /** The page before the oldest is wanted; asked again only when `history` has said something since. */
  earlier(): void
  /** A piece of what is not here is wanted, from where it begins in the source. */
  later(after: number): void
  /** Takes the way to an item where the conversation forks. */
  choose(itemId: string): void
  /** What a sub-agent says is looked at, until the result is ended: it may have to be fetched, and comes as it works. */
  followAgent(agent: string): Disposable
  /** Whether there is more in front of what is here of a sub-agent that is looked at. */
  earlierOfAgent(agent: string): EarlierState
  /** The page before that is wanted. */
  moreOfAgent(agent: string): void
  openFile(path: string, line: number | null): void
  /** A place as the agent wrote it, which may count from the session's folder: `src/a.ts:12`. */
  openPlace(place: string): void
  /** A link was pressed; whether and how it is opened is the caller's to decide. */
  openLink(href: string): void
  /** Puts a file back to what it was before a change, if it is still what the agent left. */
  restore(request: RestoreRequest): Promise<Done>
  /** Says something; ok once it is delivered. */
  send(text: string): Promise<Done>
  /** Shows a review. */
  openReview(id: string): void
  stop(): void
  resume(): void
  /** Starts the agent's process anew, where Greenlight runs it. */
  restart(): void
  /** Chooses a value of a control. */
  setControl(control: string, value: string): void
  /** What can be done with messages that wait; null where they are only shown. */
  queue: QueueActions | null
  setDensity(density: Density): void
  /** Writes the whole session to a file of the person's choice. */
  exportAs(format: 'md' | 'jsonl'): void
}

/** Two texts of a file to be drawn against each other, as the app's own diff view does. */
export interface DrawnDiff {
  path: string
  before: string
  after: string
  /** They are the whole file, so that their lines can be counted. */
  isWhole: boolean
}

/** Draws a difference; given by who may know the diff view. */
export type DrawDiff = (diff: DrawnDiff) => ReactNode
