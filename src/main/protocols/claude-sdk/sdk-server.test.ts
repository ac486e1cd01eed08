import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { DisposableStack, disposable } from '../../../shared/lifetime'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { SdkUrlClient } from '../../../../test/sdk-url-client'
import { type SdkClient, type SdkServer, startSdkServer } from './sdk-server'

let owned = new DisposableStack()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlight-sdk-server-'))
})
afterEach(() => {
  owned.dispose()
  owned = new DisposableStack()
  rmSync(folder, { recursive: true, force: true })
})

interface Heard {
  server: SdkServer
  url: string
  lines: ProcessLine[]
  refused: number[]
  ended: Promise<string>
  client: Promise<SdkClient>
}

async function start(kept?: { port: number; token: string }): Promise<Heard> {
  const lines: ProcessLine[] = []
  const refused: number[] = []
  let end: (why: string) => void = () => undefined
  let come: (client: SdkClient) => void = () => undefined
  const ended = new Promise<string>((resolve) => (end = resolve))
  const client = new Promise<SdkClient>((resolve) => (come = resolve))
  const started = await startSdkServer({
    folder,
    ...(kept ? { kept } : {}),
    ports: {
      opened: () => ({
        update: () => undefined,
        frame: () => undefined,
        say: () => undefined,
        closed: () => undefined,
      }),
      refused: (status) => void refused.push(status),
      processAt: () => Promise.resolve(undefined),
      converse: (found) => {
        found.socket.listen({
          line: (line) => void lines.push(line),
          closed: ({ code }) => {
            found.gone()
            end(code)
          },
        })
        come(found)
        return disposable(() => end('disposed'))
      },
    },
  })
  if (!started.ok) throw new Error(started.failure.message)
  const server = owned.add(started.value)
  return { server, url: `${server.url}/${server.token}`, lines, refused, ended, client }
}

/** The status of a refused upgrade. */
function refusal(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const socket = new WebSocket(url, { headers })
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.once('open', () => resolve(101))
  })
}

describe('who may connect', () => {
  test('only who has the secret, from no web page, under the server’s own name', async () => {
    const { server, url, refused } = await start()
    expect(await refusal(server.url)).toBe(401)
    expect(await refusal(`${url}x`)).toBe(401)
    expect(await refusal(url.slice(0, -1))).toBe(401)
    expect(await refusal(url, { Origin: 'http://127.0.0.1' })).toBe(403)
    expect(await refusal(url, { Origin: server.url.replace('ws', 'http') })).toBe(403)
    expect(await refusal(url, { Host: 'evil.example' })).toBe(403)
    expect(refused).toEqual([401, 401, 401, 403, 403, 403])
    expect(await refusal(url)).toBe(101)
  })

  test('the whole address is in a file that only its owner reads, and goes with the server', async () => {
    const { server, url } = await start()
    expect(readFileSync(server.tokenFile, 'utf8').trim()).toBe(url)
    if (process.platform !== 'win32') expect(statSync(server.tokenFile).mode & 0o077).toBe(0)
    server.dispose()
    expect(() => statSync(server.tokenFile)).toThrow()
    await server.closed
    const again = await start({ port: server.port, token: server.token })
    expect(again.url).toBe(url)
  })

  test('what a killed server has left is removed when another starts; the files of those that listen stay', async () => {
    const { server } = await start()
    // Nothing listens there.
    const left = join(folder, '1.token')
    writeFileSync(left, 'ws://127.0.0.1:1/secret\n')
    const { server: other } = await start()
    expect(existsSync(left)).toBe(false)
    expect([server, other].map(({ tokenFile }) => existsSync(tokenFile))).toEqual([true, true])
  })

  test('nothing is compressed', async () => {
    const { url } = await start()
    const socket = new WebSocket(url)
    await once(socket, 'open')
    expect(socket.extensions).toBe('')
    socket.terminate()
  })

  test('more than fifty at once are refused', async () => {
    const { url, server } = await start()
    const all = Array.from({ length: 50 }, () => new SdkUrlClient(url, folder))
    await Promise.all(all.map(({ opened }) => opened))
    expect(server.clients).toBe(50)
    expect(await refusal(url)).toBe(503)
    all[0]?.close()
    await all[0]?.closed
    expect(await refusal(url)).toBe(101)
  })
})

describe('what comes', () => {
  test('is read as lines, however it is cut, also what has no end', async () => {
    const { url, lines, ended } = await start()
    const client = new SdkUrlClient(url, folder)
    await client.opened
    client.send('{"one":1}\n\n{"two":')
    client.send('2}\n{"three":3}')
    client.send('\r\n{"four":4}\n{"rest":')
    client.close()
    expect(await ended).toBe('hung-up')
    expect(lines.map((line) => line.kind === 'line' && line.text)).toEqual([
      ...['{"one":1}', '{"two":2}', '{"three":3}', '{"four":4}'],
      '{"rest":',
    ])
  })

  test('takes its turn beside others: a flood of one does not go before the message of another', async () => {
    const { url, lines } = await start()
    const [flooding, other] = [new SdkUrlClient(url, folder), new SdkUrlClient(url, folder)]
    await Promise.all([flooding.opened, other.opened])
    const count = 5000
    for (let sent = 0; sent < count; sent++) flooding.send('{}\n')
    other.send('{"mine":1}\n')
    const place = () => lines.findIndex((line) => line.kind === 'line' && line.text.includes('mine'))
    await vi.waitFor(() => expect(place()).not.toBe(-1))
    expect(place()).toBeLessThan(count / 10)
    flooding.close()
    other.close()
  })

  test('as a binary frame ends the connection', async () => {
    const { url, lines, ended } = await start()
    const client = new SdkUrlClient(url, folder)
    await client.opened
    client.send('{"one":1}\n')
    client.send(Buffer.from('{"two":2}\n'))
    client.send('{"three":3}\n')
    expect(await ended).toBe('binary')
    expect((await client.closed).code).toBe(1003)
    expect(lines).toEqual([{ kind: 'line', text: '{"one":1}' }])
  })

  test('as a frame of more than 64 MB ends the connection', async () => {
    const { url, lines, ended } = await start()
    const client = new SdkUrlClient(url, folder)
    await client.opened
    client.send('x'.repeat(64 * 1024 * 1024 + 1))
    expect(await ended).toBe('too-large')
    expect((await client.closed).code).toBe(1009)
    expect(lines).toEqual([])
  })
})

test('a client that does not read is not read from, and no more waits for it than a bound', async () => {
  const { url, lines, ended, client: connected } = await start()
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const { socket: served } = await connected
  socket.pause()
  const line = 'y'.repeat(1024 * 1024)
  const written = Array.from({ length: 100 }, () => served.write(line))
  socket.send('{"meanwhile":1}\n')
  // What is refused is refused at once, while the rest waits for the client.
  expect(await written.at(-1)).toMatchObject({ ok: false, failure: { code: 'behind' } })
  expect(lines).toEqual([])
  socket.resume()
  const taken = (await Promise.all(written)).filter(({ ok }) => ok).length
  expect([taken > 60, taken < 80]).toEqual([true, true])
  socket.close()
  expect(await ended).toBe('hung-up')
  expect(lines).toEqual([{ kind: 'line', text: '{"meanwhile":1}' }])
})

test('when the server ends, its clients hear it, and their conversations are told first', async () => {
  const { server, url, ended } = await start()
  const client = new SdkUrlClient(url, folder)
  await client.opened
  server.dispose()
  expect(await ended).toBe('disposed')
  expect([1001, 1006]).toContain((await client.closed).code)
  await server.closed
})
