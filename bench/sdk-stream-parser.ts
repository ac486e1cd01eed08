import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** A process of its own with the limit: a stream's messages are parsed, and that is all. */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) =>
  socket.on('message', (data: Buffer) => {
    for (const line of data.toString().split('\n')) {
      if (line !== '') JSON.parse(line)
    }
  }),
)
await new Promise((resolve) => server.once('listening', resolve))
process.on('disconnect', () => process.exit(0))
process.send?.({ port: (server.address() as AddressInfo).port })
