import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { areOneTree } from './process-trees'

const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.stdin?.end()
    await once(child, 'exit')
  }
})

/** A program that runs until its input ends. */
async function start(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("ready")'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

const from = (pid?: number) => ({
  dialect: 'claude-ide' as const,
  connection: 'c',
  agent: 'Claude',
  call: '1',
  ...(pid === undefined ? {} : { pid }),
})

it('is one process, or one that was started by the other', async () => {
  const child = await start()
  expect(await areOneTree(from(child), from(child))).toBe(true)
  expect(await areOneTree(from(process.pid), from(child))).toBe(true)
  expect(await areOneTree(from(child), from(process.pid))).toBe(true)
})

it('is not two programs of one parent, nor what nobody knows', async () => {
  const [one, other] = [await start(), await start()]
  expect(await areOneTree(from(one), from(other))).toBe(false)
  expect(await areOneTree(from(one), from())).toBe(false)
  expect(await areOneTree(from(), from())).toBe(false)
})
