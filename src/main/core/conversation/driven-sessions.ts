import { type Disposable, DisposableStack, disposable, Emitter, type Listen } from '../../../shared/lifetime'
import type { DrivenConversation } from './conversation'

/** The sessions whose agents Greenlight runs, in whichever window. */
export class DrivenSessions {
  readonly #all = new Set<DrivenConversation>()
  readonly #streamed = new Emitter<{ session: string; event: object }>()
  readonly #working = new Emitter<{ session: string; isWorking: boolean }>()
  readonly #running = new Emitter<string>()
  /** A session's agent has started or ended, or is in another session now; tells which session. */
  readonly onRunning: Listen<string> = this.#running.on

  /** Registers a conversation under its session, as soon as it has one, until the result is disposed of. */
  add(conversation: DrivenConversation): Disposable {
    this.#all.add(conversation)
    const session = () => conversation.state.session
    let told: string | null = null
    const tell = () => {
      const now = session()
      const isWorking = conversation.state.activity === 'working'
      const news = `${now} ${isWorking}`
      if (now === null || news === told) return
      told = news
      this.#working.emit({ session: now, isWorking })
    }
    let runsIn: string | null = null
    const tellRunning = () => {
      const before = runsIn
      runsIn = session()
      for (const one of new Set([before, runsIn])) if (one !== null) this.#running.emit(one)
    }
    return new DisposableStack(
      disposable(() => {
        this.#all.delete(conversation)
        tellRunning()
      }),
      conversation.onStream((event) => {
        const now = session()
        if (now !== null) this.#streamed.emit({ session: now, event })
      }),
      conversation.onState(tell),
      conversation.onState((change) => {
        if (change.session !== undefined || change.process !== undefined) tellRunning()
      }),
    )
  }

  /** A session's conversation, if its agent is running or about to. */
  running(session: string): DrivenConversation | undefined {
    return this.#of(session).find(({ state }) => state.process.phase !== 'ended')
  }

  /** A session's conversation; if there are several, the latest. */
  latest(session: string): DrivenConversation | undefined {
    return this.#of(session).at(-1)
  }

  /** Each event of what a session's model writes. */
  onStream(session: string, listener: (event: object) => void): Disposable {
    return this.#streamed.on((one) => one.session === session && listener(one.event))
  }

  /** A session's agent starts or stops working. */
  onWork(session: string, listener: (isWorking: boolean) => void): Disposable {
    return this.#working.on((one) => one.session === session && listener(one.isWorking))
  }

  #of(session: string): DrivenConversation[] {
    return [...this.#all].filter(({ state }) => state.session === session)
  }
}
