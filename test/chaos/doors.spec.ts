import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import WebSocket from 'ws'
import { Place } from '../e2e/running-host'
import {
  type Attempt,
  brokenRequests,
  knock,
  otherPlaces,
  wrongHosts,
  wrongOrigins,
  wrongTokens,
} from './attempts'
import { isLong } from './chance'
import { type Door, House } from './doors'
import { note } from './figures'
import { requestText, sendRaw, statusesOf } from './raw-request'

const test = base.extend<object, { house: House }>({
  house: [
    async ({}, use) => {
      const house = await House.open()
      await use(house)
      await house.dispose()
    },
    { scope: 'worker' },
  ],
})

/** What an answer gives away: a success, a redirect, a secret or a CORS permission; empty if nothing. */
function given(house: House, heard: string): string[] {
  const statuses = statusesOf(heard).filter((status) => status === 101 || (status >= 200 && status < 400))
  const secrets = house.secrets.filter((secret) => heard.includes(secret)).map(() => 'a secret')
  const leave = /^access-control-allow-origin:.*/im.exec(heard)
  return [...statuses.map(String), ...secrets, ...(leave ? [leave[0]] : [])]
}

/** Makes every attempt in turn; the ones that get in fail by name. */
async function refuseAll(house: House, attempts: readonly Attempt[]): Promise<void> {
  let refused = 0
  for (const { name, bytes, port, host } of attempts) {
    const got = given(house, await sendRaw(port, bytes, host))
    expect.soft(got, name).toEqual([])
    if (got.length === 0) refused++
  }
  note({ name: 'break-in attempts refused', measured: refused })
  note({ name: 'break-in attempts that got in', measured: attempts.length - refused, atMost: 0 })
  // Throws if the host is gone.
  process.kill(house.pid, 0)
}

const doors = ['page', 'Claude', 'Gemini', 'hooks', 'sessions'] as const

/** What the right client is answered. */
const welcome = (door: string): number => (door === 'Gemini' || door === 'hooks' ? 200 : 101)

for (const name of doors) {
  test.describe(`the ${name} server`, () => {
    const sets: [what: string, make: (door: Door) => Attempt[]][] = [
      ['a wrong Host', wrongHosts],
      ['a foreign Origin', wrongOrigins],
      ['a wrong or missing secret', wrongTokens],
      ['a malformed request', brokenRequests],
    ]

    for (const [what, make] of sets) {
      test(`refuses ${what}`, async ({ house }) => {
        const door = house.door(name)
        await refuseAll(house, make(door))
        // The same request, unchanged, gets in; otherwise the refusals would prove nothing.
        const right = statusesOf(await sendRaw(door.port, knock(door)))
        expect(right, 'the right client').toEqual([welcome(name)])
      })
    }
  })
}

test('nothing else is served, even with the right secret', async ({ house }) => {
  await refuseAll(house, otherPlaces(house))
})

test('the page’s socket answers nothing before the right token', async ({ house }) => {
  const { port } = house.door('page')
  const hello = (more: object) => JSON.stringify({ t: 'hello', page: 'x', takeOver: true, ...more })
  const { pageToken } = house
  const first: [name: string, frame: string][] = [
    ['no token', hello({})],
    ['an empty token', hello({ token: '' })],
    ['a short token', hello({ token: pageToken.slice(1) })],
    ['a long token', hello({ token: `${pageToken}x` })],
    ['the cookie as the token', hello({ token: house.cookie.split('=')[1] })],
    ['a token in a list', hello({ token: [pageToken] })],
    ['a call before the hello', JSON.stringify({ t: 'call', id: 1, name: 'window.info', params: null })],
    ['a topic before the hello', JSON.stringify({ t: 'sub', id: 1, topic: 'reviews', params: null })],
    ['a hello that is too long', hello({ token: pageToken, more: 'x'.repeat(10_000) })],
    ['no JSON', 'hello'],
  ]
  let refused = 0
  for (const [name, frame] of first) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/w/${house.window}/channel`, {
      headers: { cookie: house.cookie, origin: `http://127.0.0.1:${port}` },
    })
    const heard: string[] = []
    socket.on('message', (data: Buffer) => heard.push(data.toString()))
    socket.on('open', () => socket.send(frame))
    await new Promise((resolve) => socket.once('close', resolve))
    expect.soft(heard, name).toEqual(['{"t":"refused"}'])
    if (heard.length === 1 && heard[0] === '{"t":"refused"}') refused++
  }
  note({ name: 'break-in attempts refused', measured: refused })
  note({ name: 'break-in attempts that got in', measured: first.length - refused, atMost: 0 })
})

test('silent connections lock nobody out', async ({ house }) => {
  test.setTimeout(120_000)
  // Half a head each, on every server.
  const silent = house.doors.flatMap((door) =>
    Array.from({ length: 25 }, () => {
      const socket = connect(door.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nX-A: `)
      return { socket, ended: new Promise((resolve) => socket.once('close', resolve)) }
    }),
  )
  for (const door of house.doors) {
    const [status] = statusesOf(await sendRaw(door.port, knock(door)))
    expect(status, door.name).toBe(welcome(door.name))
  }
  // A head may take 10 s; Node checks every 30 s.
  if (isLong) await Promise.all(silent.map(({ ended }) => ended))
  for (const { socket } of silent) socket.destroy()
  note({ name: 'break-in attempts refused', measured: house.doors.length })
})

if (isLong) {
  test('a link ends after a minute', async () => {
    test.setTimeout(120_000)
    const place = new Place()
    try {
      const { url } = await (await place.start()).ready()
      const { port, searchParams, host } = new URL(url)
      await new Promise((resolve) => setTimeout(resolve, 61_000))
      const line = `GET /?code=${searchParams.get('code')} HTTP/1.1`
      expect(statusesOf(await sendRaw(Number(port), requestText(line, [['Host', host]])))).toEqual([403])
      note({ name: 'break-in attempts refused', measured: 1 })
    } finally {
      await place.dispose()
    }
  })
}

test('discovery files and tokens are not written through symlinks', async () => {
  const place = new Place()
  try {
    const first = await place.start()
    const ready = await first.ready()
    const lock = ready.claudeIde?.lockFiles[0] ?? ''
    const token = join(place.data, 'session-server.token')
    await first.stop()
    const victim = join(place.base, 'victim.txt')
    writeFileSync(victim, 'untouched\n')
    for (const link of [lock, token]) {
      if (lstatSync(link, { throwIfNoEntry: false })) continue
      symlinkSync(victim, link)
    }
    const again = await (await place.start()).ready()
    expect(again.claudeIde?.lockFiles.map((file) => basename(file))).toEqual([basename(lock)])
    expect(readFileSync(victim, 'utf8')).toBe('untouched\n')
    for (const file of [lock, token]) {
      expect(lstatSync(file).isFile(), file).toBe(true)
      expect(statSync(file).mode & 0o777, file).toBe(0o600)
    }
    expect(statSync(dirname(lock)).mode & 0o777).toBe(0o700)
    note({ name: 'break-in attempts refused', measured: 2 })
  } finally {
    await place.dispose()
  }
})
