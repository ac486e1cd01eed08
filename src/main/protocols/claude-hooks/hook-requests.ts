import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../../shared/json'
import type { Result } from '../../../shared/result'
import type { Refusal, RefusalBody } from '../../core/net/loopback-server'
import { readBody, refuseUnread } from '../../core/net/request-body'
import { bearerOf } from '../../core/net/secret'
import { isEditTool } from '../claude-tools/edit-tools'
import { type FrameParser, largeFrame } from '../kit/frame-parser'
import { loggedPart, loggedText } from '../kit/logged-text'
import { GateFlow, type Known } from './gate-flow'
import { terminalVariable, tokenVariable } from './hook-entry'
import { callAnswer, type CallOf, type HookCall, noOpinion, readHook, toldAfterwards } from './hook-wire'
import { JoinedCalls } from './joined-calls'
import type { Due, HookPorts, HookSource } from './ports'
import { isTokenOf } from './terminal-token'

/** The one path that is served. */
export const hookPath = '/hook'
/** The largest body that is taken, in bytes. */
export const maxBody = 64 * 1024 * 1024

/** A refusal's body: the sentence as JSON. */
export function refusalBody({ message }: Pick<Refusal, 'message'>): RefusalBody {
  return { type: 'application/json', text: JSON.stringify({ error: message }) }
}

/** A request that waits for its answer. */
interface Waiting {
  call: HookCall
  controller: AbortController
}

export interface RequestOptions {
  ports: HookPorts
  frames: FrameParser
  /** What the terminals' tokens are made of. */
  secret(): string
  /** A terminal has shown its token. */
  onToken(token: string): void
}

/** Answers the requests of hooks: each once, with a decision that can't be taken for another, or with a refusal. */
export class HookRequests {
  readonly #options: RequestOptions
  readonly #flow: GateFlow
  readonly #joined = new JoinedCalls()
  readonly #waiting = new Map<ServerResponse, Waiting>()
  #isOn = true
  #isEnded = false

  constructor(options: RequestOptions) {
    this.#options = options
    this.#flow = new GateFlow(options.ports)
  }

  /** While it is off nobody is asked: the agents' own modes decide, and what terminals ask is asked only there. */
  get isOn(): boolean {
    return this.#isOn
  }

  set isOn(isOn) {
    this.#isOn = isOn
    if (isOn) return
    // That the terminal has answered isn't heard any more.
    for (const { call, controller } of this.#waiting.values())
      if (call.hook_event_name === 'PermissionRequest') controller.abort('hooks-off')
  }

  /** How many wait for an answer. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes a request whose Host and Origin are checked. Never rejects. */
  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const controller = new AbortController()
    response.once('close', () => {
      this.#waiting.delete(response)
      controller.abort('cancelled')
    })
    const from = this.#sourceOf(request)
    if ('status' in from) return this.#refuse(request, response, from, null)
    try {
      const refusal = await this.#take(request, response, from, controller)
      if (refusal) this.#refuse(request, response, refusal, from)
    } catch (error) {
      this.#options.ports.report(error)
      this.#refuse(request, response, { status: 500, message: ownFault }, from)
    }
  }

  /**
   * Answers all that waits, and refuses from now on what would be asked. Resolves when the answers are sent, or after
   * `patience` milliseconds.
   */
  async end(patience = 100): Promise<void> {
    this.#isEnded = true
    const open = [...this.#waiting]
    const sent = open.map(([response]) => new Promise((resolve) => response.once('close', resolve)))
    // The answers first: a withdrawn review would be answered as such.
    for (const [response, { call }] of open) send(response, answerUnasked(call, closed))
    for (const [, { controller }] of open) controller.abort('shutdown')
    await Promise.race([Promise.all(sent), new Promise((resolve) => setTimeout(resolve, patience))])
  }

  /** Answers a request, or gives why it is refused. */
  async #take(
    request: IncomingMessage,
    response: ServerResponse,
    from: HookSource,
    controller: AbortController,
  ): Promise<Refusal | null> {
    const { ports } = this.#options
    const read = await readBody(request, maxBody)
    if (!read.ok) {
      if (read.failure.code === 'broken-off') return null
      return { status: 413, message: 'A hook’s call may have 64 MB at most. Change less at once.' }
    }
    const bytes = read.value.length
    const head = read.value.toString('utf8', 0, bytes > largeFrame ? loggedPart : bytes)
    const call = await this.#read(read.value, head)
    if (!call.ok) return { status: 500, message: call.failure.message }
    if (controller.signal.aborted) return null
    if (this.#isEnded || !this.isOn) {
      send(response, this.#isEnded ? answerUnasked(call.value, closed) : passingAnswer(call.value))
      return null
    }
    this.#waiting.set(response, { call: call.value, controller })
    this.#tell(() => ports.events.heard(call.value, from))
    const looked = this.#flow.look(call.value)
    const session = await ports.session(call.value.session_id, from)
    this.#tell(() => ports.events.placed(call.value, session, from))
    session.hear('in', loggedText(head), bytes)
    const due = await this.#done(call.value)
    const answer = due
      ? toldAfterwards(due.words)
      : await this.#answer(call.value, { session, from, looked }, controller.signal)
    if (answer === null) return { status: 500, message: otherChange }
    const text = send(response, answer)
    if (text === null) due?.otherwise()
    else session.hear('out', loggedText(text), Buffer.byteLength(text))
    if (call.value.hook_event_name === 'SessionEnd') session.ended()
    return null
  }

  async #done(call: HookCall): Promise<Due | null> {
    const isOver = call.hook_event_name === 'PostToolUse' || call.hook_event_name === 'PostToolUseFailure'
    return isOver ? this.#flow.done(call) : null
  }

  /** Null for a change that comes under the id of another. */
  async #answer(call: HookCall, known: Known, signal: AbortSignal): Promise<object | null> {
    if (call.hook_event_name === 'PreToolUse') return this.#decide(call, known, signal)
    return (await this.#options.ports.events.answer(call, known.session, signal)) ?? noOpinion
  }

  async #decide(call: CallOf<'PreToolUse'>, known: Known, signal: AbortSignal): Promise<object | null> {
    if (!isEditTool(call.tool_name)) return callAnswer({ kind: 'leave' })
    try {
      const decide = (withdrawn: AbortSignal) => this.#flow.decide(call, known, withdrawn)
      const decision = await this.#joined.decide(call, decide, signal)
      return decision && callAnswer(decision)
    } catch (error) {
      this.#options.ports.report(error)
      this.#options.ports.say(`A change by Claude was refused. ${ownFault}`)
      return callAnswer({ kind: 'deny', why: ownFault })
    }
  }

  /** Whoever hears of a call has no part in its answer. */
  #tell(event: () => void): void {
    try {
      event()
    } catch (error) {
      this.#options.ports.report(error)
    }
  }

  async #read(body: Buffer, head: string): Promise<Result<HookCall>> {
    if (body.length <= largeFrame) return readHook(isUtf8(body) ? parseJson(head) : undefined)
    const parsed = await this.#options.frames.parse(body)
    return parsed.ok ? readHook(parsed.value) : parsed
  }

  /** Who calls, or why that is refused. */
  #sourceOf(request: IncomingMessage): HookSource | Refusal {
    const { headers, url, method } = request
    if ((url ?? '/').split('?')[0] !== hookPath)
      return { status: 404, message: 'There is nothing at this address.' }
    const terminal = headers['x-greenlight-terminal']
    const token = bearerOf(headers.authorization)
    const missing = [
      ...(token === undefined ? [tokenVariable] : []),
      ...(typeof terminal !== 'string' || terminal === '' ? [terminalVariable] : []),
    ]
    if (missing.length > 0 || typeof terminal !== 'string') return { status: 401, message: withheld(missing) }
    const isKnown = /^[\w-]{1,100}$/.test(terminal) && isTokenOf(token, this.#options.secret(), terminal)
    if (!isKnown || token === undefined) return { status: 401, message: wrongToken }
    if (method !== 'POST') return { status: 405, message: 'Only POST is served.' }
    this.#options.onToken(token)
    const parent = Number(headers['x-greenlight-parent'])
    return { terminal, parent: Number.isSafeInteger(parent) && parent > 0 ? parent : null }
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { status, message }: Refusal,
    from: HookSource | null,
  ): void {
    this.#options.ports.refused(status, message, from)
    if (response.headersSent || response.destroyed) return
    if (status === 401) response.setHeader('www-authenticate', 'Bearer')
    if (status === 405) response.setHeader('allow', 'POST')
    refuseUnread(request, response, status, refusalBody({ message }))
  }
}

/** Sends an answer, unless the request has had one or is gone; gives what was sent. */
function send(response: ServerResponse, answer: object): string | null {
  if (response.headersSent || response.destroyed) return null
  const text = JSON.stringify(answer)
  // A connection that is kept could be closed just as the next call comes on it, which would refuse that.
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(200, { ...headers, connection: 'close' }).end(text)
  return text
}

function passingAnswer(call: HookCall): object {
  return call.hook_event_name === 'PreToolUse' ? callAnswer({ kind: 'leave' }) : noOpinion
}

/** What a call is answered where nobody can be asked: a change of a file is refused, and all else goes on. */
export function answerUnasked(call: HookCall, why: string): object {
  const isEdit = call.hook_event_name === 'PreToolUse' && isEditTool(call.tool_name)
  return isEdit ? callAnswer({ kind: 'deny', why }) : passingAnswer(call)
}

const closed =
  'Greenlight was closed while it asked about this change. Nothing was written. Start it again with this folder, then go on.'
const ownFault = 'Greenlight could not ask the person because of a fault of its own. Nothing was written.'
const otherChange = 'Another change came with the same id. Propose this one again.'
const wrongToken = 'The token isn’t one of this window’s. Start Claude Code in a new terminal of Greenlight.'

function withheld(names: readonly string[]): string {
  const [first = ''] = names
  return `Claude Code sent no ${names.join(' and no ')}. If its settings have “httpHookAllowedEnvVars”, add ${names.length > 1 ? 'both' : first} there; else start it in a new terminal of Greenlight.`
}
