// Sends bad frames as fast as a server takes them, and reconnects whenever it is dropped. Takes its options as JSON in
// the first argument, and prints one line of JSON when everything is sent.
import { Agent, request } from 'node:http'
import WebSocket from 'ws'
import { badFrames } from './bad-frames.mjs'

const { kind, url, headers, protocol, hello, count, seed } = JSON.parse(process.argv[2])
const next = badFrames(kind, seed)
/** How much may wait in our own buffer, in bytes. */
const mostWaiting = 64 * 1024
const started = performance.now()
let sent = 0
let connections = 0

if (url.startsWith('http')) await overHttp()
else while (sent < count) await overSocket()
process.stdout.write(
  `${JSON.stringify({ sent, connections, seconds: (performance.now() - started) / 1000 })}\n`,
)

/** Sends over one connection until that is over or all is sent. */
async function overSocket() {
  const socket = new WebSocket(url, protocol, { headers, perMessageDeflate: false })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  const isOpen = await Promise.race([
    new Promise((resolve) => socket.once('open', () => resolve(true))),
    closed.then(() => false),
  ])
  if (!isOpen) return new Promise((resolve) => setTimeout(resolve, 20))
  connections++
  if (hello) socket.send(JSON.stringify(hello))
  while (sent < count && socket.readyState === WebSocket.OPEN) {
    const { text, binary, broken } = next()
    sent++
    if (broken) {
      socket._socket.write(broken)
      const timer = setTimeout(() => socket.terminate(), 50)
      await closed
      clearTimeout(timer)
      return
    }
    const gone = new Promise((resolve) => socket.send(binary ?? text, resolve))
    if (socket.bufferedAmount > mostWaiting) await Promise.race([gone, closed])
  }
  // Until the server has read it all.
  if (socket.readyState === WebSocket.OPEN) {
    socket.close()
    const timer = setTimeout(() => socket.terminate(), 30_000)
    await closed
    clearTimeout(timer)
  }
}

/** Sends each frame as the body of a request, eight at once. */
async function overHttp() {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (sent < count) {
        const { text, binary, broken } = next()
        sent++
        await post(agent, text ?? binary ?? broken)
      }
    }),
  )
  agent.destroy()
}

function post(agent, body) {
  return new Promise((resolve) => {
    const out = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.once('close', resolve)
    })
    out.once('error', resolve)
    out.end(body)
  })
}
