import { createHash } from 'node:crypto'
import { type CallDecision, type CallOf, keyOf } from './hook-wire'

type Call = CallOf<'PreToolUse'>

/** A call that was asked about, perhaps by several requests. */
interface Joined {
  /** What was asked, as a hash. */
  asked: string
  /** How many wait for the answer. */
  waiting: number
  readonly controller: AbortController
  decision: Promise<CallDecision>
  /** When it was decided, in milliseconds; null while it is not. */
  decidedAt: number | null
}

/** How long an answer is given again, in milliseconds, and how many are kept for that. */
const keptFor = 60_000
const mostKept = 500

/**
 * Has each call decided once, however often it is asked about: the same hook given in two ways is called twice. The
 * question is withdrawn when nobody waits for its answer any more.
 */
export class JoinedCalls {
  readonly #now: () => number
  readonly #calls = new Map<string, Joined>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * What `decide` says of the call, or has said; what the model is told with it is given once. Null if another change
   * came under the id of this one. `signal` aborts when its own request is over.
   */
  async decide(
    call: Call,
    decide: (signal: AbortSignal) => Promise<CallDecision>,
    signal: AbortSignal,
  ): Promise<CallDecision | null> {
    this.#forget()
    const key = keyOf(call)
    const asked = createHash('sha256')
      .update(JSON.stringify([call.tool_name, call.tool_input]))
      .digest('hex')
    const known = this.#calls.get(key)
    if (known && known.asked !== asked) return null
    const joined = known ?? this.#begin(key, asked, decide)
    joined.waiting += 1
    const leave = (): void => {
      joined.waiting -= 1
      if (joined.waiting > 0 || joined.decidedAt !== null) return
      this.#drop(key, joined)
      joined.controller.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    const decision = await joined.decision.finally(() => signal.removeEventListener('abort', leave))
    return known && decision.kind === 'allow' ? { ...decision, told: null } : decision
  }

  #begin(key: string, asked: string, decide: (signal: AbortSignal) => Promise<CallDecision>): Joined {
    const controller = new AbortController()
    const decision = decide(controller.signal)
    const joined: Joined = { asked, waiting: 0, controller, decision, decidedAt: null }
    this.#calls.set(key, joined)
    decision.then(
      () => (joined.decidedAt = this.#now()),
      () => this.#drop(key, joined),
    )
    return joined
  }

  #drop(key: string, joined: Joined): void {
    if (this.#calls.get(key) === joined) this.#calls.delete(key)
  }

  #forget(): void {
    const now = this.#now()
    let left = this.#calls.size - mostKept
    for (const [key, { decidedAt }] of this.#calls) {
      if (decidedAt === null) continue
      if (left <= 0 && now - decidedAt < keptFor) continue
      this.#calls.delete(key)
      left -= 1
    }
  }
}
