import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import { askForOutside, compareElsewhere, editElsewhere, handOver, runElsewhere } from './hand-over-client'
import {
  type EditRequest,
  type HandOverOwner,
  type HandOverRequest,
  listenForHandOver,
  type RunClient,
  type RunRequest,
} from './hand-over-server'

let base: string
let owned: Disposable[]
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-hand-over-'))
  owned = []
})
afterEach(() => {
  for (const one of owned) one.dispose()
  rmSync(base, { recursive: true })
})

const outsideStart = {
  variables: { TOKEN: 't' },
  address: '/data/address.json',
}

async function own(directory: string): Promise<HandOverRequest[]> {
  const heard: HandOverRequest[] = []
  owned.push(
    await listenForHandOver(directory, {
      open: (request) => {
        heard.push(request)
        return Promise.resolve(succeed({ pid: 1, ready: { url: 'http://127.0.0.1:1/' } }))
      },
      edit: () => Promise.resolve(fail('no-window', 'There is no window.')),
      compare: ({ left }) => Promise.resolve(left === '/a' ? succeed({}) : fail('no', 'No such file.')),
      outside: ({ command, folder }) =>
        Promise.resolve(
          folder === '/a'
            ? succeed({ ...outsideStart, program: `/front/${command}` })
            : fail('no-window', `No window has ${folder}.`),
        ),
      run: () => Promise.resolve(0),
    }),
  )
  return heard
}

test('a second start hands its folders over and hears what became of them', async () => {
  const heard = await own(base)
  expect(await handOver(base, { folders: ['/a', '/b'] })).toEqual({
    ok: true,
    value: { pid: 1, ready: { url: 'http://127.0.0.1:1/' } },
  })
  expect(heard).toEqual([{ folders: ['/a', '/b'] }])
})

test('an agent outside is told how it is started, or why not', async () => {
  await own(base)
  const asked = { command: 'one', window: null }
  expect(await askForOutside(base, { ...asked, folder: '/a' })).toEqual(
    succeed({ ...outsideStart, program: '/front/one' }),
  )
  expect(await askForOutside(base, { ...asked, folder: '/b' })).toEqual(fail('refused', 'No window has /b.'))
  expect(await askForOutside(join(base, 'none'), { ...asked, folder: '/a' })).toMatchObject({
    failure: { code: 'nobody' },
  })
})

test('works in a directory whose path is too long for a socket', async () => {
  const long = join(base, 'x'.repeat(120))
  mkdirSync(long)
  const heard = await own(long)
  expect(await handOver(long, { folders: [] })).not.toBeNull()
  expect(heard).toHaveLength(1)
})

test('a folder where the address belongs leaves later starts without one, and ends nothing', async () => {
  const inTheWay = join(base, 'hand-over.json')
  mkdirSync(inTheWay)
  const heard = await own(base)
  expect(await handOver(base, { folders: ['/a'] })).toBeNull()
  for (const one of owned.splice(0)) one.dispose()
  expect(heard).toEqual([])
  expect(existsSync(inTheWay)).toBe(true)
})

test('nobody there, or no longer there, is null', async () => {
  expect(await handOver(base, { folders: [] })).toBeNull()
  await own(base)
  for (const one of owned.splice(0)) one.dispose()
  expect(readdirSync(base)).toEqual([])
  expect(await handOver(base, { folders: [] })).toBeNull()
})

test('what is not a request gets no answer, and the next one does', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const heard = await own(base)
  const path = join(base, 'hand-over.sock')
  expect(existsSync(path)).toBe(true)
  const socket = connect(path)
  socket.end('{"folders":"all of them"}\n')
  await once(socket, 'close')
  expect(socket.bytesRead).toBe(0)
  expect(await handOver(base, { folders: [] })).not.toBeNull()
  expect(heard).toHaveLength(1)
})

/** An owner that opens every file, and the ends of what was opened. */
async function openAll(directory: string) {
  const asked: EditRequest[] = []
  const waits: { end: (done: Done) => void; gone: Promise<void> }[] = []
  const opened = new Emitter<void>()
  owned.push(
    await listenForHandOver(directory, {
      open: () => Promise.resolve(succeed({ pid: 1, ready: null })),
      edit: (request) => {
        asked.push(request)
        let end: (done: Done) => void = () => undefined
        const ended = new Promise<Done>((resolve) => (end = resolve))
        let leave: () => void = () => undefined
        waits.push({ end, gone: new Promise((resolve) => (leave = resolve)) })
        queueMicrotask(() => opened.emit())
        return Promise.resolve(succeed({ ended, dispose: () => leave() }))
      },
      compare: () => Promise.resolve(succeed({})),
      outside: () => Promise.resolve(fail('off', 'It is off.')),
      run: () => Promise.resolve(0),
    }),
  )
  return { asked, waits, opened: () => new Promise<void>((resolve) => opened.on(() => resolve())) }
}

const file = { path: '/a', line: 3, column: null }

test('a command waits until its files are closed', async () => {
  const owner = await openAll(base)
  const opened = owner.opened()
  const edited = editElsewhere(base, { files: [file], window: 'w' })
  await opened
  expect(owner.asked).toEqual([{ files: [file], window: 'w' }])
  owner.waits[0]?.end(succeed({}))
  expect(await edited).toEqual({ ok: true, value: {} })
})

test('what the owner says against it, and its end, are the command’s failure', async () => {
  expect(await editElsewhere(base, { files: [file], window: null })).toMatchObject({
    failure: { code: 'nobody' },
  })
  const owner = await openAll(base)
  const ended = owner.opened()
  const first = editElsewhere(base, { files: [file], window: null })
  await ended
  owner.waits[0]?.end(fail('window-gone', 'The window was closed.'))
  expect(await first).toMatchObject({ failure: { code: 'lost', message: 'The window was closed.' } })
  const opened = owner.opened()
  const second = editElsewhere(base, { files: [file], window: null })
  await opened
  for (const one of owned.splice(0)) one.dispose()
  expect(await second).toMatchObject({ failure: { code: 'lost', message: expect.stringContaining('ended') } })
  await own(base)
  expect(await editElsewhere(base, { files: [file], window: null })).toMatchObject({
    failure: { code: 'refused', message: 'There is no window.' },
  })
})

test('a command that goes away is no longer waited for', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const owner = await openAll(base)
  const opened = owner.opened()
  const socket = connect(join(base, 'hand-over.sock'))
  socket.write(`${JSON.stringify({ edit: { files: [file], window: null } })}\n`)
  await opened
  socket.destroy()
  await owner.waits[0]?.gone
  expect(owner.waits).toHaveLength(1)
})

test('two files are compared, or a sentence says why not', async () => {
  await own(base)
  expect(await compareElsewhere(base, { left: '/a', right: '/b', window: null })).toMatchObject({ ok: true })
  expect(await compareElsewhere(base, { left: '/x', right: '/b', window: null })).toMatchObject({
    failure: { code: 'refused', message: 'No such file.' },
  })
})

const request: RunRequest = {
  ...{ prompt: 'do it', folder: '/a', model: null, permissionMode: null, resume: null, output: 'text' },
  allowed: { rules: [], edits: ['src/*'] },
}

/** An owner that runs prompts as it is told. */
async function runBy(run: HandOverOwner['run']): Promise<void> {
  const never = () => Promise.resolve(fail('no', 'No.'))
  owned.push(await listenForHandOver(base, { open: never, edit: never, compare: never, outside: never, run }))
}

/** A client that keeps what is printed; `stop` is its Ctrl+C. */
function newClient(out: (text: string) => Promise<void> = () => Promise.resolve()) {
  const printed: string[] = []
  const stopped = new AbortController()
  const client: RunClient = {
    signal: stopped.signal,
    say: (sentence) => void printed.push(`! ${sentence}`),
    out: (text) => {
      printed.push(text)
      return out(text)
    },
  }
  return { client, printed, stop: () => stopped.abort() }
}

test('a prompt is run by the owner: what it prints comes as it was, then the exit code', async () => {
  const asked: RunRequest[] = []
  await runBy(async (run, { out, say }) => {
    asked.push(run)
    await out('{"a":"\\n\u2028é"}\n')
    say('Wait.')
    await out('x'.repeat(3_000_000))
    return 3
  })
  const { client, printed } = newClient()
  expect(await runElsewhere(base, { ...request, prompt: '\u0000'.repeat(1_000_000) }, client)).toBe(3)
  expect(asked.map(({ prompt }) => prompt.length)).toEqual([1_000_000])
  expect(printed.map((text) => text.slice(0, 20))).toEqual([
    '{"a":"\\n\u2028é"}\n',
    '! Wait.',
    'x'.repeat(20),
  ])
  expect(printed[2]).toHaveLength(3_000_000)
})

test('what is printed goes no faster than the client takes it', async () => {
  let sent = 0
  await runBy(async (_run, { out }) => {
    for (; sent < 200; sent++) await out('x'.repeat(1 << 20))
    return 0
  })
  let ahead = 0
  const { client, printed } = newClient(() => {
    ahead = Math.max(ahead, sent - printed.length)
    return new Promise((resolve) => setImmediate(resolve))
  })
  expect(await runElsewhere(base, request, client)).toBe(0)
  expect(printed).toHaveLength(200)
  // What the system and both ends hold on the way.
  expect(ahead).toBeLessThan(20)
})

test('a client that stops, or is gone, stops the run; the end of it is waited for', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const left: boolean[] = []
  const begun = new Emitter<void>()
  await runBy((_run, { signal }) => {
    queueMicrotask(() => begun.emit())
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        left.push(true)
        resolve(1)
      }),
    )
  })
  const running = () => new Promise<void>((resolve) => begun.on(() => resolve()))
  const { client, stop } = newClient()
  const first = running()
  const ended = runElsewhere(base, request, client)
  await first
  stop()
  expect(await ended).toBe(1)
  const second = running()
  const socket = connect(join(base, 'hand-over.sock'))
  socket.write(`${JSON.stringify({ run: request })}\n`)
  await second
  socket.destroy()
  await expect.poll(() => left).toHaveLength(2)
})

test('an owner that ends leaves a sentence and 1; one that opens nothing says why', async () => {
  const begun = new Emitter<void>()
  await runBy(() => {
    queueMicrotask(() => begun.emit())
    return new Promise(() => undefined)
  })
  expect(await handOver(base, { folders: [] })).toMatchObject({
    ok: false,
    failure: { code: 'in-use', message: 'No.' },
  })
  const isRunning = new Promise<void>((resolve) => begun.on(() => resolve()))
  const { client, printed } = newClient()
  const ended = runElsewhere(base, request, client)
  await isRunning
  for (const one of owned.splice(0)) one.dispose()
  expect(await ended).toBe(1)
  expect(printed).toEqual([expect.stringMatching(/^! Greenlight ended before/)])
  expect(await runElsewhere(base, request, client)).toBeNull()
})
