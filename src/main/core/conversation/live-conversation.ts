import type { LiveConversationState, QueuedMessage } from '../../../shared/contract/conversations'
import { LiveTranscript, type TranscriptChange } from '../../../shared/conversation/live-transcript'
import { Emitter } from '../../../shared/lifetime'
import { type Done, fail, type Result, succeed } from '../../../shared/result'
import type { DrivenConversation } from './conversation'
import { MessageQueue } from './message-queue'

/** What an adapter does for a conversation, in its agent's own words. */
export interface ConversationDriver {
  /** Gives the agent a message; it then starts to work. */
  send(text: string): Promise<Done>
  /** Has it stop; the activity becomes `idle` when it has. */
  stop(): Promise<Done>
  /** Restarts its process. */
  restart(): Promise<Done>
  /** Sets a control; the adapter updates the state once it is set. */
  choose(control: string, value: string): Promise<Done>
}

const sentMeanwhile = fail('gone', 'This message was sent meanwhile. Look at the conversation.')

/** A conversation that an adapter fills with what its agent says, and that the person drives. */
export class LiveConversation implements DrivenConversation {
  readonly #driver: ConversationDriver
  readonly #transcript = new LiveTranscript()
  readonly #changes = new Emitter<TranscriptChange>()
  readonly #states = new Emitter<Partial<LiveConversationState>>()
  readonly #queue = new MessageQueue()
  readonly onState = this.#states.on
  readonly source = {
    page: (count: number, before?: string) => this.#transcript.page(count, before),
    onChange: this.#changes.on,
  }
  #state: LiveConversationState
  #isSending = false
  #notices = 0

  constructor(about: Pick<LiveConversationState, 'title' | 'agent' | 'folder'>, driver: ConversationDriver) {
    this.#driver = driver
    const end = { code: 'stopped' as const, message: `${about.agent} has not been started.`, complaints: '' }
    this.#state = {
      ...about,
      activity: 'idle',
      process: { phase: 'ended', end },
      queue: [],
      isQueueHeld: false,
      controls: [],
      commands: [],
      usage: null,
      costUSD: null,
    }
  }

  get state(): LiveConversationState {
    return this.#state
  }

  /** For the adapter: what has been said. */
  say(change: TranscriptChange): void {
    this.#transcript.apply([change])
    this.#changes.emit(change)
  }

  /** For the adapter: what else has changed. */
  update(change: Partial<Omit<LiveConversationState, 'queue' | 'isQueueHeld'>>): void {
    this.#tell(change)
    if (change.process?.phase === 'ended') this.#tell({ activity: 'idle' })
    if (change.activity === 'idle' || change.process?.phase === 'running') void this.#sendNext()
  }

  async send(text: string): Promise<Done> {
    const { process, activity } = this.#state
    if (process.phase !== 'running')
      return fail('not-running', `${this.#state.agent} does not run. Restart it, then send this again.`)
    this.#tell({ isQueueHeld: false })
    if (activity === 'working' || this.#isSending || this.#queue.all.length > 0) {
      this.#queue.add(text)
      this.#tellQueue()
      void this.#sendNext()
      return succeed({})
    }
    return this.#give(text)
  }

  async stop(): Promise<Done> {
    this.#tell({ isQueueHeld: this.#queue.all.length > 0 })
    return this.#driver.stop()
  }

  restart(): Promise<Done> {
    return this.#driver.restart()
  }

  edit(message: string, text: string): Done {
    return this.#done(this.#queue.edit(message, text))
  }

  move(message: string, to: number): Done {
    return this.#done(this.#queue.move(message, to))
  }

  withdraw(message: string): Result<{ text: string }> {
    const found = this.#queue.withdraw(message)
    this.#tellQueue()
    return found ? succeed({ text: found.text }) : sentMeanwhile
  }

  async choose(control: string, value: string): Promise<Done> {
    const known = this.#state.controls.find(({ id }) => id === control)
    if (!known?.options.some((option) => option.value === value))
      return fail('unknown', 'This cannot be chosen any more. Look at the choices again.')
    return this.#driver.choose(control, value)
  }

  #done(isDone: boolean): Done {
    this.#tellQueue()
    return isDone ? succeed({}) : sentMeanwhile
  }

  async #give(text: string): Promise<Done> {
    this.#isSending = true
    this.#tell({ activity: 'working' })
    const sent = await this.#driver.send(text)
    this.#isSending = false
    if (!sent.ok) this.#tell({ activity: 'idle' })
    return sent
  }

  /** Sends the first waiting message once the agent is ready; one that can't be sent goes back and holds the others. */
  async #sendNext(): Promise<void> {
    const { activity, process, isQueueHeld } = this.#state
    if (activity === 'working' || process.phase !== 'running' || isQueueHeld || this.#isSending) return
    const next: QueuedMessage | null = this.#queue.take()
    if (!next) return
    this.#tellQueue()
    const sent = await this.#give(next.text)
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
    this.#tell({ queue: [...this.#queue.all] })
  }

  #tell(change: Partial<LiveConversationState>): void {
    this.#state = { ...this.#state, ...change }
    this.#states.emit(change)
  }
}
