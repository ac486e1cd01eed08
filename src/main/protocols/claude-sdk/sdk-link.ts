import { randomUUID } from 'node:crypto'
import { type Json, objectOf, parseJson, stringOf } from '../../../shared/json'
import { type Done, type Failure, fail, type Result, succeed } from '../../../shared/result'
import type { WithdrawnReason } from '../../../shared/review/proposal'
import {
  type ControlRequest,
  controlRequest,
  type SentPrompt,
  type SentRequest,
  type WireMessage,
} from './wire-messages'
import { dropOldest } from '../../../shared/drop-oldest'
import { deny, type Refused, refusalOf } from './refusal'

/** Who uses a link. None of them may throw on purpose; what `ask` throws is answered as an error and told. */
export interface LinkHandlers {
  /** Something was said that needs no answer. */
  message(message: WireMessage): void
  /**
   * Something is asked. The signal aborts when nobody waits for the answer any more, with a `WithdrawnReason`. A failure
   * is told to the agent, as a refusal.
   */
  ask(request: ControlRequest, signal: AbortSignal): Promise<Result<object>>
  /** Something was wrong with what came; `cause` is a code, or what a handler threw. Holds no contents. */
  problem(sentence: string, cause: unknown): void
}

interface Waiting {
  resolve(answer: Result<Json>): void
  timer: NodeJS.Timeout
}

/** How long an answer is waited for, in milliseconds, unless who asks says otherwise. */
const usualPatience = 30_000
/** Of so many questions it is known that they were answered. */
const mostAnswered = 1000
/** The longest reason of an error that is repeated to the person. */
const longestReason = 2000

/**
 * The two sides of a conversation with Claude Code over any transport of lines: what is asked here, what is asked there,
 * and what is only said. Every question that comes is answered exactly once.
 */
export class SdkLink {
  readonly #write: (line: string) => Promise<Done>
  readonly #cancels: boolean
  readonly #handlers: LinkHandlers
  readonly #waiting = new Map<string, Waiting>()
  /** What is being asked, by its id. */
  readonly #asked = new Map<string, AbortController>()
  readonly #answered = new Set<string>()
  #closed: Failure | null = null

  /** `cancels`: false for agents that may be so old that they end at a cancelled question (2.1.39 does). */
  constructor({
    write,
    handlers,
    cancels = true,
  }: {
    write(line: string): Promise<Done>
    handlers: LinkHandlers
    cancels?: boolean
  }) {
    this.#write = write
    this.#cancels = cancels
    this.#handlers = handlers
  }

  /** How many of its questions wait for an answer. */
  get asked(): number {
    return this.#asked.size
  }

  /** Takes a line, without its end. Blank ones say nothing. */
  read(line: string): void {
    const value = parseJson(line)
    if (value !== undefined || line.trim() !== '') this.take(value)
  }

  /** Takes what a line holds; undefined for one that isn't JSON. */
  take(value: unknown): void {
    if (this.#closed) return
    const message = objectOf(value)
    if (!message || !isMessage(message)) {
      const what = value === undefined ? 'not-json' : 'not-a-message'
      return this.#handlers.problem('A line came that isn’t a message; it was left out.', what)
    }
    switch (message.type) {
      case 'control_request':
        return this.#takeRequest(message)
      case 'control_response':
        return this.#takeAnswer(message)
      case 'control_cancel_request':
        return this.#asked
          .get(stringOf(message['request_id']) ?? '')
          ?.abort('cancelled' satisfies WithdrawnReason)
      case 'keep_alive':
        return
      default:
        return this.#handlers.message(message)
    }
  }

  /** A line came that is too long to be read: a question in it is answered, so that nobody waits. */
  skip(bytes: number, head: string): void {
    if (this.#closed) return
    const megabytes = Math.ceil(bytes / (1024 * 1024))
    this.#handlers.problem(
      `A message of ${megabytes} MB came, which is too long; it was left out.`,
      'too-long',
    )
    const words = wordsAtHead(head)
    const { type, request_id: id, subtype = '', callback_id } = words
    // What comes first is the question's own: inputs of hooks and of tools can have members of both names.
    const input = Object.keys(words).find((name) => name === 'input' || name === 'tool_input')
    const isOld = subtype === 'can_use_tool' && input === 'tool_input'
    if (type === 'control_request' && id !== undefined && this.#isNew(id))
      this.#answer(id, { subtype, callback_id }, tooLong, isOld)
  }

  /**
   * Asks the agent. Fails if it refuses, with its reason; if it doesn't answer in time, in milliseconds; or if nobody is
   * there any more.
   */
  async request(request: SentRequest, options: { timeoutMs?: number } = {}): Promise<Result<Json>> {
    if (this.#closed) return { ok: false, failure: this.#closed }
    const id = randomUUID()
    const answer = new Promise<Result<Json>>((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        if (this.#cancels) void this.#send({ type: 'control_cancel_request', request_id: id })
        resolve(
          fail('no-answer', `There was no answer to “${request.subtype}” in time. Try again, or restart it.`),
        )
      }, options.timeoutMs ?? usualPatience)
      this.#waiting.set(id, { resolve, timer: timer.unref() })
    })
    const written = await this.#send({ type: 'control_request', request_id: id, request })
    if (!written.ok) this.#settle(id, written)
    return answer
  }

  /** Says something. Resolves once the transport has taken it. */
  say(prompt: SentPrompt): Promise<Done> {
    return this.#send(prompt)
  }

  /** Nobody is there any more: what is asked is withdrawn, what is waited for fails with the reason. */
  close(failure: Failure, withdrawn: WithdrawnReason = 'connection-lost'): void {
    if (this.#closed) return
    this.#closed = failure
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { ok: false, failure })
    for (const controller of this.#asked.values()) controller.abort(withdrawn)
    this.#asked.clear()
  }

  #takeRequest(message: Json): void {
    const id = stringOf(message['request_id'])
    if (id === null)
      return this.#handlers.problem('Something was asked without an id, so it can’t be answered.', 'no-id')
    if (!this.#isNew(id)) return
    const body = objectOf(message['request'])
    const isOld = body?.['subtype'] === 'can_use_tool' && !('input' in body) && 'tool_input' in body
    const read = controlRequest.safeParse(isOld ? { ...body, input: body['tool_input'] } : body)
    if (!read.success) {
      const subtype = stringOf(body?.['subtype'])?.slice(0, 100) ?? 'nothing'
      const callback_id = stringOf(body?.['callback_id']) ?? undefined
      this.#handlers.problem(
        `Something was asked that isn’t known here (“${subtype}”); it was refused.`,
        'unknown-request',
      )
      return this.#answer(
        id,
        { subtype, callback_id },
        fail('unsupported', `Greenlight does not answer “${subtype}” as it was asked. Go on without it.`),
        isOld,
      )
    }
    void this.#ask(id, read.data, isOld)
  }

  async #ask(id: string, request: ControlRequest, isOld: boolean): Promise<void> {
    const controller = new AbortController()
    this.#asked.set(id, controller)
    let answer: Result<object>
    try {
      answer = await this.#handlers.ask(request, controller.signal)
    } catch (error) {
      this.#handlers.problem('Greenlight could not answer what was asked; it was refused.', error)
      answer = fail('failed', 'Greenlight could not answer this. Ask again, or go on without it.')
    }
    const isWithdrawn = controller.signal.aborted
    this.#asked.delete(id)
    this.#answer(id, request, isWithdrawn ? withdrawn : answer, isOld)
  }

  /** Whether it is asked for the first time; each id is answered once. */
  #isNew(id: string): boolean {
    if (!this.#asked.has(id) && !this.#answered.has(id)) return true
    this.#handlers.problem('The same thing was asked twice; it is answered once.', 'id-twice')
    return false
  }

  #answer(id: string, asked: Refused, decided: Result<object>, isOld: boolean): void {
    this.#answered.add(id)
    dropOldest(this.#answered, mostAnswered)
    const answer = decided.ok ? decided : refusalOf(asked, decided.failure)
    void this.#send({
      type: 'control_response',
      response: isOld ? oldAnswer(id, answer) : answerOf(id, answer),
    })
  }

  #takeAnswer(message: Json): void {
    const response = objectOf(message['response'])
    const id = stringOf(response?.['request_id'])
    if (!response || id === null || !this.#waiting.has(id))
      return this.#handlers.problem(
        'An answer came to something that isn’t asked; it was left out.',
        'unknown-answer',
      )
    if (response['subtype'] === 'success')
      return this.#settle(id, succeed(objectOf(response['response']) ?? {}))
    // An agent that was asked before by somebody else says what it still waits for.
    const pending = response['pending_permission_requests']
    if (Array.isArray(pending)) for (const one of pending as unknown[]) this.take(one)
    const reason = stringOf(response['error'])?.slice(0, longestReason) ?? 'It gave no reason.'
    this.#settle(id, fail('refused', reason))
  }

  #settle(id: string, answer: Result<Json>): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    clearTimeout(waiting.timer)
    this.#waiting.delete(id)
    waiting.resolve(answer)
  }

  #send(message: object): Promise<Done> {
    return this.#closed
      ? Promise.resolve({ ok: false, failure: this.#closed })
      : this.#write(JSON.stringify(message))
  }
}

const tooLong = fail('too-long', 'This is too long to be looked at. Ask for less at once.')
const withdrawn = fail('withdrawn', 'Nobody asks this any more.')

/** The members up to the first long one, in order, also of nested objects; an object itself counts as an empty word. */
function wordsAtHead(head: string): Partial<Record<string, string>> {
  const words: Partial<Record<string, string>> = {}
  const member = /\s*[{,]\s*"(\w+)"\s*:\s*(?:"([^"\\]{0,200})"|(?=\{))/y
  for (let found = member.exec(head); found; found = member.exec(head)) {
    const [, name = '', word = ''] = found
    words[name] ??= word
  }
  return words
}

function isMessage(value: Json): value is WireMessage {
  return typeof value['type'] === 'string'
}

function answerOf(id: string, answer: Result<object>): object {
  return answer.ok
    ? { subtype: 'success', request_id: id, response: answer.value }
    : { subtype: 'error', request_id: id, error: answer.failure.message }
}

/** The form for programs that ask with `tool_input`, which know no other. */
function oldAnswer(id: string, answer: Result<object>): object {
  const result = answer.ok ? answer.value : deny(answer.failure.message)
  return { subtype: 'can_use_tool_result', request_id: id, result }
}
