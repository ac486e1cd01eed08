import type { SentItem } from '../../../shared/contract/context'
import type { ConnectionEntry, ConnectionFacts } from '../kit/connection'
import type { HttpClient, HttpLink } from '../kit/http-session'
import type { HearFrame } from '../kit/logged-text'
import { readClientInfo } from '../kit/mcp-session'
import type { ContextFrame } from './context-frame'
import { contextNow } from './context-teller'
import { DiffReviews } from './diff-reviews'
import type { GeminiCompanionPorts } from './ports'
import type { ToolContext } from './tools'

/** Who holds a token: the clients of this protocol all introduce themselves by the same name. */
export type Holder = 'Gemini' | 'Qwen'

/** One command line that has connected. */
export class CompanionConnection implements HttpClient<ToolContext> {
  readonly context: ToolContext
  readonly onToolFailure: (tool: string, error: unknown) => void
  readonly onMessage: HearFrame
  readonly #link: HttpLink<Holder>
  readonly #ports: GeminiCompanionPorts
  readonly #entry: ConnectionEntry
  readonly #onGone: () => void
  #facts: ConnectionFacts
  #toldPaths = ''
  #over = false

  constructor(
    link: HttpLink<Holder>,
    options: {
      ports: GeminiCompanionPorts
      port: number
      onToolFailure: (tool: string, error: unknown) => void
      onClosed: () => void
    },
  ) {
    this.#link = link
    this.#ports = options.ports
    this.onToolFailure = options.onToolFailure
    this.#onGone = options.onClosed
    this.#facts = { id: link.id, agent: link.holder, since: Date.now() }
    this.#entry = options.ports.connections.opened(this.#facts)
    this.onMessage = this.#entry.frame
    const diffs = new DiffReviews({
      connection: link.id,
      agent: () => this.#facts.agent,
      pid: () => this.#facts.pid,
      review: options.ports.review,
      keepsMark: link.holder === 'Qwen',
      notify: (method, params) => link.notify(method, params, 'every'),
      say: (message) => this.#entry.say(message),
      onFailure: (error) => this.onToolFailure('openDiff', error),
    })
    this.context = { diffs }
    void this.#findProcess(options.port)
  }

  onInitialize(params: unknown): void {
    const { version } = readClientInfo(params)
    if (version !== undefined) this.#update({ version })
  }

  /** A client that begins to listen knows nothing yet, or no longer. */
  onStream(): void {
    void contextNow(this.#ports.context).then((frame) => this.tell(frame))
  }

  onClosed(): void {
    this.context.diffs.drop()
    this.#close()
  }

  /** Sends what the person has open. */
  tell(frame: ContextFrame): void {
    // A client that isn't listening gets what is open once it does.
    if (this.#over || !this.#link.isListening) return
    this.#link.notify('ide/contextUpdate', frame, 'newest')
    const to = { connection: this.#facts.id, agent: this.#facts.agent }
    for (const item of this.#itemsOf(frame)) this.#ports.context.handed(to, item)
  }

  /** What a frame discloses, for the record: which files are open, and what is selected where. */
  #itemsOf({ workspaceState: { openFiles } }: ContextFrame): SentItem[] {
    const [newest] = openFiles
    if (newest === undefined) return [{ kind: 'nothing' }]
    const items: SentItem[] = []
    const paths = openFiles.map(({ path }) => path)
    if (paths.join('\0') !== this.#toldPaths) items.push({ kind: 'files', paths })
    this.#toldPaths = paths.join('\0')
    const { current } = this.#ports.context.seen()
    if (newest.cursor === undefined || current === null) return items
    const { path, start, end } = current
    const text = newest.selectedText
    if (text === undefined) items.push({ kind: 'cursor', path, at: end })
    else items.push({ kind: 'selection', path, start, end, text, length: text.length })
    return items
  }

  /** The server stops: whatever is open is rejected, or the client would wait for ever. */
  stop(): void {
    this.context.diffs.rejectAll('shutdown')
    this.#close()
  }

  /** The person has pressed Ctrl+C at the client, which has dealt with it once `settled`. */
  async interrupt(settled: Promise<void>): Promise<void> {
    await this.context.diffs.interrupt(settled)
  }

  /** The client sent more than is taken. */
  tellTooLarge(limit: number): void {
    const size = limit / 1024 / 1024
    this.#entry.say(`${this.#facts.agent} sent more than ${size} MB at once. Answer in its terminal.`)
  }

  async #findProcess(serverPort: number): Promise<void> {
    const { clientPort } = this.#link
    if (clientPort === undefined) return
    const pid = await this.#ports.connections.processAt(clientPort, serverPort)
    if (pid !== undefined && !this.#over) this.#update({ pid })
  }

  #update(more: Partial<ConnectionFacts>): void {
    this.#facts = { ...this.#facts, ...more }
    this.#entry.update(this.#facts)
  }

  #close(): void {
    if (this.#over) return
    this.#over = true
    this.#entry.closed()
    this.#onGone()
  }
}
