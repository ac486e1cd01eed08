import WebSocket from 'ws'

/**
 * A client of the session WebSocket, written from the protocol's public description alone: it knows none of this app's
 * own additions and ignores what it does not know.
 */

interface ContentBlock {
  type: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  input?: Record<string, unknown>
}

interface SessionMessage {
  type: string
  uuid: string
  parentUuid: string | null
  timestamp: string
  operation?: string
  error?: string
  event?: { type: string; delta?: { type: string; text?: string } }
  message?: { role: string; content: string | ContentBlock[] }
}

export interface ShownMessage {
  id: string
  role: string
  content: string
  toolCalls?: { id: string; name: string }[]
}

export interface MessageNode {
  uuid: string
  children: MessageNode[]
}

export class SessionServerClient {
  readonly #ws: WebSocket
  /** What the chat shows, deduplicated by uuid. */
  messages: ShownMessage[] = []
  /** Everything that came, as it came. */
  readonly raw: SessionMessage[] = []
  readonly errors: string[] = []
  streamingText = ''
  isWorking = false
  isConnected = false
  readonly #waiting = new Set<() => void>()
  readonly closed: Promise<number>

  constructor(url: string) {
    const ws = new WebSocket(url)
    this.#ws = ws
    ws.onopen = () => {
      this.isConnected = true
      this.#look()
    }
    ws.onmessage = (event) => {
      this.#take(JSON.parse(String(event.data)) as SessionMessage)
      this.#look()
    }
    ws.onerror = () => {
      this.isConnected = false
    }
    this.closed = new Promise((resolve) => {
      ws.onclose = (event) => {
        this.isConnected = false
        resolve(event.code)
      }
    })
  }

  sendMessage(content: string): void {
    if (this.#ws.readyState !== WebSocket.OPEN) throw new Error('WebSocket not connected')
    this.messages.push({ id: `optimistic-${this.messages.length}`, role: 'user', content })
    this.#ws.send(JSON.stringify({ type: 'user_message', content }))
  }

  /** Resolves as soon as this holds; looked at after each message. */
  until(holds: (client: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds(this)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  /** The thread, as "Message Threading" builds it: orphans are roots. */
  tree(): MessageNode[] {
    const byUuid = new Map<string, MessageNode>()
    const roots: MessageNode[] = []
    const threaded = this.raw.filter((one) => one.message !== undefined)
    for (const one of threaded) byUuid.set(one.uuid, { uuid: one.uuid, children: [] })
    for (const one of threaded) {
      const node = byUuid.get(one.uuid)
      if (!node) continue
      const parent = one.parentUuid === null ? undefined : byUuid.get(one.parentUuid)
      if (parent) parent.children.push(node)
      else roots.push(node)
    }
    return roots
  }

  close(): void {
    this.#ws.close()
  }

  #look(): void {
    for (const look of this.#waiting) look()
  }

  #take(message: SessionMessage): void {
    this.raw.push(message)
    if (message.type === 'error') {
      this.errors.push(message.error ?? '')
      this.isWorking = false
      return
    }
    if (message.type === 'stream_event') {
      const { event } = message
      if (event?.type === 'content_block_delta' && event.delta?.type === 'text_delta') {
        this.streamingText += event.delta.text ?? ''
      }
      if (event?.type === 'message_stop') this.streamingText = ''
      return
    }
    if (message.type === 'user' || message.type === 'progress') this.isWorking = true
    if (message.type === 'queue-operation' && message.operation === 'dequeue') this.isWorking = false
    if (message.type === 'assistant') {
      this.streamingText = ''
      const { content } = message.message ?? {}
      this.isWorking = Array.isArray(content) && content.some((block) => block.type === 'tool_use')
    }
    if (message.message === undefined) return
    const converted = convert(message, message.message)
    if (this.messages.some((one) => one.id === converted.id)) return
    this.messages = [...this.messages, converted]
  }
}

function convert(
  { uuid }: SessionMessage,
  { role, content }: NonNullable<SessionMessage['message']>,
): ShownMessage {
  if (typeof content === 'string') return { id: uuid, role, content }
  const toolCalls = content
    .filter((block) => block.type === 'tool_use')
    .map(({ id = '', name = '' }) => ({ id, name }))
  return {
    id: uuid,
    role,
    content: content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n'),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  }
}
