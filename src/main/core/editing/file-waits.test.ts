import { expect, test } from 'vitest'
import { FileWaits } from './file-waits'

/** Waits, and which paths are open. */
function begin() {
  const waits = new FileWaits()
  const open = new Set<string>()
  const close = (path: string) => {
    open.delete(path)
    waits.follow((one) => open.has(one))
  }
  const add = (...paths: string[]) => {
    for (const path of paths) open.add(path)
    const ended: unknown[] = []
    const wait = waits.add(paths)
    void wait.ended.then((done) => ended.push(done.ok ? 'closed' : done.failure.code))
    return { ...wait, ended: async () => (await Promise.resolve(), ended) }
  }
  return { waits, close, add }
}

test('it ends when the last of its files is closed', async () => {
  const { waits, close, add } = begin()
  const wait = add('/a', '/b')
  close('/a')
  expect(await wait.ended()).toEqual([])
  expect([waits.has('/a'), waits.has('/b')]).toEqual([false, true])
  close('/b')
  expect(await wait.ended()).toEqual(['closed'])
  expect(waits.has('/b')).toBe(false)
})

test('two commands may wait for one file, and one may go away', async () => {
  const { waits, close, add } = begin()
  const first = add('/a')
  const second = add('/a')
  first.dispose()
  expect(await first.ended()).toEqual(['gone'])
  expect(waits.has('/a')).toBe(true)
  close('/a')
  expect(await second.ended()).toEqual(['closed'])
})

test('the end of the window is none of the person’s closing', async () => {
  const { waits, add } = begin()
  const wait = add('/a')
  waits.dispose()
  expect(await wait.ended()).toEqual(['window-gone'])
})

test('a command that comes as its window closes does not wait for ever', async () => {
  const { waits, add } = begin()
  waits.dispose()
  expect(await add('/a').ended()).toEqual(['window-gone'])
  expect(waits.has('/a')).toBe(false)
})

test('each change is told once', () => {
  const { waits, close, add } = begin()
  let told = 0
  waits.onChange(() => told++)
  const wait = add('/a', '/b')
  expect(told).toBe(1)
  close('/c')
  expect(told).toBe(1)
  close('/a')
  expect(told).toBe(2)
  wait.dispose()
  wait.dispose()
  expect(told).toBe(3)
})

test('it goes on for a file that has got another path', async () => {
  const { waits, close, add } = begin()
  const wait = add('/a')
  add('/b').dispose()
  waits.rename('/a', '/b')
  close('/a')
  expect(await wait.ended()).toEqual([])
  expect([waits.has('/a'), waits.has('/b')]).toEqual([false, true])
  close('/b')
  expect(await wait.ended()).toEqual(['closed'])
})
