import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { FrameParser, largeFrame } from './frame-parser'
import { describeServer } from './mcp-methods'
import { serveSocket, socketServerOptions, type ServedSocket, type SocketOptions } from './mcp-socket'
import { defineTool, textResult } from './mcp-tool'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const echo = defineTool({
  name: 'echo',
  description: 'Gives back.',
  input: z.object({ text: z.string() }),
  run: ({ text }, _context: null) => textResult(text),
})

/** A served socket and the client at its other end. */
async function open(options: Partial<SocketOptions<null>> = {}) {
  const frames = new FrameParser()
  const server = new WebSocketServer({ ...socketServerOptions, noServer: false, host: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  const methods = describeServer({ name: 'Test', version: '1', tools: [echo] })
  const served = new Promise<{ socket: ServedSocket; raw: WebSocket }>((resolve) =>
    server.once('connection', (raw) =>
      resolve({ raw, socket: serveSocket(raw, { methods, frames, context: null, ...options }) }),
    ),
  )
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  closing.push(
    () => client.terminate(),
    () => server.close(),
    () => frames.dispose(),
  )
  await new Promise((resolve) => client.once('open', resolve))
  const closed = new Promise<number>((resolve) => client.once('close', resolve))
  return { client, closed, frames, ...(await served) }
}

const call = (id: number, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } })

describe('a served socket', () => {
  it('stops reading a client that does not read its answers, and loses nothing', async () => {
    const { client, raw } = await open()
    const count = 400
    const text = 'x'.repeat(100_000)
    client.pause()
    for (let id = 0; id < count; id += 1) client.send(call(id, text))
    await new Promise<void>((resolve) => {
      const pause = raw.pause.bind(raw)
      raw.pause = () => {
        pause()
        resolve()
      }
      if (raw.isPaused) resolve()
    })
    // What waits unsent stays near the limit although ten times as much has been asked.
    expect(raw.bufferedAmount).toBeLessThan(16 * 1024 * 1024)
    const answers = new Promise<number[]>((resolve) => {
      const ids: number[] = []
      client.on('message', (data: Buffer) => {
        ids.push((JSON.parse(data.toString()) as { id: number }).id)
        if (ids.length === count) resolve(ids)
      })
    })
    client.resume()
    expect(await answers).toEqual(Array.from({ length: count }, (_, id) => id))
  })

  it('takes its turn beside others: a flood of one does not go before the call of another', async () => {
    const taken: string[] = []
    const server = new WebSocketServer({
      ...socketServerOptions,
      noServer: false,
      host: '127.0.0.1',
      port: 0,
    })
    const frames = new FrameParser()
    closing.push(
      () => server.close(),
      () => frames.dispose(),
    )
    await new Promise((resolve) => server.once('listening', resolve))
    const methods = describeServer({ name: 'Test', version: '1', tools: [echo] })
    server.on('connection', (raw) => {
      const onFrame: SocketOptions<null>['onFrame'] = (direction, text) =>
        void (direction === 'in' && taken.push(text))
      serveSocket(raw, { methods, frames, context: null, onFrame })
    })
    const connect = async (): Promise<WebSocket> => {
      const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
      closing.push(() => client.terminate())
      await new Promise((resolve) => client.once('open', resolve))
      return client
    }
    const [flooding, other] = [await connect(), await connect()]
    const count = 5000
    for (let i = 0; i < count; i += 1) flooding.send('{}')
    const answered = new Promise((resolve) => other.once('message', resolve))
    other.send(call(1, 'mine'))
    await answered
    // In one turn with the flood's first message or soon after it, not behind all that the system holds of the flood.
    expect(taken.findIndex((text) => text.includes('mine'))).toBeLessThan(count / 10)
  })

  it('answers in order, whatever the size', async () => {
    const { client } = await open()
    const sizes = [10, largeFrame + 1, 20, largeFrame * 3, 30, 40]
    const answers = new Promise<number[]>((resolve) => {
      const seen: number[] = []
      client.on('message', (data: Buffer) => {
        const { result } = JSON.parse(data.toString()) as { result: { content: { text: string }[] } }
        seen.push(result.content[0]?.text.length ?? -1)
        if (seen.length === sizes.length) resolve(seen)
      })
    })
    sizes.forEach((size, id) => client.send(call(id, 'ä'.repeat(size))))
    expect(await answers).toEqual(sizes)
  })

  it('answers what is not UTF-8 as what is not JSON, and lives', async () => {
    const { client } = await open()
    const first = new Promise<string>((resolve) =>
      client.once('message', (data: Buffer) => resolve(data.toString())),
    )
    client.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false })
    expect(JSON.parse(await first)).toMatchObject({ id: null, error: { code: -32700 } })
    const second = new Promise<string>((resolve) =>
      client.once('message', (data: Buffer) => resolve(data.toString())),
    )
    client.send(call(1, 'x'))
    expect(JSON.parse(await second)).toMatchObject({ id: 1 })
  })

  it('closes with 1011 when a large message cannot be read, since nobody could be answered', async () => {
    const { client, closed, frames } = await open()
    frames.dispose()
    client.send(call(1, 'x'.repeat(largeFrame)))
    expect(await closed).toBe(1011)
  })

  it('is silent after its end', async () => {
    let ended = 0
    const { client, closed, socket } = await open({ onClosed: () => (ended += 1) })
    expect(socket.notify('hello', {})).toBe(true)
    socket.dispose()
    socket.dispose()
    expect(socket.notify('hello', {})).toBe(false)
    client.send(call(1, 'x'))
    expect(await closed).toBe(1001)
    expect(ended).toBe(0)
  })

  it('hears once that the client has gone', async () => {
    const ended = new Promise<ServedSocket>((resolve) => {
      void open({ onClosed: () => resolve(opened) }).then(({ client, socket }) => {
        opened = socket
        client.terminate()
      })
      let opened: ServedSocket
    })
    expect((await ended).inFlight).toBe(0)
  })
})
