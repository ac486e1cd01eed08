import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { SessionEvent, SessionFollower } from '../../core/history/session-follower'
import type { FileLine } from '../../core/history/session-line'
import type { SessionFile } from '../../core/history/session-file'
import { DisposableStack, type Disposable } from '../../../shared/lifetime'
import { objectOf } from '../../../shared/json'
import { activityOf, agentOf } from '../../../shared/conversation/session-record'
import type { FrameParser } from '../kit/frame-parser'
import type { ClientMessage } from './client-message'
import type { RecordedSession, SessionServerPorts } from './ports'
import { RecordedPrompts, type SentPrompt } from './recorded-prompts'
import type { SubscriptionWish } from './session-request'
import { Subscriber, type Patience, type SubscriberOptions } from './subscriber'

type UserMessage = Extract<ClientMessage, { type: 'user_message' }>

interface Sent extends SentPrompt {
  from: Subscriber
  clientId: UserMessage['clientId']
  timer: NodeJS.Timeout | undefined
}

/** How long an agent may take to record what was typed, before the client is told, in milliseconds. */
const recordingTime = 30_000

/**
 * What an agent takes for a command: “!” and a line for the shell, or “/” and a name that is no path. Control characters
 * before it go before it is typed.
 */
const asCommand = /^[\s\p{C}]*(?:[!！]|[/／][\w:-]+(?![^\s\p{C}]))/u

const notAllowed = {
  code: 'command',
  error:
    'Other programs can’t send messages that begin with “!” or a command such as “/clear”. Begin with other words, or turn on “Let other programs run commands in sessions” in Greenlight’s settings.',
}

interface RoomOptions {
  session: RecordedSession
  ports: SessionServerPorts
  frames: FrameParser
  patience: Patience
  /** Nobody follows the session any longer. */
  onEmpty(): void
}

/** One session and its subscribers: what one writes goes to the agent, and the others are told when one is typing. */
export class SessionRoom implements Disposable {
  readonly #options: RoomOptions
  readonly #file: SessionFile
  readonly #follower: SessionFollower
  readonly #subscribers = new Set<Subscriber>()
  readonly #typing = new Set<Subscriber>()
  readonly #prompts = new RecordedPrompts<Sent>()
  readonly #owned = new DisposableStack()
  #isWorking: boolean
  /** Messages go to the agent one after another. */
  #delivering: Promise<void> = Promise.resolve()
  #isDisposed = false

  constructor(options: RoomOptions) {
    const { session, ports } = options
    this.#options = options
    this.#isWorking = session.activity === 'working'
    this.#file = ports.sessions.open(session.path)
    this.#follower = this.#owned.add(ports.sessions.follow(this.#file))
    this.#owned.add(this.#follower.onEvent((event) => this.#hear(event)))
    const { driven } = ports
    this.#owned.add(driven.onStream(session.id, (event) => this.#tellAll({ type: 'stream_event', event })))
    this.#owned.add(driven.onWork(session.id, (isWorking) => this.#setWorking(isWorking)))
    void this.#follower.start().then(() => this.#nudgeAll())
  }

  get size(): number {
    return this.#subscribers.size
  }

  /** Adds the subscriber of a socket that has just opened. */
  add(socket: WebSocket, wish: SubscriptionWish): void {
    const { session, ports, frames, patience } = this.#options
    const id = randomUUID()
    const subscriber: Subscriber = new Subscriber({
      socket,
      session: this.#file,
      wish,
      frames,
      patience,
      entry: ports.subscribers.opened({ id, session, since: Date.now() }),
      onMessage: (message) => this.#take(subscriber, message),
      onCaughtUp: () => {
        if (this.#isWorking) subscriber.tell(agentTyping(true))
      },
      onClosed: () => this.#leave(subscriber),
    })
    this.#subscribers.add(subscriber)
  }

  /** Checks whether every subscriber is still there, and the agent. Called now and then. */
  async ping(): Promise<void> {
    for (const subscriber of this.#subscribers) subscriber.ping()
    if (!this.#isWorking) return
    const now = await this.#options.ports.sessions.find(this.#options.session.id)
    // An agent that was killed in the middle writes no last line.
    if (now?.activity !== 'working' && !this.#isDisposed) this.#setWorking(false)
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.#owned.dispose()
    for (const subscriber of this.#subscribers) subscriber.dispose()
  }

  #leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
    if (this.#typing.delete(subscriber)) this.#tellTyping(subscriber, false)
    if (this.#subscribers.size === 0) this.#options.onEmpty()
  }

  #take(from: Subscriber, message: Parameters<SubscriberOptions['onMessage']>[0]): void {
    switch (message.type) {
      case 'user_message':
        this.#delivering = this.#delivering.then(() => this.#deliver(from, message))
        return
      case 'typing':
        if (message.isTyping === this.#typing.has(from)) return
        if (message.isTyping) this.#typing.add(from)
        else this.#typing.delete(from)
        return this.#tellTyping(from, message.isTyping)
    }
  }

  async #deliver(from: Subscriber, { content, clientId }: UserMessage): Promise<void> {
    const { session, ports } = this.#options
    if (content.trim() === '') {
      return refuse(from, {
        error: 'The message is empty. Write something.',
        code: 'empty',
        content,
        clientId,
      })
    }
    const isCommand = asCommand.test(content)
    if (isCommand && !ports.mayCommand()) return refuse(from, { ...notAllowed, content, clientId })
    // Before it is typed, since it may be recorded before the typing is reported as done.
    const sent: Sent = { content, clientId, from, isQueued: false, timer: undefined }
    this.#prompts.add(sent)
    const now = (await ports.sessions.find(session.id)) ?? session
    const delivered = this.#isDisposed ? null : await ports.delivery.deliver(now, content)
    if (delivered === null) return
    if (!delivered.ok) {
      this.#prompts.remove(sent)
      const { code, message } = delivered.failure
      return refuse(from, { error: message, code, content, clientId })
    }
    if (!this.#prompts.has(sent) || this.#isDisposed) return
    if (isCommand) {
      // Agents record few commands, and nobody should retry one that has run.
      this.#prompts.remove(sent)
      return acknowledge(sent, null)
    }
    sent.timer = setTimeout(() => this.#sayUnrecorded(sent), recordingTime)
    this.#owned.add({ dispose: () => clearTimeout(sent.timer) })
  }

  #sayUnrecorded(sent: Sent): void {
    if (sent.isQueued || !this.#prompts.has(sent)) return
    this.#prompts.remove(sent)
    const error = 'The message was typed, but the agent hasn’t recorded it. Check its terminal.'
    refuse(sent.from, { error, code: 'unrecorded', content: sent.content, clientId: sent.clientId })
  }

  #hear(event: SessionEvent): void {
    switch (event.kind) {
      case 'appended':
        this.#hearLines(event.lines)
        return this.#nudgeAll()
      case 'anew':
        this.#hearLines(event.page.lines)
        for (const subscriber of this.#subscribers) subscriber.anew()
        return
      case 'gone':
        // Their own look at the file says so.
        return this.#nudgeAll()
    }
  }

  #hearLines(lines: readonly FileLine[]): void {
    let isWorking = this.#isWorking
    for (const line of lines) {
      const record = objectOf(line.record)
      const activity = record && agentOf(record) === null ? activityOf(record) : null
      if (activity !== null) isWorking = activity === 'working'
      const recorded = this.#prompts.hear(line)
      if (!recorded) continue
      const { prompt, uuid } = recorded
      clearTimeout(prompt.timer)
      acknowledge(prompt, uuid)
    }
    // Its lines come later than what it does.
    this.#setWorking(this.#options.ports.driven.isWorking(this.#options.session.id) ?? isWorking)
  }

  #setWorking(isWorking: boolean): void {
    if (isWorking === this.#isWorking) return
    this.#isWorking = isWorking
    this.#tellAll(agentTyping(isWorking))
  }

  #tellTyping(from: Subscriber, isTyping: boolean): void {
    for (const other of this.#subscribers) {
      if (other !== from) other.tell({ type: 'typing', isTyping, from: 'client' })
    }
  }

  #tellAll(message: object): void {
    for (const subscriber of this.#subscribers) subscriber.tell(message)
  }

  #nudgeAll(): void {
    for (const subscriber of this.#subscribers) subscriber.nudge()
  }
}

function agentTyping(isTyping: boolean): object {
  return { type: 'typing', isTyping, from: 'agent' }
}

/** Says that a message has reached the agent, with the line that it was recorded as. */
function acknowledge({ from, clientId }: Sent, uuid: string | null): void {
  from.tell({ type: 'ack', uuid, ...(clientId === undefined ? {} : { clientId }) })
}

/** Gives a message back to whoever sent it, with the reason, so that its text is not lost. */
function refuse(
  to: Subscriber,
  { clientId, ...why }: { error: string; code: string; content: string; clientId: UserMessage['clientId'] },
): void {
  to.tell({ type: 'error', ...why, ...(clientId === undefined ? {} : { clientId }) })
}
