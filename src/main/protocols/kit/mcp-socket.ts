import { isUtf8 } from 'node:buffer'
import type { ServerOptions, WebSocket } from 'ws'
import { parseJson } from '../../../shared/json'
import type { Disposable } from '../../../shared/lifetime'
import { largeFrame, type FrameParser } from './frame-parser'
import { type HearFrame, loggedPart, loggedText } from './logged-text'
import { McpSession, type SessionOptions } from './mcp-session'

/** The largest message that is taken, in bytes. A larger one ends its connection with close code 1009. */
export const maxMessage = 64 * 1024 * 1024

/** Options for a `WebSocketServer` whose sockets are served here. */
export const socketServerOptions = {
  noServer: true,
  clientTracking: false,
  maxPayload: maxMessage,
  perMessageDeflate: false,
  // One message of each client in a turn: a flood of one is not taken before the next call of another.
  allowSynchronousEvents: false,
  // Checked here for small frames and in the thread for large ones; answered as what is not JSON.
  skipUTF8Validation: true,
} satisfies ServerOptions

/** Above this many unsent bytes nothing more is read from the client until it has read its answers. */
const unsentLimit = 4 * 1024 * 1024

/** A client with this much unsent does not read at all, and is let go. */
const unsentEnd = 128 * 1024 * 1024

/** What a served socket needs beside what its session needs. */
export interface SocketOptions<Context> extends Omit<SessionOptions<Context>, 'send'> {
  frames: FrameParser
  onFrame?: HearFrame
  /** A client for whom notifications were left out has read: they are taken again. */
  onRead?(): void
  /** The client sent more than `maxMessage`; the connection is being closed. */
  onTooLarge?(): void
  /** The connection is over. Called once, after the session's calls have been aborted; not after disposal. */
  onClosed?(): void
}

/** A connection that is being served. */
export interface ServedSocket extends Disposable {
  /** Sends a notification. Left out, and false, when the connection is closed or the client does not read. */
  notify(method: string, params: unknown): boolean
  /** Calls not answered yet. */
  readonly inFlight: number
}

/**
 * Serves MCP on an open WebSocket. Messages are taken in the order in which they came, also when a large one is
 * parsed in a thread while the next are here already. Disposal closes the connection with 1001.
 */
export function serveSocket<Context>(socket: WebSocket, options: SocketOptions<Context>): ServedSocket {
  const { frames, onFrame } = options
  const waiting: Buffer[] = []
  let parsing = false
  let paused = false
  let over = false
  let leftOut = false

  const session = new McpSession<Context>({ ...options, send })

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    socket.send(text, sent)
    onFrame?.('out', loggedText(text), text.length)
    const unsent = socket.bufferedAmount
    if (unsent > unsentEnd) socket.terminate()
    else if (unsent > unsentLimit) pause()
  }

  function sent(): void {
    if (paused && !parsing && socket.bufferedAmount < unsentLimit / 2) resume()
    if (!leftOut || over || socket.bufferedAmount >= unsentLimit / 2) return
    leftOut = false
    options.onRead?.()
  }

  function pause(): void {
    paused = true
    socket.pause()
  }

  function resume(): void {
    paused = false
    socket.resume()
  }

  /** The client's own closing frame has to be read, or the connection would hang for half a minute. */
  function close(code: number, reason: string): void {
    resume()
    socket.close(code, reason)
  }

  function take(frame: Buffer): void {
    const text = frame.toString('utf8')
    onFrame?.('in', loggedText(text), frame.length)
    session.receive(isUtf8(frame) ? parseJson(text) : undefined)
  }

  async function takeWaiting(): Promise<void> {
    parsing = true
    pause()
    for (let frame = waiting.shift(); frame !== undefined && !over; frame = waiting.shift()) {
      if (frame.length <= largeFrame) {
        take(frame)
        continue
      }
      onFrame?.('in', frame.toString('utf8', 0, loggedPart), frame.length)
      const parsed = await frames.parse(frame)
      if (over) break
      if (!parsed.ok) {
        // Without its content there is no id to answer, and the client must not wait forever.
        end()
        close(1011, 'The message could not be read.')
        break
      }
      session.receive(parsed.value)
    }
    parsing = false
    if (!over && socket.bufferedAmount <= unsentLimit) resume()
  }

  function end(): void {
    if (over) return
    over = true
    waiting.length = 0
    session.dispose()
    options.onClosed?.()
  }

  socket.on('message', (frame: Buffer) => {
    if (over) return
    if (!parsing && frame.length <= largeFrame) return take(frame)
    waiting.push(frame)
    if (!parsing) void takeWaiting()
  })
  socket.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') options.onTooLarge?.()
    end()
  })
  socket.on('close', end)

  return {
    get inFlight() {
      return session.inFlight
    },
    notify(method, params) {
      if (over || socket.readyState !== socket.OPEN) return false
      if (socket.bufferedAmount > unsentLimit) {
        leftOut = true
        return false
      }
      session.notify(method, params)
      return true
    },
    dispose() {
      if (over) return
      over = true
      session.end('shutdown')
      close(1001, 'The server stops.')
    },
  }
}
