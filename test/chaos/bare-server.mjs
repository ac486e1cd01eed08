// The least a server can do: parse each message as JSON and answer it. What a flood does to its clients is the bare
// limit. Prints its port.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

/** The answer to one message. */
function answer(text) {
  try {
    const { id = null } = JSON.parse(text) ?? {}
    return JSON.stringify({ jsonrpc: '2.0', id, result: {} })
  } catch {
    return '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The message is not JSON."}}'
  }
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const text = answer(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket) => {
  socket.on('error', () => undefined)
  socket.on('message', (data) => socket.send(answer(data.toString('utf8'))))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
