import type * as Threads from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Every worker thread that was begun. */
const begun = vi.hoisted(() => ({ workers: [] as Threads.Worker[] }))
vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof Threads>()
  class Counted extends real.Worker {
    constructor(...args: ConstructorParameters<typeof real.Worker>) {
      super(...args)
      begun.workers.push(this)
    }
  }
  return { ...real, default: { ...real, Worker: Counted }, Worker: Counted }
})
const { PlainTerminals } = await import('../../../../test/plain-terminals')

let plain: InstanceType<typeof PlainTerminals>

beforeEach(() => {
  begun.workers.length = 0
  plain = new PlainTerminals()
})

afterEach(async () => {
  await plain.dispose()
  for (const worker of begun.workers) await worker.terminate()
})

test('no thread begins after disposal, though one waits to type', async () => {
  const id = await plain.create('read -r')
  const typed = plain.terminals.typeInto(id, 'a note', 100)
  plain.terminals.dispose()
  expect((await typed).ok).toBe(false)
  expect(begun.workers).toHaveLength(1)
})

test('when the last thread that is tried has broken, output goes on without screens', async () => {
  const id = await plain.create('read -r; head -c 20000000 /dev/zero | tr "\\0" "x"; echo the end; read -r')
  let length = 0
  let end = ''
  const ended = new Promise<void>((resolve) => {
    plain.terminals.show(id, {
      snapshot: () => undefined,
      delta: (delta) => {
        if (delta.kind !== 'output') return
        length += delta.data.length
        end = (end + delta.data).slice(-100)
        plain.terminals.get(id)?.acknowledge(delta.data.length)
        if (end.includes('the end')) resolve()
      },
    })
  })
  for (let broken = 0; broken < 4; broken++) begun.workers.at(-1)?.emit('error', new Error('broken'))
  expect(begun.workers).toHaveLength(4)
  plain.terminals.write(id, '\r')
  await ended
  expect(length).toBeGreaterThan(20_000_000)
  expect(plain.faults).toHaveLength(4)
  // Who shows it from now on begins with an empty screen.
  const screen = await new Promise<string>((resolve) => {
    plain.terminals.show(id, { snapshot: (image) => resolve(image.screen), delta: () => undefined })
  })
  expect(screen).toBe('')
})
