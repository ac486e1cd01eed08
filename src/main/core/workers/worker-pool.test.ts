import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WorkerPool } from './worker-pool'

/** Doubles numbers; `throw` fails, `die` ends the thread, `wait` ends only when the shared cell is set. */
const program = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ id, input }) => {
  if (input === 'die') process.exit(1)
  if (input === 'throw') return parentPort.postMessage({ id, ok: false })
  if (input instanceof SharedArrayBuffer) Atomics.wait(new Int32Array(input), 0, 0)
  if (input instanceof Uint8Array) return parentPort.postMessage({ id, ok: true, output: input.length })
  parentPort.postMessage({ id, ok: true, output: typeof input === 'number' ? input * 2 : 'done' })
})
`

let folder = ''
let modulePath = ''
const pools: WorkerPool<unknown, unknown>[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-workers-'))
  modulePath = join(folder, 'double.mjs')
  await writeFile(modulePath, program)
})
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function open(): WorkerPool<unknown, unknown> {
  const pool = new WorkerPool<unknown, unknown>(modulePath)
  pools.push(pool)
  return pool
}

/** A task that runs until it is let go. */
function gate(): { input: SharedArrayBuffer; open: () => void } {
  const input = new SharedArrayBuffer(4)
  const cell = new Int32Array(input)
  return {
    input,
    open() {
      Atomics.store(cell, 0, 1)
      Atomics.notify(cell, 0)
    },
  }
}

describe('worker pool', () => {
  it('gives each task its own answer', async () => {
    const pool = open()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => pool.run(i)))
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => ({ ok: true, value: i * 2 })))
  })

  it('says that a task failed, and goes on with the next', async () => {
    const pool = open()
    const [failed, next] = await Promise.all([pool.run('throw'), pool.run(4)])
    expect(failed).toMatchObject({ ok: false, failure: { code: 'worker-failed' } })
    expect(next).toEqual({ ok: true, value: 8 })
  })

  it('says so when a thread ends, and opens another for the next task', async () => {
    const pool = open()
    const [died, next] = await Promise.all([pool.run('die'), pool.run(4)])
    expect(died).toMatchObject({ ok: false, failure: { code: 'worker-failed' } })
    expect(next).toEqual({ ok: true, value: 8 })
  })

  it('refuses what cannot be copied without losing the thread', async () => {
    const pool = open()
    expect(await pool.run(() => 1)).toMatchObject({ ok: false, failure: { code: 'worker-failed' } })
    expect(await pool.run(1)).toEqual({ ok: true, value: 2 })
  })

  it('refuses more than may wait', async () => {
    const pool = open()
    const { input, open: letGo } = gate()
    const running = pool.run(input)
    const waiting = Array.from({ length: 1000 }, (_, i) => pool.run(i))
    expect(await pool.run(3)).toMatchObject({ ok: false, failure: { code: 'busy' } })
    letGo()
    expect(await running).toEqual({ ok: true, value: 'done' })
    expect((await Promise.all(waiting)).at(-1)).toEqual({ ok: true, value: 1998 })
  })

  it('moves transferred buffers', async () => {
    const pool = open()
    const bytes = new Uint8Array(1000)
    const answer = pool.run(bytes, [bytes.buffer])
    expect(bytes.byteLength).toBe(0)
    expect(await answer).toEqual({ ok: true, value: 1000 })
  })

  it('settles everything on disposal', async () => {
    const pool = open()
    const { input, open: letGo } = gate()
    const running = pool.run(input)
    const waiting = pool.run(1)
    pool.dispose()
    letGo()
    for (const result of [running, waiting, pool.run(2)]) {
      expect(await result).toMatchObject({ ok: false, failure: { code: 'disposed' } })
    }
  })
})
