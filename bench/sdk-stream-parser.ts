import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/**
 * A process of its own with the limit: a stream's messages are parsed, and that is all. They come by WebSocket, or from
 * the program that is named, over its standard output.
 */
const [, , program] = process.argv
process.on('disconnect', () => process.exit(0))
if (program === undefined) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (socket) => socket.on('message', (data: Buffer) => parse(data.toString())))
  await new Promise((resolve) => server.once('listening', resolve))
  process.send?.({ port: (server.address() as AddressInfo).port })
} else {
  const { stdout } = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  let rest = ''
  stdout.setEncoding('utf8').on('data', (piece: string) => {
    const text = rest + piece
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    parse(text.slice(0, end))
  })
}

function parse(lines: string): void {
  for (const line of lines.split('\n')) if (line !== '') JSON.parse(line)
}
