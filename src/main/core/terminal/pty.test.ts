import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endProcessTree } from '../platform/process-tree'
import { Pty } from './pty'
import { PtyWriter } from './pty-writer'

let folder: string
const running: Pty[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pty-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((pty) => endProcessTree(pty.pid, 500)))
  rmSync(folder, { recursive: true, force: true })
})

function start(script: string, env: Record<string, string> = {}) {
  const pty = new Pty({
    program: '/bin/bash',
    args: ['--norc', '--noprofile', '-c', script],
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...env },
    columns: 80,
    rows: 24,
  })
  running.push(pty)
  let output = ''
  const watchers = new Set<() => void>()
  pty.onOutput((text) => {
    output += text
    for (const watcher of watchers) watcher()
  })
  const end = new Promise<{ code: number; signal: number | null }>((resolve) => pty.onEnd(resolve))
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const watcher = () => {
        if (condition()) {
          watchers.delete(watcher)
          resolve()
        }
      }
      watchers.add(watcher)
      watcher()
    })
  return { pty, end, until, output: () => output }
}

test('a program runs with its folder, its environment and its size, and its code is told after its output', async () => {
  const { end, output } = start('pwd; echo "$MARK"; stty size; exit 3', { MARK: 'grün' })
  expect(await end).toEqual({ code: 3, signal: null })
  expect(output()).toBe(`${folder}\r\ngrün\r\n24 80\r\n`)
})

test('a signal that ends a program is told', async () => {
  expect(await start('kill -TERM $$').end).toEqual({ code: 0, signal: 15 })
})

test('a program that cannot be started ends with a code', async () => {
  const pty = new Pty({ program: '/gone', args: [], cwd: folder, env: {}, columns: 80, rows: 24 })
  running.push(pty)
  const { code } = await new Promise<{ code: number }>((resolve) => pty.onEnd(resolve))
  expect(code).not.toBe(0)
})

test('the size changes while the program runs', async () => {
  const { pty, until, output } = start('trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done')
  await until(() => output().includes('ready'))
  pty.resize(100, 30)
  await until(() => output().includes('30 100'))
})

test('characters of several bytes are whole, however the program writes them', async () => {
  const text = '漢字 👨‍👩‍👧 é '.repeat(3000)
  writeFileSync(join(folder, 'text'), text)
  // One byte per write.
  const { end, output } = start('stty -opost; dd if=text bs=1 status=none')
  await end
  expect(output()).toBe(text)
})

test('the last output of a program comes even when reading was paused at its end', async () => {
  const { pty, end, until, output } = start('stty -opost; echo ready; read -r; seq 1 2000; exit 5')
  await until(() => output().includes('ready'))
  pty.pause()
  pty.write('\r')
  // Paused, so that nothing but the program's end makes it read on.
  expect(await end).toEqual({ code: 5, signal: null })
  const numbers = output().split('\n').slice(-2001)
  expect(numbers.at(-2)).toBe('2000')
  expect(numbers).toHaveLength(2001)
})

test('a paused program waits with its output, and nothing of it is lost', async () => {
  const { pty, end, until, output } = start('stty -opost; echo ready; seq 1 300000')
  await until(() => output().length > 0)
  pty.pause()
  await new Promise((resolve) => setImmediate(resolve))
  const held = output().length
  await new Promise((resolve) => setImmediate(resolve))
  expect(output().length).toBe(held)
  pty.resume()
  await end
  const whole = `ready\n${Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join('')}`
  expect(output()).toHaveLength(whole.length)
  expect(output() === whole).toBe(true)
})

test('a large paste arrives whole, also in a program that reads late, and never blocks', async () => {
  const { pty, end, until, output } = start('stty raw -echo; echo ready; read -r -N 1; head -c 400000 > got')
  await until(() => output().includes('ready'))
  const text = Array.from({ length: 50_000 }, (_, index) => `${index % 10}bcdefg\n`).join('')
  const begin = performance.now()
  pty.write(text)
  expect(performance.now() - begin).toBeLessThan(1000)
  pty.write('x')
  await end
  const got = readFileSync(join(folder, 'got'), 'utf8')
  expect(got).toHaveLength(400_000)
  expect(got).toBe(`${text}x`.slice(1))
})

test('a program that never reads does not hold the host', async () => {
  const { pty, until, output } = start('stty raw -echo; echo ready; sleep 1000')
  await until(() => output().includes('ready'))
  pty.write('x'.repeat(1_000_000))
  // The loop still turns.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
})

test('the writer keeps the order over a full descriptor, and stops with it', async () => {
  const taken: number[] = []
  let room = 3
  const writer = new PtyWriter((bytes) => {
    const count = Math.min(room, bytes.length)
    room -= count
    taken.push(...bytes.subarray(0, count))
    return count
  })
  const text = () => Buffer.from(taken).toString('utf8')
  writer.write('añ')
  writer.write('b')
  writer.write('c')
  expect(text()).toBe('añ')
  room = 100
  while (text() !== 'añbc') await new Promise((resolve) => setImmediate(resolve))
  writer.dispose()
  writer.write('d')
  expect(text()).toBe('añbc')
})
