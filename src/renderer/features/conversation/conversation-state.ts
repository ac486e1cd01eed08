import type { ReactNode } from 'react'
import type { AgentProcessState } from '../../../shared/contract/agent-processes'
import type {
  AgentCommand,
  ConversationControl,
  ConversationFigures,
  LiveConversationState,
  OutgoingMessage,
  QueuedMessage,
} from '../../../shared/contract/conversations'
import type { FittingFile } from '../../../shared/contract/search'
import type { Done, Result } from '../../../shared/result'
import type { ReadTranscript } from '../../../shared/conversation/transcript'
import type { AgentRecords } from '../../state/agents/agent-records'
import type { AddedPicture, PictureDraft } from '../../state/sessions/added-pictures'
import type { OpenSymbol } from '../../state/tabs/open-documents'
import type { LiveShown } from '../../state/sessions/live-view'
import type { Density } from '../../state/sessions/conversation-layout'
import type { LayoutValue } from '../../state/window/kept-layout'
import type { Gap } from '../../state/sessions/loaded-stretches'

/** How much of the record is here. The transcript's owner adds pages in front of it. */
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
  /** `resumes`: no agent is running, and a message resumes the session in a terminal of the app. */
  | { kind: 'ready'; resumes?: boolean }
  /**
   * `reason` is one sentence; `canResume`: the session can be resumed in the app; `isDriven`: it is in a conversation, which
   * can be shown; `review`: the one that the agent waits for.
   */
  | { kind: 'read-only'; reason: string; canResume: boolean; isDriven?: boolean; review?: string }

/** A review that the agent of a conversation waits for. */
export interface AskedReview {
  id: string
  /** As the agent named it. */
  path: string
  name: string
}

/** What the agent of a conversation waits to have answered in the tab of approvals. */
export interface AskedApproval {
  id: string
  /** "run a command". */
  wants: string
  /** What for, in one line. */
  subject: string
}

/** Everything that a conversation's view shows. */
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
  /** Unloaded parts between loaded ones; absent: none. */
  gaps?: readonly Gap[]
  sending: Sending
  /** What waits until the agent is ready. */
  queue: readonly QueuedMessage[]
  /** It waits until the person sends something. */
  isQueueHeld?: boolean
  /** What the person can choose about how the agent works. */
  controls?: readonly ConversationControl[]
  /** What can be typed after a slash, as the agent describes it. */
  commands?: readonly AgentCommand[]
  /** The oldest first. */
  approvals?: readonly AskedApproval[]
  /** The agent's process, where Greenlight runs it. */
  process?: AgentProcessState
  density: Density
  /** No agent is working, although the record may end in the middle of work. */
  isAtRest?: boolean
  /** It waits for the person's answer, which doesn't end its turn. */
  isAsking?: boolean
  /** The reviews that it waits for; the same array as long as they are the same. */
  asked?: readonly AskedReview[]
  /** What is known only of a conversation that Greenlight drives. */
  driven?: DrivenFacts
}

/** What is known of a conversation that Greenlight drives, beside what is said. */
export type DrivenFacts = Pick<
  LiveConversationState,
  'switches' | 'parts' | 'tasks' | 'context' | 'isUnresponsive' | 'abilities'
>

/**
 * What the person has typed and not sent; only the composer follows it. Its owner keeps it as long as the session is
 * known.
 */
export interface MessageDraft extends LayoutValue<string> {
  /** What the person was writing before an earlier message was brought back into the field; empty: nothing. */
  readonly own: Pick<LayoutValue<string>, 'get' | 'set'>
  /** Absent where messages have none. */
  readonly pictures?: PictureDraft
}

/** Adds a message that comes back unsent to what is being written. */
export function addToDraft(
  draft: MessageDraft,
  { text, pictures }: { text: string; pictures: readonly AddedPicture[] },
): void {
  const before = draft.get()
  if (text.trim() !== '') draft.set(before.trim() === '' ? text : `${before}\n${text}`)
  if (pictures.length > 0) draft.pictures?.set([...draft.pictures.get(), ...pictures])
}

/** What of the editor goes with a message. */
export interface SharedWords {
  /** "pump.ts, lines 3–9". */
  words: string
  /** All of it, in a sentence. */
  all: string
}

/** What a composer can put into a message beside words; what is absent is not offered. */
export interface ComposerSources {
  /** Files whose path has these letters, the best first. */
  files?(letters: string): Promise<readonly FittingFile[]>
  /** The names that open files define. */
  symbols?(): readonly OpenSymbol[]
  /** What the person has selected and open, as far as agents may see it, followed; null if that is nothing. */
  useShared?(): SharedWords | null
}

/** What a person can do with waiting messages. Each fails if the message has been sent meanwhile. */
export interface QueueActions {
  edit(message: string, text: string): Promise<Done>
  /** `to`: its place among the others. */
  move(message: string, to: number): Promise<Done>
  /** Returns what it says. */
  withdraw(message: string): Promise<Result<Pick<OutgoingMessage, 'text' | 'pictures'>>>
  /** Gives it to the working agent. */
  give(message: string): Promise<Done>
}

/** What can be done with a conversation that Greenlight drives. `switch`, `stopTask` and `rewind` tell of a failure themselves. */
export interface DrivenActions {
  /** Ends the process of an agent that answers nothing. */
  end(): Promise<Done>
  switch(id: string, on: boolean): Promise<Done>
  act(part: string, entry: string, act: string): Promise<Done>
  stopTask(task: string): Promise<Done>
  /** Begins another conversation from before a prompt, and shows it. */
  fork(before: string, message: OutgoingMessage): Promise<Done>
  /** Shows as reviews what it takes to have the files as they were before a prompt, and tells how many. */
  rewind(before: string): Promise<Done>
  figures(): Promise<Result<ConversationFigures>>
}

/** The change that a person wants undone: the tool's call, and the line that has its result. */
export interface RestoreRequest {
  path: string
  call: string
  offset: number
}

/** What a conversation's view asks for; what is absent doesn't occur in it. It calls no host itself. */
export interface ConversationActions {
  /** Loads the page before the oldest one; called again only after `history` has changed. */
  earlier(): void
  /** Loads a piece of what is not here, from where it begins in the source. */
  later?(after: number): void
  /** Takes the way to an item where the conversation forks. */
  choose?(itemId: string): void
  /** The records of sub-agents, where they have to be fetched. */
  agents?: Pick<AgentRecords, 'follow' | 'earlier' | 'loadEarlier'>
  openFile(path: string, line: number | null): void
  /** A place as the agent wrote it, which may count from the session's folder: `src/a.ts:12`. */
  openPlace(place: string): void
  /** A link was pressed; the owner decides whether and how it is opened. */
  openLink(href: string): void
  /** Puts a file back to what it was before a change, if it is still what the agent left; absent where that isn't kept. */
  restore?: (request: RestoreRequest) => Promise<Done>
  /** Sends a message; ok once it is delivered. */
  send(message: OutgoingMessage): Promise<Done>
  /** Shows a review. */
  openReview?(id: string): void
  /** Shows an approval. */
  openApproval?(id: string): void
  stop(): void
  /** Goes on with a session in a terminal. */
  resume?(): void
  /** Goes on with a session in a conversation, or shows the one that it is in. */
  converse?(): void
  /** Starts the agent's process anew, where Greenlight runs it. */
  restart(): void
  /** Chooses a value of a control. */
  setControl?(control: string, value: string): void
  /** What can be done with messages that wait; null where they are only shown. */
  queue: QueueActions | null
  driven?: DrivenActions
  setDensity(density: Density): void
  /** Writes the whole session to a file of the person's choice. */
  exportAs(format: 'md' | 'jsonl'): void
}

/** Two texts of a file to compare in the app's own diff view. */
export interface DrawnDiff {
  path: string
  before: string
  after: string
  /** They are the whole file, so that their lines can be counted. */
  isWhole: boolean
}

/** Draws a difference; passed in, because this room can't import the diff view. */
export type DrawDiff = (diff: DrawnDiff) => ReactNode
