import { type Disposable, disposable } from '../../../shared/lifetime'
import type { SessionTranscript } from '../../../shared/conversation/session-transcript'
import type { SourceLine } from '../../../shared/conversation/transcript'
import { attempt } from '../host/calls'
import type { HostClient } from '../host/client'
import { tell } from '../window/notices-mirror'

/** Whether a record has lines before those that are loaded. */
export type EarlierState = 'none' | 'some' | 'loading'

interface Followed {
  lookers: number
  subscription: Disposable
  /** Which file is read; null until its last page has arrived, or where there is none. */
  reading: number | null
  from: number
  isLoading: boolean
  /** Resolves once the last page has arrived. */
  isHere: Promise<void>
}

/** How many messages are read at once on the way to an earlier one. */
const stride = 500

/** The records of a session's sub-agents, each followed as long as it is looked at. */
export class AgentRecords implements Disposable {
  readonly #session: string
  readonly #host: HostClient
  readonly #change: (how: (transcript: SessionTranscript) => void) => void
  readonly #followed = new Map<string, Followed>()

  /** `change` changes the session's transcript in place. */
  constructor(
    session: string,
    host: HostClient,
    change: (how: (transcript: SessionTranscript) => void) => void,
  ) {
    this.#session = session
    this.#host = host
    this.#change = change
  }

  /** Follows a sub-agent's record until the result is disposed. */
  follow(agent: string): Disposable {
    const known = this.#followed.get(agent)
    const one = known ?? this.#begin(agent)
    one.lookers++
    return disposable(() => {
      one.lookers--
      if (one.lookers > 0 || this.#followed.get(agent) !== one) return
      this.#followed.delete(agent)
      one.subscription.dispose()
    })
  }

  /** Starts over for a new transcript of the session: what was read belonged to the old one. */
  beginAnew(): void {
    for (const [agent, one] of this.#followed) {
      one.subscription.dispose()
      this.#subscribe(agent, one)
    }
  }

  /** Whether a followed record has earlier lines that are not loaded. */
  earlier(agent: string): EarlierState {
    const one = this.#followed.get(agent)
    if (!one || one.from === 0) return 'none'
    return one.isLoading ? 'loading' : 'some'
  }

  /** Reads the page before the first line; false when there is none, or it could not be read. */
  async loadEarlier(agent: string, messages?: number): Promise<boolean> {
    const one = this.#followed.get(agent)
    if (!one || one.isLoading || one.from === 0 || one.reading === null) return false
    const { reading } = one
    const setLoading = (isLoading: boolean) => this.#change(() => void (one.isLoading = isLoading))
    setLoading(true)
    const params = { id: this.#session, agent, reading, before: one.from }
    const page = await attempt('sessions.earlier', messages === undefined ? params : { ...params, messages })
    setLoading(false)
    if (one.reading !== reading || this.#followed.get(agent) !== one) return false
    if (!page.ok) {
      if (page.failure.code !== 'stale') tell('error', page.failure.message)
      return false
    }
    one.from = page.value.from
    this.#take(agent, page.value.lines)
    return true
  }

  /** Loads pages of a followed record until the line at an offset is loaded. False where that fails. */
  async reach(agent: string, offset: number): Promise<boolean> {
    const one = this.#followed.get(agent)
    if (!one) return false
    await one.isHere
    while (one.from > offset) if (!(await this.loadEarlier(agent, stride))) return false
    return true
  }

  dispose(): void {
    for (const one of this.#followed.values()) one.subscription.dispose()
    this.#followed.clear()
  }

  #begin(agent: string): Followed {
    const one: Followed = {
      lookers: 0,
      reading: null,
      from: 0,
      isLoading: false,
      isHere: Promise.resolve(),
      subscription: disposable(() => {}),
    }
    this.#followed.set(agent, one)
    this.#subscribe(agent, one)
    return one
  }

  #subscribe(agent: string, one: Followed): void {
    let settle = () => {}
    one.isHere = new Promise<void>((resolve) => (settle = resolve))
    one.reading = null
    one.from = 0
    one.subscription = this.#host.subscribe(
      'subAgent',
      { id: this.#session, agent },
      {
        // A sub-agent without its own record has its lines in the session's.
        snapshot: (stretch) => {
          if (stretch) {
            one.reading = stretch.reading
            one.from = stretch.from
            this.#take(agent, stretch.lines)
          }
          settle()
        },
        delta: (delta) => {
          switch (delta.kind) {
            case 'appended':
              return this.#take(agent, delta.lines)
            case 'anew':
              one.reading = delta.stretch.reading
              one.from = delta.stretch.from
              this.#change((transcript) => transcript.forgetAgent(agent))
              return this.#take(agent, delta.stretch.lines)
            case 'gone':
          }
        },
        refused: () => settle(),
      },
    )
  }

  #take(agent: string, lines: readonly SourceLine[]): void {
    this.#change((transcript) => transcript.agent(agent).add(lines))
  }
}
