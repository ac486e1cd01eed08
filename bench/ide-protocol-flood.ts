import { Peer, type ServerAddress } from './ide-protocol-peer'

/** A process of its own that sends messages that a server refuses, as fast as it answers them. */

/** How many bytes may wait here; the system holds as many more as it likes. */
const unsent = 1_000_000
const filler = 'x'.repeat(100_000)

/** Not JSON, no call, a call without its arguments, bytes that are no text; short ones and long ones. */
const bad: readonly ((number: number) => string | Buffer)[] = [
  () => '{}',
  (number) => `not JSON ${number}`,
  (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'openDiff' } }),
  () => Buffer.alloc(1000, 0xff),
  () => '['.repeat(5000),
  (number) => `{"cut":"${number}${filler}`,
]

process.on('message', (flood: { address: ServerAddress; messages: number }) => {
  void send(flood)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function send({ address, messages }: { address: ServerAddress; messages: number }): Promise<void> {
  const { socket } = await Peer.open(address)
  let answers = 0
  const done = new Promise<void>((resolve) => {
    socket.removeAllListeners('message').on('message', () => {
      answers += 1
      if (answers === messages) resolve()
    })
  })
  process.send?.('begin')
  for (let number = 0; number < messages; number += 1) {
    const message = bad[number % bad.length]?.(number) ?? ''
    socket.send(message)
    while (socket.bufferedAmount > unsent) await new Promise((resolve) => setImmediate(resolve))
  }
  await done
  socket.terminate()
  process.send?.('done')
}
