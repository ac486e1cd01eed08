import type { WebSocket } from 'ws'
import { Emitter } from '../../shared/lifetime'
import type { Channel } from '../../shared/rpc/rpc'

/** A WebSocket as a channel of texts. A binary message is not ours: the socket is closed with 1003. */
export function channelOfSocket(socket: WebSocket): Channel {
  const messages = new Emitter<string>()
  const closes = new Emitter<void>()
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return socket.close(1003)
    messages.emit(data.toString('utf8'))
  })
  socket.on('close', () => {
    closes.emit()
    messages.dispose()
    closes.dispose()
  })
  // A broken frame or a reset: `close` follows.
  socket.on('error', () => undefined)
  return {
    send(frame) {
      if (socket.readyState === socket.OPEN) socket.send(frame)
    },
    onMessage: messages.on,
    onClose: closes.on,
    close: () => socket.close(),
  }
}
