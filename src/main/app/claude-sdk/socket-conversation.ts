import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { claude } from '../../core/agents/claude'
import type { ConversationFiles } from '../../core/conversation/conversation'
import { PermissionDesk } from '../../protocols/claude-sdk/permission-desk'
import { SdkConversation } from '../../protocols/claude-sdk/sdk-conversation'
import type { SdkClient } from '../../protocols/claude-sdk/sdk-server'
import type { InitMessage } from '../../protocols/claude-sdk/wire-messages'
import type { DialectFacts, DialectWindow } from '../dialect-kit/dialect'
import { tabOfSession } from '../page/session-handlers'
import { gatePorts } from './gate-ports'

/** So many of a session's last messages are looked at for what was missed. */
const mostMissed = 400

/**
 * A conversation with a program that has connected by WebSocket, in a tab of the server's window. Greenlight did not
 * start it: its connection ends with its tab. Cut off, it waits there for its program to come back.
 */
export class SocketConversation implements Disposable {
  readonly #window: DialectWindow
  readonly #dialect: DialectFacts
  readonly #conversation: SdkConversation
  readonly #owned = new DisposableStack()
  #client: SdkClient
  /** Among the window's conversations. */
  #id: string | null = null
  #tab: string | null = null
  #wasShown = false
  #pid: number | undefined
  #version: string | null = null
  #isConnected = true

  constructor(window: DialectWindow, dialect: DialectFacts, client: SdkClient) {
    this.#window = window
    this.#dialect = dialect
    this.#client = client
    const live = () => this.#conversation.live.state
    const files = () => window.rewinding.of(this.#client.id)
    this.#conversation = new SdkConversation(
      {
        transport: {
          write: (line) => this.#client.socket.write(line),
          restart: () => Promise.resolve(notOurs),
          end: () => {
            this.#disconnect()
            return Promise.resolve(succeed({}))
          },
        },
        desk: new PermissionDesk({
          ...gatePorts(window, window, () => window.settings.get().reviewUnasked),
          policy: this.#owned.add(window.gate.for(randomUUID())),
          origin: (call) => this.#origin(call),
          reviewsInHook: true,
          beforeChange: (path) => files().beforeChange(path),
          get folder() {
            return live().folder
          },
        }),
        context: {
          seen: () => window.context.seen,
          sent: (item) =>
            window.context.sent({ connection: this.#client.id, agent: claude.name }, 'told', item),
        },
        files: {
          begin: (session, prompt) => files().begin(session, prompt),
          forked: (from, to) => files().forked(from, to),
          rewind: (session, prompt, message) => files().rewind(session, prompt, message),
        } satisfies ConversationFiles,
        began: (init) => this.#began(init),
        report: (sentence, cause) => window.machine.log.warn('claude-sdk', { sentence, cause }),
      },
      {
        ...{ title: 'Claude by WebSocket', folder: null, mayBypass: false, mayBeOld: true },
        chosen: { model: 'default', permissionMode: 'default', effort: 'default' },
      },
    )
  }

  /** Shows its tab; `over` is called when that is closed. What is shown stays in front, for nobody asked for it here. */
  begin(over: () => void): void {
    const { conversations, editor } = this.#window
    const known = this.#owned.add(conversations.add(this.#conversation.live))
    this.#id = known.id
    const activate = editor.tabs.active === undefined
    const tab = editor.tabs.openOther(tabOfSession(known.id), { activate })
    this.#tab = tab
    this.#noteShown()
    this.#owned.add(
      editor.tabs.on((event) => {
        if (event.kind === 'changed') this.#noteShown()
        if (event.kind !== 'closed' || event.tab.id !== tab) return
        this.#disconnect()
        this.dispose()
        over()
      }),
    )
    this.#greet()
  }

  get isCutOff(): boolean {
    return !this.#isConnected
  }

  /** The process that its program was when it connected last, if known. */
  get pid(): number | undefined {
    return this.#pid
  }

  /** Whether a message with this uuid has come. */
  hasHeard(uuid: string): boolean {
    return this.#conversation.hasHeard(uuid)
  }

  /** Its program is here again after it was cut off. What it said meanwhile is read from its session's record. */
  async goOn(client: SdkClient): Promise<void> {
    this.#client = client
    this.#isConnected = true
    const { session } = this.#conversation.live.state
    if (this.#version !== null) client.known({ agent: claude.name, version: this.#version })
    if (session !== null) {
      this.#window.rewinding.goesOn(client.id, session)
      const file = await this.#window.openSession(session)
      const page = await file?.readLast(mostMissed)
      if (page?.ok) this.#conversation.takeMissed(page.value.lines.map(({ record }) => record))
    }
    if (this.#isConnected) this.#greet()
  }

  /** What follows a line waits until it is taken. */
  hear(line: ProcessLine): void | Promise<void> {
    return this.#conversation.hear(line, this.#window.machine.frames)
  }

  /** The connection is over; `message` is for the person. A tab that was never shown, and in which nothing was said, goes. */
  cutOff(code: 'ended' | 'stopped', message: string): void {
    if (!this.#isConnected) return
    this.#isConnected = false
    const { state, source, waiting } = this.#conversation.live
    const isEmpty = state.session === null && source.page(1).items.length === 0 && waiting.length === 0
    this.#conversation.processChanged({ phase: 'ended', end: { code, message, complaints: '' } })
    this.#client.gone()
    if (isEmpty && this.#tab !== null && !this.#wasShown) this.#window.editor.tabs.close(this.#tab)
  }

  #noteShown(): void {
    const { left, right } = this.#window.editor.tabs.state.shown
    if (this.#tab === left || this.#tab === right) this.#wasShown = true
  }

  dispose(): void {
    this.#conversation.dispose()
    const { session } = this.#conversation.live.state
    if (session !== null) this.#window.approvals.endSession(session)
    this.#owned.dispose()
  }

  #greet(): void {
    const { id, pid } = this.#client
    this.#window.agents.connections.tellWork(id, () => ({ at: this.#conversation.workedAt, command: null }))
    void pid.then((found) => (this.#pid = found ?? this.#pid))
    void this.#conversation.begin({ phase: 'running', startedAt: Date.now() })
  }

  /** Says what a turn is stopped by, which ends the command line, and hangs up. */
  #disconnect(): void {
    if (!this.#isConnected) return
    void this.#client.socket.write(JSON.stringify({ type: 'interrupt' }))
    this.#client.socket.close(1000, 'The conversation is over.')
    this.cutOff('stopped', 'Disconnected. If the program goes on, end it where you started it.')
  }

  #began({ cwd, claude_code_version: version }: InitMessage): void {
    const { live } = this.#conversation
    if (version !== undefined) {
      this.#version = version
      this.#client.known({ agent: claude.name, version })
    }
    if (cwd === undefined || live.state.folder === cwd) return
    live.update({ folder: cwd, title: `Claude in ${basename(cwd)}` })
    if (!this.#window.folders.hold(cwd))
      this.#conversation.remark(
        `This program works in ${cwd}, which isn’t a folder of this window. If another window has it open, you’re asked about its changes there.`,
      )
  }

  #origin(call: string): Origin {
    const { session } = this.#conversation.live.state
    return {
      ...{ dialect: this.#dialect.id, connection: this.#client.id, agent: claude.name, call },
      ...(this.#pid === undefined ? {} : { pid: this.#pid }),
      ...(session === null ? {} : { session }),
      ...(this.#id === null ? {} : { conversation: this.#id }),
    }
  }
}

const notOurs = fail(
  'not-ours',
  'Greenlight didn’t start this program, so it can’t restart it. Start it again with the same address.',
)
