import { connect } from 'node:net'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { HttpPeer } from '../../../../test/mcp-http-peer'
import { FrameParser } from './frame-parser'
import type { HttpClient, HttpLink } from './http-session'
import { maxBody, openMcpHttpServer, type McpHttpOptions } from './mcp-http-server'
import { describeServer } from './mcp-methods'
import { defineTool, textResult } from './mcp-tool'

interface Context {
  name: string
  aborted: string[]
}

const echo = defineTool({
  name: 'echo',
  description: 'Gives a text back.',
  input: z.object({ text: z.string() }),
  run: ({ text }, { name }: Context) => textResult(`${name}: ${text.length > 100 ? text.length : text}`),
})
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is aborted.',
  input: z.object({}),
  run: (_args, { aborted }: Context, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted.push(String(signal.reason))
        resolve(textResult('late'))
      })
    }),
})

const token = 'a-token'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Told when the parsing of a large message begins. */
let begun: () => void = () => undefined

class ToldParser extends FrameParser {
  override parse(frame: Buffer): ReturnType<FrameParser['parse']> {
    begun()
    return super.parse(frame)
  }
}

async function start(more: Partial<McpHttpOptions<Context, string>> = {}) {
  const frames = new ToldParser()
  const links: HttpLink<string>[] = []
  const aborted: string[] = []
  const closed: string[] = []
  const refused: number[] = []
  const opened = await openMcpHttpServer<Context, string>({
    port: 0,
    frames,
    methods: describeServer({ name: 'test', version: '1', tools: [echo, wait] }),
    holderOf: (given) => (given === token ? 'me' : undefined),
    begin(link): HttpClient<Context> {
      links.push(link)
      return { context: { name: `c${links.length}`, aborted }, onClosed: () => closed.push(link.id) }
    },
    onRefused: (status) => refused.push(status),
    ...more,
  })
  if (!opened.ok) throw new Error(opened.failure.message)
  const server = opened.value
  closing.push(
    () => frames.dispose(),
    () => server.stop(),
  )
  const address = { port: server.port, token }
  return { server, address, links, aborted, closed, refused }
}

async function connected(address: { port: number; token: string }): Promise<HttpPeer> {
  const peer = await HttpPeer.connect(address)
  closing.push(() => peer.cut())
  return peer
}

describe('MCP over HTTP', () => {
  it('serves the SDK’s own client', async () => {
    const { address, links } = await start()
    const client = new Client({ name: 'sdk', version: '1' })
    const url = new URL(`http://127.0.0.1:${address.port}/mcp`)
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
    await client.connect(transport)
    closing.push(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'wait'])
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
    expect(result.content).toEqual([{ type: 'text', text: 'c1: hi' }])
    await transport.terminateSession()
    expect(links).toHaveLength(1)
  })

  it('answers every session for itself', async () => {
    const { address, server } = await start()
    const peers = await Promise.all(Array.from({ length: 100 }, () => connected(address)))
    const answers = await Promise.all(peers.map((peer, index) => peer.call('echo', { text: `${index}` })))
    const texts = answers.map(({ content }) => content[0]?.text)
    expect(new Set(texts.map((text) => text?.split(':')[0])).size).toBe(100)
    expect(texts.map((text) => text?.split(': ')[1])).toEqual(peers.map((_peer, index) => `${index}`))
    expect(server.sessions).toBe(100)
  })

  it('answers as a stream where the client takes nothing else', async () => {
    const { address } = await start()
    const peer = await connected(address)
    const message = { jsonrpc: '2.0', id: 7, method: 'ping' }
    const answer = await peer.post(message, { accept: 'text/event-stream' })
    expect(answer.headers['content-type']).toBe('text/event-stream')
    expect(answer.text).toBe('data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n')
  })

  it('answers a batch with one array, and notifications with nothing', async () => {
    const { address } = await start()
    const peer = await connected(address)
    const ping = (id: number): object => ({ jsonrpc: '2.0', id, method: 'ping' })
    const batch = await peer.post([ping(1), { jsonrpc: '2.0', method: 'x' }, ping(2)])
    expect((JSON.parse(batch.text) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2])
    expect((await peer.post([{ jsonrpc: '2.0', method: 'x' }])).status).toBe(202)
    expect((await peer.post({ jsonrpc: '2.0', method: 'x' })).status).toBe(202)
  })
})

describe('bad input', () => {
  it('is refused with the status that fits', async () => {
    const { address, refused } = await start()
    const peer = await connected(address)
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const json = { 'content-type': 'application/json' }
    const statusOf = async (...args: Parameters<HttpPeer['send']>) => (await peer.send(...args)).status
    expect(await statusOf('POST', ping, { ...json, origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await statusOf('POST', ping, { ...json, host: 'evil.example' })).toBe(403)
    expect(await statusOf('POST', ping, { ...json, host: '127.0.0.1:1' })).toBe(403)
    expect(await statusOf('POST', ping, { ...json, authorization: undefined })).toBe(401)
    expect(await statusOf('POST', ping, { ...json, authorization: 'Bearer wrong' })).toBe(401)
    expect(await statusOf('GET', undefined, { authorization: 'Basic x' })).toBe(401)
    expect(await statusOf('POST', ping, { ...json, 'mcp-session-id': 'none' })).toBe(400)
    expect(await statusOf('POST', ping, { ...json, 'mcp-session-id': undefined })).toBe(400)
    expect(await statusOf('GET', undefined, { 'mcp-session-id': undefined })).toBe(400)
    expect(await statusOf('GET', undefined, { accept: 'application/json' })).toBe(406)
    expect(await statusOf('POST', ping, { 'content-type': 'text/plain' })).toBe(415)
    expect(await statusOf('PUT', ping, json)).toBe(405)
    expect(await statusOf('POST', ping, json, '/other')).toBe(404)
    expect(refused.length).toBe(13)
    expect((await peer.call('echo', { text: 'still here' })).content[0]?.text).toBe('c1: still here')
  })

  it('gets a JSON-RPC error where it is no message, and the session lives', async () => {
    const { address } = await start()
    const peer = await connected(address)
    const codeOf = async (message: unknown) => {
      const { error } = JSON.parse((await peer.post(message)).text) as { error: { code: number } }
      return error.code
    }
    expect(await codeOf('{"jsonrpc":')).toBe(-32700)
    expect(await codeOf('x'.repeat(300_000))).toBe(-32700)
    expect(await codeOf('{"jsonrpc":"2.0","id":1}')).toBe(-32600)
    expect(await codeOf('[]')).toBe(-32600)
    expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'nothing' })).toBe(-32601)
    expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nothing' } })).toBe(
      -32602,
    )
    expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } })).toBe(
      -32602,
    )
    expect((await peer.call('echo', { text: 'hi' })).content[0]?.text).toBe('c1: hi')
  })

  it('of more than the limit gets a JSON-RPC error, then the connection is closed', async () => {
    const { address } = await start()
    const peer = await connected(address)
    for (const declared of [true, false]) {
      const socket = connect(address.port, '127.0.0.1')
      let text = ''
      socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.on('error', () => undefined)
      const size = maxBody + 1
      const head = [
        'POST /mcp HTTP/1.1',
        `Host: 127.0.0.1:${address.port}`,
        `Authorization: Bearer ${token}`,
        `Mcp-Session-Id: ${peer.session}`,
        'Content-Type: application/json',
        declared ? `Content-Length: ${size}` : 'Transfer-Encoding: chunked',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      const megabyte = Buffer.alloc(1024 * 1024, 0x20)
      for (let sent = 0; sent < size && !socket.destroyed; sent += megabyte.length) {
        if (!declared) socket.write(`${megabyte.length.toString(16)}\r\n`)
        const isRoomy = socket.write(megabyte)
        if (!declared) socket.write('\r\n')
        if (!isRoomy) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
      }
      await closed
      expect(text).toContain('413')
      expect(text).toContain('"code":-32600')
    }
    expect((await peer.call('echo', { text: 'hi' })).content[0]?.text).toBe('c1: hi')
  }, 30_000)
})

describe('large messages', () => {
  it('are taken, and what comes after one in its session is answered after it; other sessions need not wait', async () => {
    const { address } = await start()
    const peer = await connected(address)
    const other = await connected(address)
    const order: string[] = []
    const call = async (from: HttpPeer, text: string): Promise<void> => {
      const { content } = await from.call('echo', { text })
      order.push(content[0]?.text ?? '')
    }
    const large = JSON.stringify({
      jsonrpc: '2.0',
      id: 'large',
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'ä'.repeat(4_000_000) } },
    })
    // The small ones are sent when the large one is here whole and its parsing has begun.
    const parsing = new Promise<void>((resolve) => (begun = resolve))
    const answered = peer.post(large).then((answer) => {
      order.push(
        (JSON.parse(answer.text) as { result: { content: { text: string }[] } }).result.content[0]?.text ??
          '',
      )
    })
    await parsing
    await Promise.all([answered, call(peer, 'small'), call(other, 'other')])
    expect(order.toSorted()).toEqual(['c1: 4000000', 'c1: small', 'c2: other'])
    expect(order.indexOf('c1: 4000000')).toBeLessThan(order.indexOf('c1: small'))
  })
})

describe('notifications', () => {
  it('wait until the client listens, and come in order', async () => {
    const { address, links } = await start()
    const peer = new HttpPeer(address)
    await peer.initialize({ name: 'x', version: '1' })
    closing.push(() => peer.cut())
    links[0]?.notify('outcome', { n: 1 }, 'every')
    links[0]?.notify('context', { n: 2 }, 'newest')
    links[0]?.notify('context', { n: 3 }, 'newest')
    await peer.listen()
    await peer.take('context')
    links[0]?.notify('outcome', { n: 4 }, 'every')
    await peer.until(() => (peer.heard.length >= 2 ? true : undefined))
    expect(peer.heard.map(({ params }) => params['n'])).toEqual([1, 4])
  })

  it('that were lost with a stream come again on the next, once', async () => {
    const { address, links } = await start()
    const peer = await connected(address)
    links[0]?.notify('outcome', { n: 1 }, 'every')
    await peer.take('outcome')
    peer.cut()
    links[0]?.notify('outcome', { n: 2 }, 'every')
    links[0]?.notify('outcome', { n: 3 }, 'every')
    await peer.listen()
    expect((await peer.take('outcome')).params).toEqual({ n: 2 })
    expect((await peer.take('outcome')).params).toEqual({ n: 3 })
    await peer.call('echo', { text: 'x' })
    expect(peer.heard).toEqual([])
  })

  it('go to the newest of two streams, and to the older one when that breaks', async () => {
    const { address, links } = await start()
    const peer = await connected(address)
    const other = new HttpPeer(address)
    other.session = peer.session
    await other.listen()
    closing.push(() => other.cut())
    links[0]?.notify('outcome', { n: 1 }, 'every')
    expect((await other.take('outcome')).params).toEqual({ n: 1 })
    expect(peer.heard).toEqual([])
  })

  it('are kept company by signs of life', async () => {
    const { address } = await start({ keepAlive: 20 })
    const peer = await connected(address)
    await peer.until(() => (peer.comments >= 3 ? true : undefined))
  })

  it('that a stopping server still has to send arrive before the stream ends', async () => {
    const { address, links, server } = await start()
    const peer = await connected(address)
    const text = 'x'.repeat(3_000_000)
    links[0]?.notify('outcome', { text }, 'every')
    await server.stop()
    expect((await peer.take('outcome')).params['text']).toBe(text)
    await peer.until(() => (peer.streams === 0 ? true : undefined))
  })
})

describe('a session', () => {
  it('begins also where a thousand have begun that never listened, in place of the oldest of those', async () => {
    const { address, server, links, closed } = await start()
    const listening = await connected(address)
    const idle = new HttpPeer(address)
    const begin = () => idle.request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
    for (let count = 1; count < 1000; count++) {
      idle.session = undefined
      await begin()
    }
    expect(server.sessions).toBe(1000)
    const late = await connected(address)
    expect(closed).toEqual([links[1]?.id])
    for (const peer of [listening, late]) expect(await peer.request('ping', {})).toMatchObject({ result: {} })
  })

  it('ends some time after its stream is gone, and its calls with it', async () => {
    const { address, closed, aborted, server } = await start({
      patience: { afterStream: 40, beforeStream: 60_000 },
    })
    const peer = await connected(address)
    const { session } = peer
    const other = await connected(address)
    peer.cut()
    const gone = new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (!closed.includes(session ?? '')) return
        clearInterval(look)
        resolve()
      }, 5)
    })
    await gone
    expect(server.sessions).toBe(1)
    expect(aborted).toEqual([])
    expect((await peer.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(400)
    expect((await other.call('echo', { text: 'x' })).content[0]?.text).toBe('c2: x')
  })

  it('ends by DELETE', async () => {
    const { address, closed, aborted } = await start()
    const peer = await connected(address)
    const waiting = peer.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } })
    await peer.call('echo', { text: 'x' })
    expect((await peer.send('DELETE')).status).toBe(200)
    expect((await waiting).status).toBe(202)
    expect(closed).toEqual([peer.session])
    expect(aborted).toEqual(['connection-lost'])
    expect((await peer.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(400)
    await peer.until(() => (peer.streams === 0 ? true : undefined))
  })
})
