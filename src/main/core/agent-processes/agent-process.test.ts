import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentProcessState } from '../../../shared/contract/agent-processes'
import { listProcesses } from '../platform/process-tree'
import type { AgentProcess } from './agent-process'
import { AgentProcesses } from './agent-processes'
import type { ProcessLine } from './line-reader'
import type { WantedProcess } from './process-options'

let folder: string
let processes: AgentProcesses
const reported: unknown[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-agent-'))
  processes = new AgentProcesses()
})
afterEach(async () => {
  await processes.end(200)
  await rm(folder, { recursive: true, force: true })
  expect(reported.splice(0)).toEqual([])
})

interface Rig {
  process: AgentProcess
  lines: ProcessLine[]
  states: AgentProcessState[]
  /** Settles when so many lines have come in all. */
  heard(count: number): Promise<void>
  reached(phase: AgentProcessState['phase']): Promise<AgentProcessState>
}

/** A process that runs a script in Node. `hear` is waited for at each line. */
function rig(
  script: string,
  options: Partial<WantedProcess> = {},
  hear: (line: ProcessLine) => void | Promise<void> = () => undefined,
): Rig {
  const lines: ProcessLine[] = []
  const states: AgentProcessState[] = []
  const waiting = new Set<() => void>()
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const made = processes.create(
    {
      ...{ name: 'Agent', program: process.execPath, args: ['-e', script], folder },
      env: { PATH: process.env['PATH'] ?? '', ...options.env },
      graceMs: 600,
      ...options,
    },
    {
      line: async (line) => {
        await hear(line)
        lines.push(line)
        waiting.forEach((look) => look())
      },
      report: (error) => void reported.push(error),
    },
  )
  if (!made.ok) throw new Error(made.failure.message)
  made.value.onState((state) => {
    states.push(state)
    waiting.forEach((look) => look())
  })
  return {
    process: made.value,
    lines,
    states,
    heard: (count) => until(() => lines.length >= count),
    reached: async (phase) => {
      await until(() => made.value.state.phase === phase)
      return made.value.state
    },
  }
}

const texts = (lines: readonly ProcessLine[]) =>
  lines.map((line) => (line.kind === 'line' ? line.text : line.kind))
const alive = async (pid: number) => (await listProcesses()).some((entry) => entry.pid === pid)
const echo = `process.stdin.setEncoding('utf8').on('data', (text) => process.stdout.write(text))`

test('lines go in and come out, with the environment and folder that were asked for and no other', async () => {
  const one = rig(
    `console.log(JSON.stringify([process.cwd(), process.env.GIVEN, process.env.HOME ?? null])); ${echo}`,
    { env: { PATH: '/bin', GIVEN: 'yes; $(no)' } },
  )
  await one.process.start()
  expect(one.process.state.phase).toBe('running')
  expect(await one.process.write('{"a":"ä"}')).toEqual({ ok: true, value: {} })
  await one.heard(2)
  expect(JSON.parse(texts(one.lines)[0] ?? '')).toEqual([folder, 'yes; $(no)', null])
  expect(texts(one.lines)[1]).toBe('{"a":"ä"}')
  await one.process.stop()
  expect(one.process.state).toMatchObject({ phase: 'ended', end: { code: 'stopped' } })
  expect(one.states.map(({ phase }) => phase)).toEqual(['running', 'stopping', 'ended'])
  expect(await one.process.write('late')).toMatchObject({ ok: false, failure: { code: 'not-running' } })
})

test('a flood is not read before its reader is ready, and memory stays where it was', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  let heard = 0
  // 200 MB, far more than may be held.
  const line = 'x'.repeat(1000)
  const one = rig(
    `const piece = ('${line}\\n').repeat(1000); let left = 200
     const next = () => { while (left-- > 0) if (!process.stdout.write(piece)) return void process.stdout.once('drain', next)
       process.stderr.write('all written') }
     next(); require('fs').writeFileSync('full', '')`,
    {},
    () => {
      heard++
      return heard === 1 ? gate : undefined
    },
  )
  one.lines.push = () => 0
  const before = process.memoryUsage().rss
  // The program tells when it cannot write more.
  const seen = new AbortController()
  const full = once(watch(folder, { signal: seen.signal }), 'change')
  await one.process.start()
  await full
  seen.abort()
  while (heard === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toBe(1)
  expect(one.process.pid).not.toBeNull()
  const held = process.memoryUsage().rss
  release()
  await one.reached('ended')
  expect(heard).toBe(200_000)
  expect(one.process.state).toMatchObject({ end: { code: 'ended', complaints: 'all written' } })
  const grown = (Math.max(held, process.memoryUsage().rss) - before) / 2 ** 20
  expect((held - before) / 2 ** 20).toBeLessThan(60)
  expect(grown).toBeLessThan(180)
}, 60_000)

test('a line of 100 MB is told as too long and holds no memory; what follows is read', async () => {
  const one = rig(
    `const piece = 'y'.repeat(1 << 20); let left = 100
     const next = () => { while (left-- > 0) if (!process.stdout.write(piece)) return void process.stdout.once('drain', next)
       process.stdout.write('\\nafter\\n') }
     next()`,
    { longestLine: 4 << 20 },
  )
  const before = process.memoryUsage().rss
  await one.process.start()
  await one.reached('ended')
  expect(one.lines).toEqual([
    { kind: 'too-long', bytes: 100 << 20, head: 'y'.repeat(1024) },
    { kind: 'line', text: 'after' },
  ])
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(60)
}, 60_000)

test('what a process does not read is bounded, and written once it does', async () => {
  const one = rig(
    `process.on('SIGUSR2', () => { let n = 0; process.stdin.on('data', (d) => { n += d.length; console.log(String(n)) }) })
     console.log('here'); setInterval(() => {}, 1000)`,
    { mostUnread: 1 << 20 },
  )
  await one.process.start()
  await one.heard(1)
  const line = 'z'.repeat(99_999)
  const sent = Array.from({ length: 12 }, () => one.process.write(line))
  expect(await sent[11]).toMatchObject({ ok: false, failure: { code: 'behind' } })
  process.kill(one.process.pid ?? 0, 'SIGUSR2')
  const taken = await Promise.all(sent)
  expect(taken.filter(({ ok }) => ok)).toHaveLength(10)
  while (texts(one.lines).at(-1) !== '1000000') await one.heard(one.lines.length + 1)
  expect((await one.process.write('more')).ok).toBe(true)
})

test('a process that closes its input is told as such, and nothing breaks', async () => {
  const one = rig(`require('fs').closeSync(0); console.log('closed'); setInterval(() => {}, 1000)`)
  await one.process.start()
  await one.heard(1)
  let last = await one.process.write('a')
  // The first may still have fitted into the pipe.
  if (last.ok) last = await one.process.write('b')
  expect(last).toMatchObject({ ok: false })
})

test.skipIf(process.platform === 'win32')(
  'one that ignores every polite sign is killed, with its grandchildren',
  async () => {
    const inner = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000)`
    const one = rig(
      `const inner = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })
       ${inner}; process.stdin.resume(); console.log(inner.pid)`,
    )
    await one.process.start()
    await one.heard(1)
    const [pid, grandchild] = [one.process.pid ?? 0, Number(texts(one.lines)[0])]
    expect(await alive(grandchild)).toBe(true)
    await one.process.stop()
    expect([await alive(pid), await alive(grandchild)]).toEqual([false, false])
    expect(one.process.state).toMatchObject({ phase: 'ended', end: { code: 'stopped' } })
  },
)

test.skipIf(process.platform === 'win32')(
  'what it left behind is ended when it dies, though it leads its own group',
  async () => {
    const one = rig(
      `const inner = require('child_process').spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio: 'inherit' })`,
    )
    await one.process.start()
    await one.heard(1)
    const left = Number(texts(one.lines)[0])
    process.kill(one.process.pid ?? 0, 'SIGKILL')
    const end = await one.reached('ended')
    expect(end).toMatchObject({ end: { code: 'killed', message: expect.stringContaining('SIGKILL') } })
    expect(await alive(left)).toBe(false)
  },
)

test('how it ended is told in a sentence, with its last words', async () => {
  const failing = rig(`process.stderr.write('x'.repeat(40000) + '\\nlast words\\n'); process.exitCode = 3`)
  await failing.process.start()
  const end = await failing.reached('ended')
  expect(end).toEqual({
    phase: 'ended',
    end: {
      code: 'failed',
      message: 'Agent has ended with the error code 3. Read its last words, then restart it.',
      complaints: 'last words',
    },
  })
  for (const [options, words] of [
    [{ program: join(folder, 'nothing') }, 'nothing is not there'],
    [{ folder: join(folder, 'gone') }, 'the folder'],
    [{ program: folder }, 'the system did not run'],
  ] as const) {
    const bad = rig('', options)
    await bad.process.start()
    expect(bad.process.state).toMatchObject({
      phase: 'ended',
      end: { code: 'not-started', message: expect.stringContaining(words) },
    })
  }
})

test('options that cannot be right start nothing', () => {
  const listener = { line: () => undefined, report: () => undefined }
  const good = { name: 'Agent', program: '/bin/true', args: [], folder: '/', env: {} }
  for (const bad of [
    { program: 'true' },
    { args: ['a\0b'] },
    { folder: 'here' },
    { env: { 'A=B': 'c' } },
    { env: { A: 'a\0' } },
    { longestLine: 0 },
  ])
    expect(processes.create({ ...good, ...bad }, listener)).toMatchObject({ ok: false })
  expect(processes.create(good, listener).ok).toBe(true)
})

test('a restart is another process; after short lives it comes later, and can be called off', async () => {
  const one = rig(`console.log(process.pid)`)
  await one.process.start()
  await one.reached('ended')
  await one.process.restart()
  await one.reached('ended')
  expect(new Set(texts(one.lines)).size).toBe(2)
  const asked = Date.now()
  await one.process.restart()
  expect(one.process.state).toMatchObject({ phase: 'waiting' })
  await one.heard(3)
  expect(Date.now() - asked).toBeGreaterThanOrEqual(490)
  await one.reached('ended')
  await one.process.restart()
  expect(one.process.state.phase).toBe('waiting')
  await one.process.stop()
  expect(one.process.state).toMatchObject({ phase: 'ended', end: { code: 'stopped' } })
  expect(one.lines).toHaveLength(3)
})

test('a reader that never comes back keeps nothing from ending', async () => {
  const one = rig(`console.log('a'); console.log('b')`, {}, () => new Promise(() => {}))
  await one.process.start()
  await one.process.stop()
  expect(one.process.state).toMatchObject({ phase: 'ended' })
})

test('the owner ends all of them, and starts none afterwards', async () => {
  const all = Array.from({ length: 3 }, () => rig(echo))
  await Promise.all(all.map((one) => one.process.start()))
  const pids = all.map((one) => one.process.pid ?? 0)
  await processes.end(400)
  expect(await Promise.all(pids.map(alive))).toEqual([false, false, false])
  const late = rig(echo)
  await late.process.start()
  expect(late.process.state.phase).toBe('ended')
})
