import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { FrameParser, largeFrame } from './frame-parser'
import { openMcpHttpServer } from './mcp-http-server'
import { describeServer } from './mcp-methods'
import { defineTool, textResult } from './mcp-tool'

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const tell = defineTool({
  name: 'tell',
  description: 'Takes the first letter of a text down.',
  input: z.object({ text: z.string() }),
  run: ({ text }, order: string[]) => {
    order.push(text.slice(0, 1))
    return textResult('')
  },
})

async function serve({
  frames = new FrameParser(),
  patience = { afterStream: 10_000, beforeStream: 120_000 },
} = {}) {
  const order: string[] = []
  let asked = 0
  const opened = await openMcpHttpServer<string[], string>({
    port: 0,
    frames,
    patience,
    methods: describeServer({ name: 't', version: '1', tools: [tell] }),
    holderOf: () => {
      asked++
      return 'me'
    },
    begin: () => ({ context: order, onClosed: () => undefined }),
  })
  if (!opened.ok) throw new Error(opened.failure.message)
  closing.push(
    () => frames.dispose(),
    () => opened.value.stop(),
  )
  const begun = await send(opened.value.port, [initialize])
  const session = /mcp-session-id: (\S+)/i.exec(begun)?.[1] ?? ''
  return { server: opened.value, order, session, asked: () => asked }
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25' },
})

const call = (id: number, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'tell', arguments: { text } } })

/** Requests one behind the other on one connection; the last one's body comes after `before`. Gives all that is answered. */
function send(
  port: number,
  bodies: readonly string[],
  session = '',
  before?: Promise<unknown>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answered = ''
    socket
      .setEncoding('utf8')
      .on('data', (piece: string) => (answered += piece))
      .on('close', () => resolve(answered))
      .on('error', reject)
    for (const [index, body] of bodies.entries()) {
      const isLast = index === bodies.length - 1
      socket.write(
        [
          'POST /mcp HTTP/1.1',
          `Host: 127.0.0.1:${port}`,
          'Content-Type: application/json',
          'Accept: application/json, text/event-stream',
          `Content-Length: ${Buffer.byteLength(body)}`,
          ...(session ? [`Mcp-Session-Id: ${session}`] : []),
          ...(isLast ? ['Connection: close'] : []),
          '',
          '',
        ].join('\r\n'),
      )
      if (isLast && before) void before.then(() => socket.write(body))
      else socket.write(body)
    }
  })
}

test('a request whose session ends while its body comes is answered, not taken as accepted', async () => {
  const { server, session } = await serve({ patience: { afterStream: 100, beforeStream: 100 } })
  const gone = vi.waitFor(() => expect(server.sessions).toBe(0), { timeout: 20_000 })
  const answered = await send(server.port, [call(1, 'x')], session, gone)
  expect(answered).toMatch(/^HTTP\/1\.1 400 /)
  expect(answered).toContain('There is no such session.')
})

test('a small message that comes after two large ones is taken after both', async () => {
  const held: (() => void)[] = []
  class HeldParser extends FrameParser {
    override async parse(frame: Buffer) {
      await new Promise<void>((resolve) => held.push(resolve))
      return super.parse(frame)
    }
  }
  const { server, session, order, asked } = await serve({ frames: new HeldParser() })
  const large = largeFrame + 1
  const answered = send(
    server.port,
    [call(1, 'A'.repeat(large)), call(2, 'B'.repeat(large)), call(3, 'C')],
    session,
  )
  // All three have come: what comes later on one connection is read later.
  await vi.waitFor(() => expect([held.length, asked()]).toEqual([1, 4]))
  held[0]?.()
  await vi.waitFor(() => expect(held).toHaveLength(2))
  held[1]?.()
  await answered
  expect(order.join('')).toBe('ABC')
})
