import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { SentItem } from '../../../shared/contract/context'
import type { Disposable } from '../../../shared/lifetime'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { describeSelected } from '../../core/context/sent-record'
import type { FileWatcher } from '../../core/files/watcher'
import type { Mention } from '../kit/connection'
import type { FrameParser } from '../kit/frame-parser'
import type { McpMethods } from '../kit/mcp-methods'
import { readClientInfo } from '../kit/mcp-session'
import { maxMessage, serveSocket, type ServedSocket } from '../kit/mcp-socket'
import { isEditAsking } from './asking-tool'
import { DiffCalls } from './diff-calls'
import type { ClaudeEntry, ClaudeFacts, ClaudeIdePorts } from './ports'
import { selectionFrame, textLimit } from './selection-frame'
import { MannerFollower } from './manner-follower'
import type { ToolContext } from './tools'
import type { WritingManner } from './writing-manner'

/** One command line that has connected. */
export class ClaudeConnection implements Disposable {
  readonly #ports: ClaudeIdePorts
  readonly #entry: ClaudeEntry
  readonly #served: ServedSocket
  readonly #diffs: DiffCalls
  readonly #follow: (pid: number) => MannerFollower
  #session: MannerFollower | undefined
  #facts: ClaudeFacts
  /** The last change of the selection could not be sent. */
  #untold = false

  constructor(
    socket: WebSocket,
    options: {
      ports: ClaudeIdePorts
      methods: McpMethods<ToolContext>
      frames: FrameParser
      /** Where command lines keep their configuration. */
      configFolders: readonly string[]
      watcher: FileWatcher
      onToolFailure: (tool: string, error: unknown) => void
      onClosed: () => void
    },
  ) {
    const { ports, methods, frames, configFolders, watcher } = options
    this.#ports = ports
    this.#facts = { id: randomUUID(), agent: 'Claude', since: Date.now() }
    this.#entry = ports.connections.opened(this.#facts)
    this.#diffs = new DiffCalls({
      connection: this.#facts.id,
      agent: () => ({ name: this.#facts.agent, ...(this.#facts.pid ? { pid: this.#facts.pid } : {}) }),
      review: ports.review,
      say: (message) => this.#entry.say(message),
      isEditAsking: (path) => isEditAsking(configFolders, this.#facts.pid, path),
    })
    const tell = (writing: WritingManner) => this.#update({ writing })
    this.#follow = (pid) => new MannerFollower({ configFolders, pid, watcher, tell })
    this.#served = serveSocket<ToolContext>(socket, {
      methods,
      frames,
      context: {
        ...ports,
        diffs: this.#diffs,
        turnBegins: () => this.#entry.turn(),
        handed: (item) => this.#handed('asked', item),
      },
      onInitialize: (params) => this.#introduce(params),
      onNotification: (method, params) => this.#hear(method, params),
      onToolFailure: options.onToolFailure,
      onFrame: (direction, text, bytes) => this.#entry.frame(direction, text, bytes),
      onRead: () => {
        if (this.#untold) this.tellSelection()
      },
      onTooLarge: () => this.#entry.say(tooLarge(this.#facts.agent)),
      onClosed: () => {
        this.#session?.dispose()
        this.#entry.closed()
        options.onClosed()
      },
    })
  }

  /** The connection's id in the list of connections. */
  get id(): string {
    return this.#facts.id
  }

  /** Sends what is selected now, as far as it may be seen. */
  tellSelection(): void {
    const { current } = this.#ports.context.seen()
    // A client that isn't reading is told once it reads again: what may be seen then, or that the selection is gone.
    this.#untold = !this.#served.notify('selection_changed', selectionFrame(current))
    if (this.#untold) return
    this.#handed('told', describeSelected(current && { ...current, text: firstOf(current.text, textLimit) }))
  }

  /** Puts a mention into the prompt. False where the connection cannot take it, or the path may not be told. */
  mention({ path, lines }: Mention): boolean {
    if (!this.#ports.context.mayMention(path)) return false
    // Without a last line the command line drops the first one too, and null values drop the whole message.
    const range = lines === undefined ? {} : { lineStart: lines.first, lineEnd: lines.last }
    if (!this.#served.notify('at_mentioned', { filePath: path, ...range })) return false
    this.#handed('told', { kind: 'mention', path, lines: lines ?? null })
    return true
  }

  /** Closes the connection without answering what is open: the command line's own question then stays. */
  dispose(): void {
    this.#served.dispose()
    this.#session?.dispose()
    this.#entry.closed()
  }

  #introduce(params: unknown): void {
    const { name = '', version } = readClientInfo(params)
    const agent = name === '' || /claude/i.test(name) ? 'Claude' : name
    this.#update(version === undefined ? { agent } : { agent, version })
  }

  #hear(method: string, params: unknown): void {
    if (method !== 'ide_connected') return
    const { pid } = (params ?? {}) as { pid?: unknown }
    if (typeof pid === 'number' && Number.isInteger(pid) && pid > 0) {
      this.#update({ pid })
      this.#session?.dispose()
      this.#session = this.#follow(pid)
    }
    void this.#ports.context.settle().then(() => this.tellSelection())
  }

  #handed(how: 'told' | 'asked', item: SentItem): void {
    this.#ports.context.handed({ connection: this.#facts.id, agent: this.#facts.agent }, how, item)
  }

  #update(more: Partial<ClaudeFacts>): void {
    this.#facts = { ...this.#facts, ...more }
    this.#entry.update(this.#facts)
  }
}

function tooLarge(agent: string): string {
  const size = maxMessage / 1024 / 1024
  return `${agent} sent more than ${size} MB at once, so it was disconnected. Type /ide in its terminal to reconnect.`
}
