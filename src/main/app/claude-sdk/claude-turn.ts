import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { FieldValues } from '../../../shared/approval/approval-fields'
import { objectOf, parseJson } from '../../../shared/json'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import type { AgentProcess } from '../../core/agent-processes/agent-process'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { installOf } from '../../core/agents/agent'
import { claude } from '../../core/agents/claude'
import { GatePolicy } from '../../core/gate/gate-policy'
import { resumptionOf } from '../../protocols/claude-sdk/begin-form'
import { dialectId } from '../../protocols/claude-sdk/dialect-id'
import { launchArguments } from '../../protocols/claude-sdk/launch-arguments'
import { PermissionDesk } from '../../protocols/claude-sdk/permission-desk'
import { SdkConversation } from '../../protocols/claude-sdk/sdk-conversation'
import { resultMessage, tasksChanged } from '../../protocols/claude-sdk/wire-messages'
import { modeChoices } from '../../protocols/claude-tools/permission-modes'
import { largeFrame } from '../../protocols/kit/frame-parser'
import type { DialectWindow } from '../dialect-kit/dialect'
import type { TurnRequest, TurnEnd, TurnSurroundings } from '../dialect-kit/turn'
import { gatePorts } from './gate-ports'
import { mayStartIn } from '../wiring/trusted-place'

/** How long it has to stop its turn, and then to end by itself, in milliseconds. */
const stopPatience = 2000
const endGrace = 2000

/** The permission modes in which changes are made without asking, unless somebody can review them. */
const unasking = ['acceptEdits', 'auto', 'bypassPermissions']

/** Runs one turn with Claude Code: the conversation that a tab has, without the tab. */
export async function runClaudeTurn(
  window: DialectWindow,
  turn: TurnRequest,
  around: TurnSurroundings,
): Promise<Result<TurnEnd>> {
  const mode = turn.permissionMode ?? 'default'
  if (!modeChoices.some(({ value }) => value === mode)) {
    const modes = modeChoices.map(({ value }) => value).join(', ')
    return fail('invalid', `There is no permission mode "${mode}". Choose one of ${modes}.`)
  }
  const values: FieldValues = {
    permissionMode: mode,
    ...(turn.model === null ? {} : { model: turn.model }),
    ...(turn.resume === null ? {} : { resume: turn.resume }),
  }
  const from = resumptionOf(values)
  if (!from.ok) return fail('invalid', from.failure.message)
  const allowed = await mayStartIn(turn.folder, { mayRun: window.mayRun, home: window.machine.home })
  if (!allowed.ok) return allowed
  const found = await window.machine.programs.find(claude)
  if (!found) return fail('missing', installOf(claude).sentence)
  const running = new ClaudeTurn(window, turn, mode, around)
  return running.run(found.program, launchArguments(values, from.value))
}

class ClaudeTurn {
  readonly #window: DialectWindow
  readonly #turn: TurnRequest
  readonly #around: TurnSurroundings
  readonly #conversation: SdkConversation
  readonly #connection = randomUUID()
  #process: AgentProcess | null = null
  /** How the last turn ended: another one follows what a sub-agent in the background comes to. */
  #last: Result<TurnEnd> | null = null
  /** Whether sub-agents work in the background. */
  #isAwaited = false
  /** Called with its end, once. */
  #end: (end: Result<TurnEnd>) => void = () => undefined
  readonly #ended = new Promise<Result<TurnEnd>>((resolve) => (this.#end = resolve))

  constructor(window: DialectWindow, turn: TurnRequest, mode: string, around: TurnSurroundings) {
    this.#window = window
    this.#turn = turn
    this.#around = around
    const { log } = window.machine
    const isReviewed = window.gate.of(null) === 'every' && (around.isWatched || !unasking.includes(mode))
    const desk = new PermissionDesk({
      ...gatePorts(window, around, () => false),
      // What is allowed for this turn alone counts after the person’s own rules.
      rules: {
        of: async (path, real) => (await window.rules.of(path, real)) ?? around.rules.of(path, real),
      },
      policy: new GatePolicy(() => (isReviewed ? 'every' : 'mode')).for(this.#connection),
      refused: (title, path) => around.refused(title, path),
      origin: (call) => this.#origin(call),
      folder: turn.folder,
    })
    this.#conversation = new SdkConversation(
      {
        desk,
        transport: {
          write: (line) => this.#process?.write(line) ?? Promise.resolve(notRunning),
          restart: () => Promise.resolve(notRunning),
          end: () => Promise.resolve(notRunning),
        },
        context: { seen: () => window.context.seen, sent: () => undefined },
        report: (sentence, cause) => log.warn('claude-sdk', { sentence, cause }),
      },
      {
        title: claude.title,
        folder: turn.folder,
        chosen: { model: turn.model ?? 'default', permissionMode: mode, effort: 'default' },
        mayBypass: false,
      },
    )
  }

  /** Resolves once nothing of it is left. */
  async run(program: string, args: readonly string[]): Promise<Result<TurnEnd>> {
    const { processes, machine } = this.#window
    const made = processes.create(
      {
        ...{ name: claude.name, program, folder: this.#turn.folder, args: [...args] },
        // It then reports when it is done.
        env: { ...(await machine.programs.environment()), CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
        graceMs: endGrace,
      },
      {
        line: (line) => this.#hear(line),
        report: (error) => machine.log.error('claude-sdk fault', { error }),
      },
    )
    if (!made.ok) return made
    const process = made.value
    this.#process = process
    process.onState((state) => {
      if (state.phase !== 'ended') return
      this.#conversation.processChanged(state)
      const { code, message, complaints } = state.end
      const last = complaints.trim()
      this.#end(fail(code, last === '' ? message : `${message} It said last: ${last}`))
    })
    try {
      if (this.#around.signal.aborted) return stopped
      const stopping = once(this.#around.signal, 'abort').then(() => this.#stop())
      await process.start()
      if (process.state.phase === 'running' && !this.#around.signal.aborted) void this.#say(process)
      return await Promise.race([this.#ended, stopping])
    } finally {
      // With its input closed it ends by itself.
      await processes.remove(process)
      this.#conversation.dispose()
    }
  }

  #origin(call: string): Origin {
    const pid = this.#process?.pid ?? null
    const { session } = this.#conversation.live.state
    return {
      ...{ dialect: dialectId, connection: this.#connection, agent: claude.name, call },
      ...(pid === null ? {} : { pid }),
      ...(session === null ? {} : { session }),
    }
  }

  async #say(process: AgentProcess): Promise<void> {
    const begun = await this.#conversation.begin(process.state)
    if (!begun.ok) return this.#end(begun)
    const { prompt } = this.#turn
    const said = await this.#conversation.live.send({ text: prompt, pictures: [], withContext: false })
    if (!said.ok) this.#end(said)
  }

  async #stop(): Promise<Result<TurnEnd>> {
    const late = new Promise((resolve) => setTimeout(resolve, stopPatience).unref())
    await Promise.race([this.#conversation.live.stop(), late])
    return stopped
  }

  async #hear(line: ProcessLine): Promise<void> {
    if (line.kind === 'too-long') {
      this.#around.say(`A message of ${Math.ceil(line.bytes / 2 ** 20)} MB is too long and was left out.`)
      return this.#conversation.hear(line, this.#window.machine.frames)
    }
    const value = await this.#parse(line.text)
    this.#conversation.take(value)
    const message = objectOf(value)
    const type = message?.['type']
    // What is asked and answered between the two of us is no message.
    if (typeof type !== 'string' || /^(control_|keep_alive$)/.test(type)) return
    await this.#around.message(line.text)
    const subtype = message?.['subtype']
    // Other tasks in the background, such as a server, may never end.
    if (subtype === 'background_tasks_changed') {
      const read = tasksChanged.safeParse(value).data
      this.#isAwaited =
        read?.tasks.some((task) => task.task_type === 'local_agent' && task.ambient !== true) === true
    }
    if (type === 'result') this.#last = endOf(line.text, value, this.#last)
    else if (subtype !== 'session_state_changed') return
    const isOver = this.#conversation.live.state.activity === 'idle' && !this.#isAwaited
    if (this.#last && isOver) this.#end(this.#last)
  }

  /** A long line is parsed in a thread. */
  async #parse(text: string): Promise<unknown> {
    if (text.length < largeFrame) return parseJson(text)
    const parsed = await this.#window.machine.frames.parse(Buffer.from(text))
    return parsed.ok ? parsed.value : undefined
  }
}

/** `before`: how the turn before ended; what was refused in it counts too. */
function endOf(message: string, value: unknown, before: Result<TurnEnd> | null): Result<TurnEnd> {
  const read = resultMessage.safeParse(value).data
  if (!read)
    return fail('unknown-version', 'Claude Code ended its turn in a way that isn’t known here. Update it.')
  const { subtype, result, errors, is_error, permission_denials } = read
  const isError = is_error || subtype !== 'success'
  const wrong = errors.length > 0 ? errors.join('\n') : `The turn ended with ${subtype}.`
  return succeed({
    message,
    text: result ?? (isError ? wrong : ''),
    isError,
    isRefused: permission_denials.length > 0 || (before?.ok === true && before.value.isRefused),
  })
}

const stopped = fail('stopped', 'Stopped. Resume the session to go on.')
const notRunning: Done = fail('not-running', 'Claude is no longer running. Start it again.')
