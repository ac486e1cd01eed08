import { join } from 'node:path'
import { claude } from '../../core/agents/claude'
import { fail, succeed } from '../../../shared/result'
import { SessionProcesses } from '../../core/history/session-processes'
import { configFolders } from '../../protocols/claude-ide/lock-files'
import { dialectId } from '../../protocols/claude-hooks/dialect-id'
import { terminalVariable, tokenVariable } from '../../protocols/claude-hooks/hook-entry'
import { type HookServer, startHookServer } from '../../protocols/claude-hooks/hook-server'
import type { SaidWords } from '../../core/review/desk-events'
import type { Receipt } from '../../core/review/record/receipts'
import { removeLeftPlugins, writeHooksOn } from '../../protocols/claude-hooks/launch-files'
import type { HookCall } from '../../protocols/claude-hooks/hook-wire'
import type { HookPorts, HookSession, HookSource } from '../../protocols/claude-hooks/ports'
import { receiveWrite } from '../wiring/tool-writes'
import type { KeptAddress } from '../../protocols/kit/connection'
import { AgentConnections } from '../dialect-kit/agent-connections'
import type { DialectWindow, OpenDialect, OwnChecks, WindowDialect } from '../dialect-kit/dialect'
import { WindowServer } from '../dialect-kit/window-server'
import { describeGate, gateNow, warnOfGate } from '../dialect-kit/gate-sentences'
import { claudeWrapper, settingsVariable } from './claude-wrapper'
import { describeHooksOff, gateOfWindow, hookChecks, questionOfHooks } from './gate-of-window'
import { DiffTool } from './diff-tool'
import { DueWords } from './due-words'
import type { GateWatch } from './gate-watch'
import { HeldRequests } from './held-requests'
import { HookSessions } from './hook-sessions'
import { isOffByPolicy } from './hooks-off'
import { pluginFolders, pluginsName, pluginVariable } from './plugin-folders'
import { SessionEvents } from './session-events'

/** Claude Code's hooks (docs/protocols/claude-hooks.md): each change is asked about, in every permission mode. */
export const claudeHooks: WindowDialect = {
  scope: 'window',
  id: dialectId,
  readyAs: 'hooks',
  about: {
    // Its agents are those of other connections.
    agent: null,
    name: 'Claude Code’s hooks',
    toggle: 'Review Claude Code’s changes in every mode',
    protocol: 'Hooks',
    address: 'http://127.0.0.1:PORT/hook',
    file: 'Hooks file',
    whenOff:
      'Off. In new terminals Claude Code starts without Greenlight’s hooks; where it runs, its mode decides what is asked.',
    command: {
      text: `greenlight ${claudeWrapper.command}`,
      note: 'Starts Claude Code in any other terminal with the same review.',
      converses: false,
    },
    noteWhenKnown: null,
  },
  agents: claude.title,
  known: [],
  portVariable: '',
  anywhereByVariable: false,
  containerVariable: null,
  connectCommand: null,
  findFiles: () => Promise.resolve([]),
  wrapper: claudeWrapper,
  open: (window) => new ClaudeHooks(window),
}

/** The hooks' server of one window, and what the dialect needs of the window. */
class ClaudeHooks implements OpenDialect {
  readonly server: WindowServer<HookServer>
  readonly checks: OwnChecks
  readonly #window: DialectWindow
  readonly #sessions: HookSessions
  readonly #connections: AgentConnections
  readonly #events: SessionEvents
  readonly #due = new DueWords()
  readonly #held: HeldRequests
  readonly #folder: string
  readonly #watch: GateWatch
  readonly #diffTool: DiffTool
  /** The terminals that were given the hooks. */
  readonly #given = new Set<string>()
  /** Settings that switch hooks on. */
  #hooksOn: string | undefined
  /** Whether an organisation keeps hooks out; it may even keep Claude Code from starting with a plugin of ours. */
  #isKeptOut = false

  constructor(window: DialectWindow) {
    this.#window = window
    this.#held = new HeldRequests(window.desk)
    const { agents, machine } = window
    this.#folder = join(machine.dataDir, pluginsName)
    this.checks = hookChecks(window)
    this.#diffTool = new DiffTool(join(machine.env['CLAUDE_CONFIG_DIR'] || machine.home, '.claude.json'))
    const { settings } = window
    // Whoever leaves hooks off knows that they aren't called.
    const isLeftOff = () => settings.get().claudeHooksDespiteOff === 'off'
    const isGiven = (terminal: string) =>
      this.#given.has(terminal) && this.server.running !== null && !isLeftOff()
    this.#watch = gateOfWindow(window, isGiven)
    this.#watch.isOn = false
    settings.onChange(({ claudeHooksDespiteOff }) => {
      if (claudeHooksDespiteOff === undefined) return
      this.#watch.look()
      void this.#ask()
    })
    this.#connections = new AgentConnections(claudeHooks, agents, machine.log)
    const { connections, protocolLog, terminals } = agents
    const rooms = { connections, protocolLog, terminals, noted: () => window.noted() }
    const processes = new SessionProcesses(configFolders(machine.home, machine.env['CLAUDE_CONFIG_DIR']))
    this.#sessions = new HookSessions(
      { ...rooms, processes, isGiven, isAsking: () => this.#isAsking },
      this.#connections,
    )
    const { folders, approvals } = window
    this.#events = new SessionEvents({
      ...{ ...rooms, approvals },
      folders: () => folders.paths,
      opensDiffs: () => this.#diffTool.isEditor(),
      isAsking: () => window.settings.get().approvalsBesideTerminal,
      isWatched: () => window.isWatched(),
    })
    this.server = new WindowServer(window, claudeHooks, {
      start: (kept) => this.#start(kept),
      end: async (server) => {
        server.dispose()
        await server.closed
        this.#sessions.dispose()
        this.#events.dispose()
        this.#offer(false)
      },
      rest: (server, rests) => {
        server.isOn = !rests
        // What it would hear next of its sessions, it doesn't.
        if (rests) {
          this.#events.dispose()
          this.#due.end()
        }
        this.#offer(!rests)
      },
      setting: 'claudeHooks',
      filesOf: ({ file }) => [file],
      tokensOf: ({ tokens }) => tokens,
      marksOf: ({ url }) => [url],
    })
    window.gated.onChange((id) => id !== null && this.#describe(id))
    window.gate.onChange(() => window.gated.list().forEach(([id]) => this.#describe(id)))
  }

  readiness(): { port: number; plugin: string } | null {
    const { running } = this.server
    return running ? { port: running.port, plugin: running.plugin } : null
  }

  variables(terminal: string): Record<string, string | undefined> {
    const { running } = this.server
    if (running) {
      this.#given.add(terminal)
      this.#sessions.follow()
    } else this.#given.delete(terminal)
    void this.#ask()
    const plugin = (!this.#isKeptOut && running?.plugin) || null
    const isForced = plugin !== null && this.#window.settings.get().claudeHooksDespiteOff === 'on'
    const theirs = this.#window.machine.env[pluginVariable]
    return {
      [settingsVariable]: isForced ? this.#hooksOn : undefined,
      [pluginVariable]: pluginFolders(plugin, theirs),
      ...(running ? { [tokenVariable]: running.tokenFor(terminal), [terminalVariable]: terminal } : {}),
    }
  }

  async outside(terminal: string, folder: string): ReturnType<NonNullable<OpenDialect['outside']>> {
    const off = await describeHooksOff(this.#window, folder)
    const address = this.server.running?.relays ?? null
    if (address === null) return null
    return off === null ? succeed({ variables: this.variables(terminal), address }) : fail('hooks-off', off)
  }

  tell(said: SaidWords, otherwise: () => void): boolean {
    const { decision, origin, path, words } = said
    return decision === 'accepted'
      ? this.#due.give(origin.connection, path, words, otherwise)
      : this.#held.reject(said)
  }

  /** Says at a session's own connection how its gate is; another one says it itself. */
  #describe(connection: string): void {
    const { connections } = this.#window.agents
    if (connections.find(connection)?.dialect !== dialectId) return
    const gate = gateNow(this.#window, connection)
    connections.update(connection, { unasked: gate && warnOfGate(gate), note: gate && describeGate(gate) })
  }

  /** What is shown already isn't told again: there may be thousands of it. */
  #say(sentence: string): void {
    const { notices } = this.#window.agents
    if (!notices.list().some(({ text }) => text === sentence)) notices.warn(sentence)
  }

  #placeOf({ terminal }: HookSource): string {
    const title = this.#window.agents.terminals.get(terminal)?.record.title
    return title === undefined ? '' : ` in terminal “${title}”`
  }

  get #isAsking(): boolean {
    return (this.server.running?.waiting ?? 0) > 0
  }

  #offer(isOffered: boolean): void {
    this.#watch.isOn = isOffered
    this.#window.gated.offer(isOffered)
    void this.#ask()
  }

  async #ask(): Promise<void> {
    const { gated } = this.#window
    this.#isKeptOut = await isOffByPolicy()
    const question = await questionOfHooks(this.#window)
    gated.ask(gated.isOffered ? question : null)
  }

  async #start(kept: KeptAddress | null) {
    const { machine, agents } = this.#window
    this.#isKeptOut = await isOffByPolicy()
    const hooksOn = await writeHooksOn(this.#folder)
    if (!hooksOn.ok) return hooksOn
    this.#hooksOn = hooksOn.value
    const started = await startHookServer({
      ports: this.#ports(),
      frames: machine.frames,
      folder: this.#folder,
      ...(kept ? { kept } : {}),
    })
    if (!started.ok) return started
    if (kept && kept.port !== started.value.port)
      agents.notices.warn(
        `Claude Code sessions started before can’t reach Greenlight any more (port ${kept.port} is in use). Their changes are refused; restart them.`,
      )
    const ports = machine.folderStates.servers(dialectId).map(({ port }) => port)
    this.#offer(true)
    await removeLeftPlugins(this.#folder, (port) => port === started.value.port || ports.includes(port))
    return started
  }

  #placed(call: HookCall, { origin }: HookSession, from: HookSource): void {
    const { session_id: session, prompt_id: turn } = call
    const inTurn = { session, ...(turn === undefined ? {} : { turn }) }
    this.#window.agents.connections.tellInTurn(origin.connection, inTurn)
    this.#events.connected(session, origin.connection)
    this.#due.begin(call, origin.connection)
    this.#watch.heard(origin.connection, call, from.terminal)
  }

  async #answer(call: HookCall, session: HookSession, signal: AbortSignal): Promise<object | null> {
    const answer = await this.#events.answer(call, session, signal)
    if (call.hook_event_name !== 'PermissionRequest') return answer
    return answer ?? this.#held.hold(call, session, signal)
  }

  /** What a mode let through is looked at afterwards, unless the terminal had asked about it. */
  #receive(receipt: Receipt, report: (error: unknown) => void): Promise<void> {
    const { settings, desk, ledger, agents } = this.#window
    const { origin, by } = receipt
    const rooms = { desk, ledger, report }
    if (by.kind !== 'mode') return receiveWrite(receipt, false, rooms)
    const wasAsked = origin.session !== undefined && this.#events.wasAsked(origin.session, origin.call)
    if (wasAsked) return receiveWrite({ ...receipt, by: { kind: 'person' } }, false, rooms)
    if (!settings.get().reviewUnasked) return receiveWrite(receipt, false, rooms)
    // A note goes into the prompt by whatever connection there is; a session without any has no prompt.
    const linked = agents.connections.find(origin.connection)?.dialect
    const dialect = linked === undefined || linked === dialectId ? 'watcher' : linked
    return receiveWrite({ ...receipt, origin: { ...origin, dialect } }, true, rooms)
  }

  #ports(): HookPorts {
    const { desk, approvals, gate, rules, ledger, machine } = this.#window
    const report = (error: unknown) => machine.log.error('hook fault', { error })
    return {
      review: (proposal, signal) => desk.open(proposal, signal),
      receive: (receipt) => this.#receive(receipt, report),
      mayHaveBeenWritten: (path) => desk.look(path),
      opensDiffs: () => this.#diffTool.isEditor(),
      ...{ approvals, rules, ledger, policy: gate },
      session: (id, from) => this.#sessions.of(id, from),
      events: {
        heard: (call, from) => {
          this.#events.heard(call, from)
          this.#due.hear(call)
        },
        placed: (call, session, from) => this.#placed(call, session, from),
        answer: (call, session, signal) => this.#answer(call, session, signal),
      },
      due: { take: (call) => this.#due.take(call) },
      refused: (status, message, from) => {
        if (status === 401) this.#watch.refused(message)
        this.#connections.refused(status, message)
        if (from) this.#say(`A call of Claude’s hooks${this.#placeOf(from)} was refused. ${message}`)
      },
      say: (sentence) => this.#say(sentence),
      report,
    }
  }
}
