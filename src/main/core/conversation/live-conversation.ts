import type {
  ConversationFigures,
  LiveConversationState,
  OutgoingMessage,
} from '../../../shared/contract/conversations'
import {
  addChange,
  LiveTranscript,
  type TranscriptChange,
} from '../../../shared/conversation/live-transcript'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, fail, type Result, succeed } from '../../../shared/result'
import type { KeptConversation } from '../settings/stored-tabs'
import type { DrivenConversation } from './conversation'
import { MessageQueue, type WaitingMessage } from './message-queue'

/** What an adapter does for a conversation, in its agent's protocol. It leaves out what its agent can't do. */
export interface ConversationDriver {
  /** Sends the agent a message, on which it starts to work. */
  send(message: OutgoingMessage): Promise<Done>
  /** Tells it to stop; the activity becomes `idle` once it has. */
  stop(): Promise<Done>
  /** Restarts its process. */
  restart(): Promise<Done>
  /** Ends its process and everything that came from it. */
  end(): Promise<Done>
  /** Sets a control; the adapter updates the state once it is set. */
  choose(control: string, value: string): Promise<Done>
  /** Hands a working agent a message to read when it can; `recall` and `LiveConversation.taken` use the same `id`. */
  give?(id: string, message: OutgoingMessage): Promise<Done>
  /** Takes back a given message that the agent hasn't read. Fails as `gone` if it has. */
  recall?(id: string): Promise<Done>
  /** The adapter updates the state once it is switched. */
  switch?(id: string, on: boolean): Promise<Done>
  act?(part: string, entry: string, act: string): Promise<Done>
  stopTask?(task: string): Promise<Done>
  fork?(before: string, message: OutgoingMessage): Promise<Result<{ id: string }>>
  rewind?(before: string): Promise<Result<{ files: number }>>
  figures?(): Promise<Result<ConversationFigures>>
}

const sentMeanwhile = fail('gone', 'This message was sent meanwhile. Look at the conversation.')
/** How long an agent may take to stop, in milliseconds, until the person may end its process. */
const stopPatience = 5000

/** A conversation that an adapter fills with what its agent says, and that the person drives. */
export class LiveConversation implements DrivenConversation, Disposable {
  readonly #driver: ConversationDriver
  readonly #stopPatience: number
  readonly #whole = new LiveTranscript()
  /** What was said since somebody last looked at the transcript, with the pieces of a text joined. */
  #fresh: TranscriptChange[] = []
  readonly #changes = new Emitter<TranscriptChange>()
  readonly #states = new Emitter<Partial<LiveConversationState>>()
  readonly #streamed = new Emitter<object>()
  readonly #queue = new MessageQueue()
  readonly from: string | null
  readonly #kept: () => KeptConversation | null
  readonly onState = this.#states.on
  readonly onStream = this.#streamed.on
  readonly source = {
    page: (count: number, before?: string) => this.#transcript.page(count, before),
    onChange: this.#changes.on,
  }
  #state: LiveConversationState
  #isSending = false
  #notices = 0
  #stopTimer: NodeJS.Timeout | undefined

  constructor(
    about: Pick<LiveConversationState, 'title' | 'agent' | 'folder'>,
    driver: ConversationDriver,
    options: { stopPatience?: number; from?: string | null; kept?: () => KeptConversation | null } = {},
  ) {
    this.#driver = driver
    this.from = options.from ?? null
    this.#kept = options.kept ?? (() => null)
    this.#stopPatience = options.stopPatience ?? stopPatience
    const end = { code: 'stopped' as const, message: `${about.agent} has not been started.`, complaints: '' }
    this.#state = {
      ...about,
      session: null,
      activity: 'idle',
      process: { phase: 'ended', end },
      queue: [],
      isQueueHeld: false,
      controls: [],
      switches: [],
      commands: [],
      parts: [],
      tasks: [],
      context: null,
      isUnresponsive: false,
      abilities: {
        pictures: false,
        gives: driver.give !== undefined,
        forks: driver.fork !== undefined,
        rewinds: driver.rewind !== undefined,
        figures: driver.figures !== undefined,
      },
      usage: null,
      costUSD: null,
    }
  }

  get state(): LiveConversationState {
    return this.#state
  }

  get kept(): KeptConversation | null {
    return this.#kept()
  }

  get waiting(): readonly OutgoingMessage[] {
    return this.#queue.all.map(({ message }) => message)
  }

  /** For the adapter: an item of the transcript, or of a sub-agent. */
  item(id: string): ReturnType<LiveTranscript['find']> {
    return this.#transcript.find(id)
  }

  /** For the adapter: what has been said. */
  say(change: TranscriptChange): void {
    addChange(this.#fresh, change)
    this.#changes.emit(change)
  }

  /** For the adapter: an event of what the model writes, for those who follow the session. */
  streamed(event: object): void {
    this.#streamed.emit(event)
  }

  /** For the adapter: what else has changed. */
  update(change: Partial<Omit<LiveConversationState, 'queue' | 'isQueueHeld' | 'isUnresponsive'>>): void {
    this.#tell(change)
    if (change.process?.phase === 'ended') {
      // Whatever it had been given and not read is lost with it.
      if (this.#queue.giveBackAll()) this.#tellQueue()
      this.#tell({ activity: 'idle' })
    }
    if (this.#state.activity === 'idle') this.#stopped()
    if (change.activity === 'idle' || change.process?.phase === 'running') void this.#sendNext()
  }

  /** For the adapter: the agent has read a message that it was given. */
  taken(message: string): void {
    if (this.#queue.find(message)?.given !== true) return
    this.#queue.withdraw(message)
    this.#tellQueue()
  }

  /** For the adapter: the agent has returned a message unread, so it waits here again. */
  returned(message: string): void {
    this.#queue.takeBack(message)
    this.#tell({ isQueueHeld: true })
    this.#tellQueue()
  }

  /** For the adapter: a message to begin with. It waits until the agent runs, however long that takes. */
  wait(message: OutgoingMessage): void {
    this.#queue.add(message)
    this.#tellQueue()
  }

  async send(message: OutgoingMessage): Promise<Done> {
    const { process, activity } = this.#state
    const isStarting = process.phase === 'starting'
    if (process.phase !== 'running' && !isStarting)
      return fail('not-running', `${this.#state.agent} isn’t running. Restart it, then send this again.`)
    this.#tell({ isQueueHeld: false })
    if (isStarting || activity === 'working' || this.#isSending || this.#queue.all.length > 0) {
      this.#queue.add(message)
      this.#tellQueue()
      void this.#sendNext()
      return succeed({})
    }
    return this.#deliver(message)
  }

  async stop(): Promise<Done> {
    this.#tell({ isQueueHeld: this.#queue.all.length > 0 })
    clearTimeout(this.#stopTimer)
    this.#stopTimer = setTimeout(() => this.#tell({ isUnresponsive: true }), this.#stopPatience).unref()
    return this.#driver.stop()
  }

  restart(): Promise<Done> {
    return this.#driver.restart()
  }

  end(): Promise<Done> {
    return this.#driver.end()
  }

  edit(message: string, text: string): Done {
    return this.#done(this.#queue.edit(message, text))
  }

  move(message: string, to: number): Done {
    return this.#done(this.#queue.move(message, to))
  }

  async give(id: string): Promise<Done> {
    const waiting = this.#queue.find(id)
    if (!waiting) return sentMeanwhile
    if (waiting.given) return succeed({})
    if (!this.#driver.give) return this.#cannot('take this while it works')
    // It must not be sent from here as well, even if the agent stops working before it has read it.
    this.#queue.give(id)
    this.#tellQueue()
    const given = await this.#driver.give(id, waiting.message)
    if (given.ok) return given
    this.#queue.takeBack(id)
    this.#tellQueue()
    void this.#sendNext()
    return given
  }

  async withdraw(id: string): Promise<Result<Pick<OutgoingMessage, 'text' | 'pictures'>>> {
    if (this.#queue.find(id)?.given === true) {
      const recalled = (await this.#driver.recall?.(id)) ?? sentMeanwhile
      if (!recalled.ok) return recalled
    }
    const found = this.#queue.withdraw(id)
    this.#tellQueue()
    if (!found) return sentMeanwhile
    const { text, pictures } = found.message
    return succeed({ text, pictures })
  }

  async choose(control: string, value: string): Promise<Done> {
    const known = this.#state.controls.find(({ id }) => id === control)
    if (!known?.options.some((option) => option.value === value))
      return fail('unknown', 'This cannot be chosen any more. Look at the choices again.')
    return this.#driver.choose(control, value)
  }

  async switch(id: string, on: boolean): Promise<Done> {
    return (await this.#driver.switch?.(id, on)) ?? this.#cannot('do this')
  }

  async act(part: string, entry: string, act: string): Promise<Done> {
    return (await this.#driver.act?.(part, entry, act)) ?? this.#cannot('do this')
  }

  async stopTask(task: string): Promise<Done> {
    return (await this.#driver.stopTask?.(task)) ?? this.#cannot('stop a task alone')
  }

  async fork(before: string, message: OutgoingMessage): Promise<Result<{ id: string }>> {
    return (await this.#driver.fork?.(before, message)) ?? this.#cannot('go on from an earlier message')
  }

  async rewind(before: string): Promise<Result<{ files: number }>> {
    const { agent, activity } = this.#state
    if (activity === 'working') return fail('busy', `${agent} is working. Stop it first, then rewind.`)
    return (await this.#driver.rewind?.(before)) ?? this.#cannot('go back to earlier files')
  }

  async figures(): Promise<Result<ConversationFigures>> {
    return (await this.#driver.figures?.()) ?? this.#cannot('say this')
  }

  dispose(): void {
    clearTimeout(this.#stopTimer)
    this.#changes.dispose()
    this.#states.dispose()
    this.#streamed.dispose()
  }

  /** Changes are applied only when somebody looks; otherwise each piece of a message would make it anew. */
  get #transcript(): LiveTranscript {
    this.#whole.apply(this.#fresh)
    this.#fresh = []
    return this.#whole
  }

  #cannot(what: string) {
    return fail('unsupported', `${this.#state.agent} can’t ${what}. Send a message instead.`)
  }

  #stopped(): void {
    clearTimeout(this.#stopTimer)
    if (this.#state.isUnresponsive) this.#tell({ isUnresponsive: false })
  }

  #done(isDone: boolean): Done {
    this.#tellQueue()
    return isDone ? succeed({}) : sentMeanwhile
  }

  async #deliver(message: OutgoingMessage): Promise<Done> {
    this.#isSending = true
    this.#tell({ activity: 'working' })
    const sent = await this.#driver.send(message)
    this.#isSending = false
    // What has come meanwhile waits.
    if (sent.ok) void this.#sendNext()
    else this.#tell({ activity: 'idle', isQueueHeld: this.#queue.all.length > 0 })
    return sent
  }

  /** Sends the first waiting message if the agent is ready; one that can't be sent goes back and holds up the others. */
  async #sendNext(): Promise<void> {
    const { activity, process, isQueueHeld } = this.#state
    if (activity === 'working' || process.phase !== 'running' || isQueueHeld || this.#isSending) return
    const next: WaitingMessage | null = this.#queue.take()
    if (!next) return
    this.#tellQueue()
    const sent = await this.#deliver(next.message)
    if (sent.ok) return
    this.#queue.putBack(next)
    this.#tell({ isQueueHeld: true })
    this.#tellQueue()
    this.say({
      kind: 'put',
      item: {
        ...{ kind: 'notice', what: 'error', id: `not-sent-${++this.#notices}`, offset: 0, branches: null },
        ...{ at: Date.now(), text: sent.failure.message, record: null },
      },
    })
  }

  #tellQueue(): void {
    const queue = this.#queue.all.map(({ id, message: { text, pictures }, given }) => ({
      ...{ id, text, pictures: pictures.length, isGiven: given },
    }))
    this.#tell({ queue })
  }

  #tell(change: Partial<LiveConversationState>): void {
    this.#state = { ...this.#state, ...change }
    this.#states.emit(change)
  }
}
