import { basename } from 'node:path'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { Origin } from '../../../shared/review/proposal'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { claude } from '../../core/agents/claude'
import { PermissionDesk } from '../../protocols/claude-sdk/permission-desk'
import { SdkConversation } from '../../protocols/claude-sdk/sdk-conversation'
import type { SdkClient } from '../../protocols/claude-sdk/sdk-server'
import type { InitMessage } from '../../protocols/claude-sdk/wire-messages'
import { largeFrame } from '../../protocols/kit/frame-parser'
import type { DialectFacts, DialectWindow } from '../dialect-kit/dialect'
import { tabOfSession } from '../page/session-handlers'

/**
 * A conversation with a program that has connected by WebSocket, in a tab of the server's window. Greenlight did not
 * start it: it ends with its connection, and its connection with its tab.
 */
export class SocketConversation implements Disposable {
  readonly #window: DialectWindow
  readonly #dialect: DialectFacts
  readonly #client: SdkClient
  readonly #conversation: SdkConversation
  readonly #owned = new DisposableStack()
  /** Among the window's conversations. */
  #id: string | null = null
  #pid: number | undefined
  #isConnected = true

  constructor(window: DialectWindow, dialect: DialectFacts, client: SdkClient) {
    this.#window = window
    this.#dialect = dialect
    this.#client = client
    const live = () => this.#conversation.live.state
    const files = window.rewinding.of(client.id)
    this.#conversation = new SdkConversation(
      {
        transport: {
          write: (line) => client.socket.write(line),
          restart: () => Promise.resolve(notOurs),
          end: () => {
            this.#disconnect()
            return Promise.resolve(succeed({}))
          },
        },
        desk: new PermissionDesk({
          review: (proposal, signal) => window.desk.open(proposal, signal),
          approve: (question, signal) => window.approvals.ask(question, signal),
          origin: (call) => this.#origin(call),
          reviewsInHook: true,
          beforeChange: (path) => files.beforeChange(path),
          get folder() {
            return live().folder
          },
          report: (error) => window.machine.log.error('claude-sdk fault', { error }),
        }),
        context: {
          seen: () => window.context.seen,
          sent: (item) => window.context.sent({ connection: client.id, agent: claude.name }, 'told', item),
        },
        files,
        began: (init) => this.#began(init),
        report: (sentence, cause) => window.machine.log.warn('claude-sdk', { sentence, cause }),
      },
      {
        ...{ title: 'Claude by WebSocket', folder: null, mayBypass: false, mayBeOld: true },
        chosen: { model: 'default', permissionMode: 'default', effort: 'default' },
      },
    )
  }

  /** Shows its tab and listens. What is shown stays in front, for nobody asked for it here. */
  begin(): void {
    const { conversations, editor } = this.#window
    const known = this.#owned.add(conversations.add(this.#conversation.live))
    this.#id = known.id
    const activate = editor.tabs.active === undefined
    const tab = editor.tabs.openOther(tabOfSession(known.id), { activate })
    this.#owned.add(
      editor.tabs.on((event) => {
        if (event.kind !== 'closed' || event.tab.id !== tab) return
        this.#disconnect()
        this.dispose()
      }),
    )
    void this.#client.pid.then((pid) => (this.#pid = pid))
    this.#client.socket.listen({
      line: (line) => this.#hear(line),
      closed: ({ message }) => this.#over({ code: 'ended', message }),
    })
    void this.#conversation.begin({ phase: 'running', startedAt: Date.now() })
  }

  /** Ends the conversation; the server hangs up. */
  dispose(): void {
    if (this.#isConnected) this.#over({ code: 'stopped', message: 'Greenlight has closed its server.' })
    this.#conversation.dispose()
    this.#owned.dispose()
  }

  /** Says what a turn is stopped by, which ends the command line, and hangs up. */
  #disconnect(): void {
    if (!this.#isConnected) return
    void this.#client.socket.write(JSON.stringify({ type: 'interrupt' }))
    this.#client.socket.close(1000, 'The conversation is over.')
    this.#over({
      code: 'stopped',
      message: 'Disconnected. If the program goes on, end it where you started it.',
    })
  }

  #over(end: { code: 'ended' | 'stopped'; message: string }): void {
    this.#isConnected = false
    this.#conversation.processChanged({ phase: 'ended', end: { ...end, complaints: '' } })
    this.#client.gone()
  }

  #began({ cwd, claude_code_version: version }: InitMessage): void {
    const { live } = this.#conversation
    if (version !== undefined) this.#client.known({ agent: claude.name, version })
    if (cwd !== undefined && live.state.folder !== cwd)
      live.update({ folder: cwd, title: `Claude in ${basename(cwd)}` })
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

  /** A long line is parsed in a thread; what follows waits for it. */
  #hear(line: ProcessLine): void | Promise<void> {
    if (line.kind === 'too-long') return this.#conversation.skip(line.bytes, line.head)
    if (line.text.length < largeFrame) return this.#conversation.read(line.text)
    return this.#hearLong(line.text)
  }

  async #hearLong(text: string): Promise<void> {
    const parsed = await this.#window.machine.frames.parse(Buffer.from(text))
    if (!parsed.ok) return this.#conversation.read(text)
    this.#conversation.take(parsed.value.json ? parsed.value.value : undefined)
  }
}

const notOurs = fail(
  'not-ours',
  'Greenlight didn’t start this program, so it can’t restart it. Start it again with the same address.',
)
