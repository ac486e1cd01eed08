import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommandLines, parseUnixCommandLines } from './command-lines'

test('a running program tells its folder, start and environment', async (context) => {
  context.skip(process.platform !== 'linux', 'Linux only')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'command lines-')))
  const mark = `mark ${process.pid}`
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => 0, 1e6)', mark], {
    cwd: folder,
    env: { WHERE: 'here=there' },
  })
  try {
    await once(child.stdout, 'data')
    const [found] = await findCommandLines((words) => words.at(-1) === mark)
    expect(found).toMatchObject({ pid: child.pid, parent: process.pid, cwd: folder })
    expect(found?.variables).toMatchObject({ WHERE: 'here=there' })
    const age = Date.now() - (found?.started ?? 0)
    expect(age).toBeGreaterThan(-2_000)
    expect(age).toBeLessThan(120_000)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
})

test('a list of ps is read', () => {
  expect(parseUnixCommandLines('  12     1 /usr/bin/node /x/gemini.js -y\nnonsense\n')).toMatchObject([
    { pid: 12, parent: 1, words: ['/usr/bin/node', '/x/gemini.js', '-y'], cwd: null },
  ])
})

test('where the system does not tell, nothing is found', async () => {
  expect(await findCommandLines(() => true, 'win32')).toEqual([])
})
