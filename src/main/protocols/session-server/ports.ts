import type { Disposable } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import type { SessionEntry } from '../../core/history/session-entry'
import type { SessionFollower } from '../../core/history/session-follower'
import type { SessionFile } from '../../core/history/session-file'
import type { HearFrame } from '../kit/logged-text'

/** What other programs learn of a recorded session. */
export type RecordedSession = Pick<
  SessionEntry,
  'id' | 'path' | 'title' | 'firstPrompt' | 'folder' | 'branch' | 'startedAt' | 'lastAt' | 'activity'
> & {
  running: { pid: number } | null
  figures: { messages: number } | null
}

/** The sessions that there are, and their files. */
interface SessionsPort {
  /** The latest first. */
  list(): Promise<readonly RecordedSession[]>
  find(id: string): Promise<RecordedSession | null>
  /** One that nobody has yet and that its first message may begin; null if it may not. */
  toBegin(id: string): RecordedSession | null
  open(path: string): SessionFile
  follow(session: SessionFile): SessionFollower
}

/** Brings a message to the agent of a session. */
export interface DeliveryPort {
  /**
   * Brings a text to the agent: as a message of its conversation, or typed into its prompt and submitted. Resumes or
   * begins a session without a process where that is allowed.
   * Fails with a sentence for whoever sent it; nothing has been submitted then.
   */
  deliver(session: RecordedSession, text: string): Promise<Result<{ resumed: boolean }>>
}

/** Sessions whose agents the app runs itself, so that it knows more than their lines say. */
interface DrivenPort {
  /** Whether its agent works; null for any other session. */
  isWorking(session: string): boolean | null
  onWork(session: string, listener: (isWorking: boolean) => void): Disposable
  /** Hears each event of what its model writes, as the agent's program gives it. */
  onStream(session: string, listener: (event: object) => void): Disposable
}

/** Shows the person who follows sessions. */
interface SubscribersPort {
  opened(subscriber: SubscriberFacts): SubscriberEntry
  /** A program was refused. */
  refused(status: number, message: string): void
}

interface SubscriberFacts {
  id: string
  session: RecordedSession
  /** Milliseconds since the epoch. */
  since: number
}

export interface SubscriberEntry {
  frame: HearFrame
  /** `dropped`: why it was let go, where it did not go by itself. */
  closed(dropped: string | null): void
}

/** What the server needs of the rest of the app. */
export interface SessionServerPorts {
  sessions: SessionsPort
  delivery: DeliveryPort
  driven: DrivenPort
  subscribers: SubscribersPort
  /** Whether messages may be commands of the agent. */
  mayCommand(): boolean
  /** Origins of web pages that may connect. */
  origins(): readonly string[]
}
