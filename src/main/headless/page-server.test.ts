import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as send, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { elsewhere, refused, welcome, writeHello } from '../../shared/rpc/hello'
import type { Channel } from '../../shared/rpc/rpc'
import { type PageServer, type PageServerOptions, openPageServer } from './page-server'

let base: string
let server: PageServer
let served: Set<Channel>
let sockets: WebSocket[]

async function open(options: Partial<PageServerOptions> = {}): Promise<PageServer> {
  const opened = await openPageServer({
    port: null,
    directory: join(base, 'page'),
    window: (id) =>
      id === 'one' || id === 'two'
        ? {
            id,
            connect(channel) {
              served.add(channel)
              channel.onMessage((frame) => channel.send(`${id} heard ${frame}`))
              return { dispose: () => served.delete(channel) }
            },
          }
        : undefined,
    now: () => clock,
    ...options,
  })
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}

/** What the server takes for the time. */
let clock = 0

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-page-'))
  mkdirSync(join(base, 'page', 'assets'), { recursive: true })
  writeFileSync(join(base, 'page', 'index.html'), '<!doctype html>page')
  writeFileSync(join(base, 'page', 'assets', 'index.js'), 'script')
  writeFileSync(join(base, 'secret.txt'), 'secret')
  served = new Set()
  sockets = []
  server = await open()
})
afterEach(async () => {
  for (const socket of sockets) socket.terminate()
  server.dispose()
  await server.closed
  rmSync(base, { recursive: true })
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A request whose path goes over the wire exactly as written. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const going = send({ host: '127.0.0.1', port: server.port, path, headers, method }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    going.on('error', reject).end()
  })
}

const pathOf = (url: string) => url.slice(url.indexOf('/?'))

async function letIn(window = 'one'): Promise<{ cookie: string; token: string }> {
  const answer = await ask(pathOf(server.mintUrl(window)))
  return {
    cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    token: answer.headers.location?.split('#token=')[1] ?? '',
  }
}

describe('a link', () => {
  test('works once: it gives a cookie and a token, and leads to its window', async () => {
    const path = pathOf(server.mintUrl('one'))
    const first = await ask(path)
    expect(first.status).toBe(303)
    expect(first.headers.location).toMatch(/^\/w\/one\/#token=[\w-]{43}$/)
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^greenlight-${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
      ),
    ])
    const second = await ask(path)
    expect(second.status).toBe(403)
    expect(second.headers['set-cookie']).toBeUndefined()
  })

  test('ends after a minute, and says how to get a new one', async () => {
    const path = pathOf(server.mintUrl('one'))
    const fresh = pathOf(server.mintUrl('one'))
    clock += 60_000
    expect((await ask(fresh)).status).toBe(303)
    clock += 1
    const late = await ask(path)
    expect(late.status).toBe(403)
    expect(late.body).toContain('Start Greenlight on the same folder again')
    expect(late.headers['set-cookie']).toBeUndefined()
  })

  test('that has lost its code says how to get a new one', async () => {
    const { cookie } = await letIn()
    for (const headers of [{ cookie }, {}]) {
      expect((await ask('/', headers)).body).toContain('on the same folder again to get a')
    }
  })

  test('is not used up by HEAD, which previews send', async () => {
    const path = pathOf(server.mintUrl('one'))
    expect((await ask(path, {}, 'HEAD')).status).toBe(403)
    expect((await ask(path)).status).toBe(303)
  })

  test('that was never given is refused', async () => {
    expect((await ask('/?code=nope')).status).toBe(403)
    expect((await ask('/?code=')).status).toBe(403)
  })

  test('does not show the cookie value in the token or the other way round', async () => {
    const { cookie, token } = await letIn()
    expect(cookie.split('=')[1]).not.toBe(token)
  })
})

describe('the page', () => {
  test('is served to whoever was let in, with its headers', async () => {
    const { cookie } = await letIn()
    const page = await ask('/w/one/', { cookie })
    expect(page).toMatchObject({ status: 200, body: '<!doctype html>page' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['cache-control']).toBe('no-store')
    expect((await ask('/w/two/assets/index.js', { cookie })).body).toBe('script')
    expect(await ask('/w/one/', { cookie }, 'HEAD')).toMatchObject({ status: 200, body: '' })
  })

  test('that goes while the server runs is answered with 404', async () => {
    const { cookie } = await letIn()
    rmSync(join(base, 'page', 'index.html'))
    expect((await ask('/w/one/', { cookie })).status).toBe(404)
  })

  test('of a new build is found while the server runs', async () => {
    const { cookie } = await letIn()
    writeFileSync(join(base, 'page', 'assets', 'index-2.js'), 'newer')
    expect((await ask('/w/one/assets/index-2.js', { cookie })).body).toBe('newer')
  })

  test('is not served without the cookie, or with a wrong or doubled one', async () => {
    const { cookie } = await letIn()
    expect((await ask('/w/one/')).status).toBe(403)
    expect((await ask('/w/one/', { cookie: `${cookie}x` })).status).toBe(403)
    expect((await ask('/w/one/', { cookie: cookie.replace(/\d+/, '1') })).status).toBe(403)
    expect((await ask('/w/one/', { cookie: `${cookie}; ${cookie}` })).status).toBe(403)
    expect((await ask('/w/one/', { cookie: `other=1; ${cookie}` })).status).toBe(200)
  })

  test('is not served to a foreign Host or Origin, not even with a code', async () => {
    const { cookie } = await letIn()
    const path = pathOf(server.mintUrl('one'))
    for (const host of [
      `evil.example:${server.port}`,
      `localhost:${server.port}`,
      '127.0.0.1',
      '127.0.0.1:1',
    ]) {
      expect((await ask('/w/one/', { cookie, host })).status).toBe(403)
      expect((await ask(path, { host })).status).toBe(403)
    }
    expect((await ask('/w/one/', { cookie, origin: 'http://evil.example' })).status).toBe(403)
    expect((await ask(path)).status).toBe(303)
  })

  test.each([
    '/',
    '/w/one',
    '/w/three/',
    '/w//',
    '/index.html',
    '/w/one/../../secret.txt',
    '/w/one/..%2f..%2fsecret.txt',
    '/w/one/%2e%2e/%2e%2e/secret.txt',
    '/w/one/..\\..\\secret.txt',
    '/w/one/assets/',
    '/w/one/assets/index.js%00.html',
    '//127.0.0.1/w/one/',
    'http://127.0.0.1/w/one/',
  ])('has nothing at %s', async (path) => {
    const { cookie } = await letIn()
    const answer = await ask(path, { cookie })
    expect(answer.status).toBe(404)
    expect(answer.body).not.toContain('secret')
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('does not answer %s', async (method) => {
    const { cookie } = await letIn()
    const answer = await ask('/w/one/', { cookie }, method)
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD')
  })

  test('reached from another site asks again by itself, so that the strict cookie comes along', async () => {
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    const answer = await ask('/w/one/', elsewhere)
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('content="0; url=/w/one/"')
    for (const path of ['/w/three/', '/w/one/assets/index.js', '/.//evil.example/', '/w/one/"><script>/']) {
      expect((await ask(path, elsewhere)).status).toBe(403)
    }
    const first = await ask(pathOf(server.mintUrl('one')), elsewhere)
    expect(first.status).toBe(200)
    expect(first.headers['set-cookie']).toHaveLength(1)
    expect(first.body).toMatch(/content="0; url=\/w\/one\/#token=[\w-]{43}"/)
  })
})

interface Peer {
  heard: string[]
  say(frame: string): void
  next(): Promise<string>
  closed: Promise<void>
}

/** A page's socket. Resolves to the status where the upgrade is refused. */
function openSocket(path: string, headers: Record<string, string>): Promise<Peer | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers })
    sockets.push(socket)
    const heard: string[] = []
    const waiting: ((frame: string) => void)[] = []
    let taken = 0
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString())
      waiting.shift()?.(data.toString())
    })
    const closed = new Promise<void>((settle) => socket.on('close', () => settle()))
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', (error) => {
      if (!error.message.includes('closed before')) reject(error)
    })
    socket.on('open', () =>
      resolve({
        heard,
        closed,
        say: (frame) => socket.send(frame),
        next: () => {
          const frame = heard[taken++]
          return frame === undefined ? new Promise((settle) => waiting.push(settle)) : Promise.resolve(frame)
        },
      }),
    )
  })
}

const origin = () => `http://127.0.0.1:${server.port}`

async function enter(hello: Partial<Parameters<typeof writeHello>[0]> = {}, window = 'one'): Promise<Peer> {
  const { cookie, token } = await letIn(window)
  const peer = await openSocket(`/w/${window}/channel`, { cookie, origin: origin() })
  if (typeof peer === 'number') throw new Error(`refused with ${peer}`)
  peer.say(writeHello({ page: 'a', token, takeOver: false, ...hello }))
  return peer
}

describe('the channel', () => {
  test('serves a page that was let in and says its token', async () => {
    const peer = await enter()
    expect(await peer.next()).toBe(welcome)
    peer.say('hi')
    expect(await peer.next()).toBe('one heard hi')
    expect(server.isWatched()).toBe(true)
  })

  test('refuses the upgrade without cookie, without Origin, with a foreign one, or at a wrong address', async () => {
    const { cookie } = await letIn()
    const good = { cookie, origin: origin() }
    expect(await openSocket('/w/one/channel', { origin: origin() })).toBe(403)
    expect(await openSocket('/w/one/channel', { cookie })).toBe(403)
    expect(await openSocket('/w/one/channel', { cookie, origin: 'http://evil.example' })).toBe(403)
    expect(
      await openSocket('/w/one/channel', { cookie, origin: `http://127.0.0.1:${server.port + 1}` }),
    ).toBe(403)
    expect(await openSocket('/w/one/channel', { ...good, host: `evil.example:${server.port}` })).toBe(403)
    expect(await openSocket('/w/three/channel', good)).toBe(404)
    expect(await openSocket('/channel', good)).toBe(404)
    expect(await openSocket('/w/one/channel', good)).toBeTypeOf('object')
  })

  test.each([
    ['a wrong token', writeHello({ page: 'a', token: 'wrong', takeOver: true })],
    ['no hello at all', '{"t":"call","id":1,"name":"settings.set","params":{}}'],
  ])('refuses %s although the cookie is right', async (_name, frame) => {
    const { cookie } = await letIn()
    const peer = await openSocket('/w/one/channel', { cookie, origin: origin() })
    if (typeof peer === 'number') throw new Error('refused too early')
    peer.say(frame)
    expect(await peer.next()).toBe(refused)
    await peer.closed
    expect(served.size).toBe(0)
  })

  test('tells a second page of the window, which may take over whole', async () => {
    const first = await enter({ page: 'a' })
    expect(await first.next()).toBe(welcome)
    const second = await enter({ page: 'b' })
    expect(await second.next()).toBe(elsewhere)
    await second.closed
    const third = await enter({ page: 'b', takeOver: true })
    expect(await third.next()).toBe(welcome)
    expect(await first.next()).toBe(elsewhere)
    await first.closed
    expect(served.size).toBe(1)
  })

  test('of one window leaves the others alone', async () => {
    const one = await enter({ page: 'a' }, 'one')
    const two = await enter({ page: 'b' }, 'two')
    expect(await one.next()).toBe(welcome)
    expect(await two.next()).toBe(welcome)
    await enter({ page: 'b', takeOver: true }, 'one')
    await one.closed
    two.say('still here')
    expect(await two.next()).toBe('two heard still here')
  })

  test('ends for a socket that says nothing', async () => {
    server.dispose()
    server = await open({ patience: 20 })
    const { cookie } = await letIn()
    const peer = await openSocket('/w/one/channel', { cookie, origin: origin() })
    if (typeof peer === 'number') throw new Error('refused')
    await peer.closed
  })

  test('ends with the server', async () => {
    const peer = await enter()
    await peer.next()
    server.dispose()
    await peer.closed
    expect(served.size).toBe(0)
  })
})

test('a port that is taken is a failure with a next step', async () => {
  const other = await openPageServer({
    port: server.port,
    directory: join(base, 'page'),
    window: () => undefined,
  })
  expect(other).toMatchObject({ ok: false, failure: { code: 'port-taken' } })
})
