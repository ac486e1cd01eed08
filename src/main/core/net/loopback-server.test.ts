import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { DisposableStack } from '../../../shared/lifetime'
import { serverPorts } from './free-port'
import { openLoopbackServer, sendRefusal, type LoopbackOptions, type Refusal } from './loopback-server'
import { readBody } from './request-body'
import { isSameSecret } from './secret'

let owned = new DisposableStack()
afterEach(() => {
  owned.dispose()
  owned = new DisposableStack()
})

async function open(options: Partial<LoopbackOptions> = {}) {
  const opened = await openLoopbackServer({ port: 0, origins: 'none', ...options })
  if (!opened.ok) throw new Error(opened.failure.message)
  return owned.add(opened.value)
}

/** Sends raw bytes and gives back all that comes until the server closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let all = ''
    socket.on('data', (chunk) => (all += chunk.toString()))
    socket.on('close', () => resolve(all))
    socket.on('error', reject)
  })
}

function upgrade(port: number, headers: Record<string, string>, path = '/'): Promise<string> {
  const lines = Object.entries({ Connection: 'Upgrade', Upgrade: 'websocket', ...headers })
  return raw(port, `GET ${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}`).join('\r\n')}\r\n\r\n`)
}

function get(port: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

describe('loopback server', () => {
  it('answers only requests whose Host names it', async () => {
    const server = await open({ onRequest: (_request, response) => response.end('hi') })
    const { port } = server
    expect(await get(port, { host: `127.0.0.1:${port}` })).toBe(200)
    expect(await get(port, { host: `LOCALHOST:${port}` })).toBe(200)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `[::1]:${port}`,
    ]) {
      expect(await get(port, { host })).toBe(403)
    }
  })

  it('refuses every Origin with `none` and foreign ones with `own`', async () => {
    const heard: Refusal[] = []
    const none = await open({ onRequest: (_r, response) => response.end(), onRefused: (r) => heard.push(r) })
    const host = `127.0.0.1:${none.port}`
    expect(await get(none.port, { host, origin: `http://${host}` })).toBe(403)
    expect(await get(none.port, { host, origin: 'null' })).toBe(403)
    expect(heard).toHaveLength(2)

    const own = await open({ origins: 'own', onRequest: (_r, response) => response.end() })
    const ownHost = `127.0.0.1:${own.port}`
    expect(await get(own.port, { host: ownHost, origin: `http://${ownHost}` })).toBe(200)
    expect(await get(own.port, { host: ownHost, origin: `http://127.0.0.1:${own.port + 1}` })).toBe(403)
    expect(await get(own.port, { host: ownHost, origin: `https://${ownHost}` })).toBe(403)
  })

  it('routes upgrades and refuses with the status that the route gives', async () => {
    const server = await open({
      onUpgrade: (request) =>
        request.url === '/'
          ? (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nmine')
          : { status: 404, message: 'Not here.' },
    })
    const host = `127.0.0.1:${server.port}`
    expect(await upgrade(server.port, { Host: host })).toMatch(/^HTTP\/1\.1 101 .*mine$/s)
    expect(await upgrade(server.port, { Host: host }, '/x')).toMatch(/^HTTP\/1\.1 404 .*Not here\.\n$/s)
    expect(await upgrade(server.port, { Host: 'evil:1' })).toMatch(/^HTTP\/1\.1 403 /)
    expect(await upgrade(server.port, { Host: host, Origin: 'http://evil' })).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('answers 404 where nobody takes a request or an upgrade', async () => {
    const server = await open()
    const host = `localhost:${server.port}`
    expect(await get(server.port, { host })).toBe(404)
    expect(await upgrade(server.port, { Host: host })).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('answers 400 to what is not HTTP and goes on', async () => {
    const server = await open({ onRequest: (_r, response) => response.end() })
    expect(await raw(server.port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await get(server.port, { host: `127.0.0.1:${server.port}` })).toBe(200)
  })

  it('listens where no system takes a port for an outgoing connection, so that a kept one stays free', async () => {
    const { port } = await open({ port: serverPorts })
    expect(port).toBeGreaterThanOrEqual(10_000)
    expect(serverPorts.to).toBeLessThan(32_768)
  })

  it('takes the kept port when it is free and another of the range when it is not', async () => {
    const range = { from: 20_000, to: 60_000 }
    const first = await open({ port: range })
    expect(first.port).toBeGreaterThanOrEqual(range.from)
    const second = await open({ port: { ...range, kept: first.port } })
    expect(second.port).not.toBe(first.port)
    first.dispose()
    await first.closed
    expect((await open({ port: { ...range, kept: first.port } })).port).toBe(first.port)
    expect((await open({ port: { ...range, kept: 80 } })).port).toBeGreaterThanOrEqual(range.from)
  })

  it('fails with `port-taken` for one port that is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const opened = await openLoopbackServer({ port, origins: 'none' })
    expect(opened).toMatchObject({ ok: false, failure: { code: 'port-taken' } })
    await new Promise((resolve) => other.close(resolve))
  })

  it('ends open connections on disposal, upgraded ones too, and frees the port', async () => {
    const server = await open({ onUpgrade: () => (socket) => void socket.write('HTTP/1.1 101 x\r\n\r\n') })
    const ended = upgrade(server.port, { Host: `127.0.0.1:${server.port}` })
    const idle = raw(server.port, 'GET / HTTP/1.1\r\n')
    await get(server.port, { host: `127.0.0.1:${server.port}` })
    server.dispose()
    server.dispose()
    await server.closed
    expect(await ended).toMatch(/101/)
    expect(await idle).toBe('')
  })
})

describe('request bodies', () => {
  function post(limit: number, body: string, chunked: boolean): Promise<{ status: number; text: string }> {
    return open({
      onRequest: (request, response) => {
        void readBody(request, limit).then((read) => {
          if (read.ok) response.end(read.value)
          else sendRefusal(response, { status: 413, message: read.failure.code })
        })
      },
    }).then(
      ({ port }) =>
        new Promise((resolve, reject) => {
          const take = (response: IncomingMessage): void => {
            let text = ''
            response.on('data', (chunk: Buffer) => (text += chunk.toString()))
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
          }
          const out = httpRequest({ port, host: '127.0.0.1', method: 'POST' }, take).on('error', reject)
          if (!chunked) out.setHeader('content-length', Buffer.byteLength(body))
          else out.flushHeaders()
          out.end(body)
        }),
    )
  }

  it('are read whole up to the limit and refused above it', async () => {
    expect(await post(5, '12345', false)).toEqual({ status: 200, text: '12345' })
    expect(await post(5, '123456', false)).toMatchObject({ status: 413, text: 'too-large\n' })
    expect(await post(5, '123456', true)).toMatchObject({ status: 413, text: 'too-large\n' })
  })
})

describe('connections that say nothing', () => {
  const silently = (port: number) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject)
    })

  const ask = async (port: number) => {
    const socket = await silently(port)
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    await once(socket, 'data')
    return socket
  }

  it('stay open up to a bound, and keep nobody out', async () => {
    const { port } = await open({ onRequest: (_request, response) => response.end('hi') })
    const silent = await Promise.all(Array.from({ length: 150 }, () => silently(port)))
    const ended = silent.map((socket) => once(socket, 'close'))
    expect(await get(port, { host: `127.0.0.1:${port}` })).toBe(200)
    let count = 0
    await new Promise<void>((resolve) => {
      for (const end of ended) void end.then(() => (count += 1) === 134 && resolve())
    })
    expect(silent.filter((socket) => !socket.destroyed).length).toBe(16)
    for (const socket of silent) socket.destroy()
  })

  it('and were heard are not among them, nor those that all come at once', async () => {
    const { port } = await open({ onRequest: (_request, response) => response.write('begun') })
    const talking = await Promise.all(Array.from({ length: 100 }, () => ask(port)))
    // One that is closed for its silence began after these.
    const silent = await Promise.all(Array.from({ length: 17 }, () => silently(port)))
    await Promise.race(silent.map((socket) => once(socket, 'close')))
    expect(talking.filter((socket) => socket.destroyed)).toEqual([])
    for (const socket of [...talking, ...silent]) socket.destroy()
  })

  it('are not the only ones to be bounded: all together are', async () => {
    const { port } = await open({ onRequest: (_request, response) => response.write('begun') })
    const talking = await Promise.all(Array.from({ length: 400 }, () => ask(port)))
    await once(await silently(port), 'close')
    expect(talking.filter((socket) => socket.destroyed)).toEqual([])
    for (const socket of talking) socket.destroy()
  })
})

describe('secrets', () => {
  it('are the same only when every character is', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    expect(isSameSecret('abd', 'abc')).toBe(false)
    expect(isSameSecret('abcd', 'abc')).toBe(false)
    expect(isSameSecret('', 'abc')).toBe(false)
    expect(isSameSecret(undefined, 'abc')).toBe(false)
    expect(isSameSecret(['abc'], 'abc')).toBe(false)
  })
})
