import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FieldChoice, FieldValues } from '../../../shared/approval/approval-fields'
import type { ProcessEnd } from '../../../shared/contract/agent-processes'
import type { OutgoingMessage } from '../../../shared/contract/conversations'
import { textOf } from '../../../shared/conversation/transcript'
import { DisposableStack } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import { plainText } from '../../../shared/text/plain-text'
import type { AgentProcess } from '../../core/agent-processes/agent-process'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { claude } from '../../core/agents/claude'
import { processExists } from '../../core/platform/process-tree'
import type { KeptConversation } from '../../core/settings/stored-tabs'
import { keptValues } from '../../protocols/claude-sdk/begin-form'
import { PermissionDesk } from '../../protocols/claude-sdk/permission-desk'
import { launchArguments, type Resumption, systemPromptOf } from '../../protocols/claude-sdk/launch-arguments'
import { hungUp, SdkConversation } from '../../protocols/claude-sdk/sdk-conversation'
import type { InitMessage } from '../../protocols/claude-sdk/wire-messages'
import type { ConnectionEntry } from '../../protocols/kit/connection'
import { loggedText } from '../../protocols/kit/logged-text'
import { AgentConnections } from '../dialect-kit/agent-connections'
import type { DialectFacts, DialectWindow } from '../dialect-kit/dialect'
import { earlierTalk } from './earlier-talk'
import { tabOfSession } from '../page/session-handlers'
import { gatePorts } from './gate-ports'
import { hostedTools } from './hosted-tools'
import { withTrustedFolders } from './more-folders'
import { withPrivateConfig } from './private-config'
import { mayStartIn } from '../wiring/trusted-place'

/** How a conversation over standard input and output begins. */
export interface StdioBeginning {
  folder: string
  /** Of the form. */
  values: FieldValues
  from: Resumption | null
  /** Where it is now, or why there is none. */
  program(): Promise<Result<string>>
  onModels(models: readonly FieldChoice[]): void
  fork(
    values: FieldValues,
    upTo: { session: string; message: string } | null,
    message: OutgoingMessage,
  ): Promise<Result<{ id: string }>>
}

/** How long a program that no longer reads may take to end, in milliseconds. */
const lastWords = 2000

/** A conversation with Claude Code as a process of a window, in a tab. It ends with its tab. */
export class StdioConversation {
  readonly #window: DialectWindow
  readonly #dialect: DialectFacts
  readonly #beginning: StdioBeginning
  readonly #conversation: SdkConversation
  readonly #connections: AgentConnections
  readonly #connection = randomUUID()
  readonly #owned = new DisposableStack()
  /** Among the window's conversations. */
  #id: string | null = null
  /** What was said earlier in its session is shown. */
  #told: Promise<void> = Promise.resolve()
  #process: AgentProcess | null = null
  #entry: ConnectionEntry | null = null
  #since = 0
  /** How often it was to be started: an earlier start gives way to a later one. */
  #starts = 0
  #isOver = false

  constructor(window: DialectWindow, dialect: DialectFacts, beginning: StdioBeginning) {
    this.#window = window
    this.#dialect = dialect
    this.#beginning = beginning
    this.#connections = new AgentConnections(dialect, window.agents, window.machine.log)
    const { values, folder } = beginning
    const text = (id: string) => (typeof values[id] === 'string' ? values[id] : '')
    const permissionMode = text('permissionMode') || 'default'
    const files = window.rewinding.of(this.#connection)
    this.#conversation = new SdkConversation(
      {
        transport: {
          write: (line) => this.#write(line),
          restart: (session) => this.#restart(session),
          end: async () => {
            await this.#process?.stop(0)
            return succeed({})
          },
        },
        desk: new PermissionDesk({
          ...gatePorts(window, window, () => window.settings.get().reviewUnasked),
          policy: this.#owned.add(window.gate.for(this.#connection)),
          origin: (call) => this.#origin(call),
          tools: this.#owned.add(hostedTools(window, this.#connection)),
          beforeChange: (path) => files.beforeChange(path),
          folder,
        }),
        context: {
          seen: () => window.context.seen,
          sent: (item) =>
            window.context.sent({ connection: this.#connection, agent: claude.name }, 'told', item),
        },
        described: ({ models }) =>
          beginning.onModels(
            models.map(({ value, displayName, description }) => ({
              ...{ value, label: displayName ?? value, help: description ?? null },
            })),
          ),
        began: (init) => this.#began(init),
        report: (sentence, cause) => window.machine.log.warn('claude-sdk', { sentence, cause }),
        files,
        kept: () => this.#kept(),
        fork: (upTo, message) => beginning.fork(this.#values(), upTo, message),
      },
      {
        title: `Claude in ${basename(folder)}`,
        folder,
        from: beginning.from?.session ?? null,
        chosen: { model: text('model') || 'default', permissionMode, effort: text('effort') || 'default' },
        systemPrompt: systemPromptOf(values),
        mayBypass: permissionMode === 'bypassPermissions',
      },
    )
    const { from } = beginning
    if (from && !from.isFork) this.#conversation.live.update({ session: from.session })
  }

  /** It is called by the first thing that is said in it, so that several can be told apart. */
  #nameByFirstPrompt(): void {
    const { live } = this.#conversation
    const listening = this.#owned.add(
      live.source.onChange((change) => {
        if (change.kind !== 'put' || change.item.kind !== 'prompt') return
        const [line = ''] = textOf(change.item.blocks).trim().split('\n')
        const title = plainText(line)
        if (title === '') return
        listening.dispose()
        live.update({ title })
      }),
    )
  }

  /** Shows its tab, in front or behind what is shown, and starts the program; `first` is sent as soon as it can be. */
  async begin(first: OutgoingMessage | null, isInFront: boolean): Promise<Result<{ id: string }>> {
    const { tabs } = this.#window.editor
    const id = this.#register()
    if (first) this.#conversation.live.wait(first)
    const starting = this.#start(this.#beginning.from, ++this.#starts)
    tabs.openOther(tabOfSession(id), { activate: isInFront || tabs.active === undefined })
    await starting
    // Why it did not start stands in its tab.
    return succeed({ id })
  }

  /** Comes back as it was when Greenlight ended, and is started when the person says so. Returns its id. */
  comeBack(): string {
    const id = this.#register()
    this.#conversation.live.update({ process: { phase: 'ended', end: endedWithUs } })
    return id
  }

  /** Makes it known in its window, with what was said earlier; it ends with its tab. */
  #register(): string {
    const { conversations, editor } = this.#window
    const { id } = this.#owned.add(conversations.add(this.#conversation.live))
    this.#id = id
    this.#owned.add(
      editor.tabs.on((event) => {
        if (event.kind !== 'closed' || event.tab.kind !== 'other') return
        if (event.tab.name === tabOfSession(id)) void this.#end()
      }),
    )
    this.#nameByFirstPrompt()
    const { from } = this.#beginning
    if (from) this.#told = this.#tellEarlier(from)
    return id
  }

  async #tellEarlier(from: Resumption): Promise<void> {
    this.#conversation.tellEarlier(await earlierTalk(this.#window.openSession, from))
  }

  #kept(): KeptConversation | null {
    const { session } = this.#conversation.live.state
    if (session === null) return null
    return { agent: claude.id, session, folder: this.#beginning.folder, values: keptValues(this.#values()) }
  }

  /** If it can't start, the reason is shown as its end. */
  async #start(from: Resumption | null, start: number): Promise<Done> {
    const { live } = this.#conversation
    live.update({ process: { phase: 'starting' } })
    await this.#told
    const started = await this.#launch(from, start)
    if (!started.ok && live.state.process.phase === 'starting') {
      const { message } = started.failure
      live.update({ process: { phase: 'ended', end: { code: 'not-started', message, complaints: '' } } })
    }
    return started
  }

  async #launch(from: Resumption | null, start: number): Promise<Done> {
    const { processes, machine } = this.#window
    const { folder } = this.#beginning
    // Trust may have been taken back since it was begun.
    const { mayRun } = this.#window
    const allowed = await mayStartIn(folder, { mayRun, home: machine.home })
    if (!allowed.ok) return allowed
    const given = await withTrustedFolders(this.#values(), { folder, home: machine.home, mayRun })
    if (!given.ok) return given
    const found = await this.#beginning.program()
    if (!found.ok) return found
    const environment = await machine.programs.environment()
    const config = await withPrivateConfig(machine.dataDir, given.value)
    if (!config.ok) return config
    const { values, remove } = config.value
    if (this.#isOver || start !== this.#starts) {
      remove()
      return this.#isOver ? notRunning : succeed({})
    }
    const made = processes.create(
      {
        ...{ name: claude.name, program: found.value, folder },
        args: launchArguments(values, from),
        // It then says itself when it works and rests.
        env: { ...environment, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' },
      },
      {
        line: (line) => this.#hear(line),
        report: (error) => machine.log.error('claude-sdk fault', { error }),
      },
    )
    if (!made.ok) {
      remove()
      return made
    }
    const process = made.value
    this.#process = process
    const ended = new Promise<void>((resolve) => {
      process.onState(({ phase }) => {
        if (phase !== 'ended') return
        remove()
        resolve()
      })
    })
    const following = process.onState((state) => {
      if (this.#process !== process || state.phase === 'running') return
      this.#conversation.processChanged(state)
      if (state.phase !== 'ended') return
      following.dispose()
      this.#entry?.closed()
      this.#entry = null
      void processes.remove(process)
    })
    await process.start()
    const { state, pid } = process
    if (state.phase !== 'running' || pid === null) return { ok: false, failure: failureOf(state) }
    this.#since = state.startedAt
    this.#entry = this.#connections.opened({
      ...{ id: this.#connection, agent: claude.name, pid, since: state.startedAt },
    })
    this.#window.agents.connections.tellWork(this.#connection, () => ({
      ...{ at: this.#conversation.workedAt, command: null },
    }))
    const begun = await this.#conversation.begin(state)
    // One that no longer reads is ending by itself: its code and its last words say why.
    if (!begun.ok && hungUp.has(begun.failure.code)) await Promise.race([ended, pause(lastWords)])
    if (!begun.ok) await process.stop(0)
    return begun
  }

  async #restart(session: string | null): Promise<Done> {
    const start = ++this.#starts
    // Its end is told, so that what it still asks is withdrawn.
    if (this.#process) await this.#window.processes.remove(this.#process)
    const elsewhere = session === null ? null : this.#window.noted().of(session)
    if (elsewhere && processExists(elsewhere.pid)) return runsElsewhere(elsewhere.pid)
    const from = session === null ? this.#beginning.from : { session, isFork: false, upTo: null }
    return this.#start(from, start)
  }

  /** What it was begun with, but for what was chosen since: it isn’t asked less after a restart, or in a copy. */
  #values(): FieldValues {
    const { controls } = this.#conversation.live.state
    return { ...this.#beginning.values, ...Object.fromEntries(controls.map(({ id, value }) => [id, value])) }
  }

  #began({ claude_code_version: version }: InitMessage): void {
    const pid = this.#process?.pid
    if (version === undefined || pid == null) return
    this.#entry?.update({ id: this.#connection, agent: claude.name, version, pid, since: this.#since })
  }

  #origin(call: string): Origin {
    const pid = this.#process?.pid
    const { session } = this.#conversation.live.state
    return {
      ...{ dialect: this.#dialect.id, connection: this.#connection, agent: claude.name, call },
      ...(pid == null ? {} : { pid }),
      ...(session === null ? {} : { session }),
      ...(this.#id === null ? {} : { conversation: this.#id }),
    }
  }

  #write(line: string): Promise<Done> {
    this.#entry?.frame('out', loggedText(line), Buffer.byteLength(line))
    return this.#process?.write(line) ?? Promise.resolve(notRunning)
  }

  #hear(line: ProcessLine): void | Promise<void> {
    if (line.kind === 'line') this.#entry?.frame('in', loggedText(line.text), Buffer.byteLength(line.text))
    return this.#conversation.hear(line, this.#window.machine.frames)
  }

  async #end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    // No answer reaches it any more, however long it takes to end.
    this.#conversation.dispose()
    const process = this.#process
    this.#process = null
    if (process) await this.#window.processes.remove(process)
    this.#entry?.closed()
    const { session } = this.#conversation.live.state
    if (session !== null) this.#window.approvals.endSession(session)
    this.#owned.dispose()
  }
}

const endedWithUs: ProcessEnd = {
  ...{ code: 'stopped', complaints: '' },
  message: 'Claude ended when Greenlight did. Restart it to go on.',
}

const notRunning: Done = fail('not-running', 'Claude isn’t running. Restart it, then send this again.')

/** Two programs in one session would each miss what the other says. */
function runsElsewhere(pid: number): Done {
  return fail(
    'runs-elsewhere',
    `This session is now running outside this tab (process ${pid}). End it there, then restart it here.`,
  )
}

function failureOf(state: AgentProcess['state']) {
  return state.phase === 'ended'
    ? { code: state.end.code, message: state.end.message }
    : { code: 'not-running', message: 'Claude could not be started. Restart it.' }
}
