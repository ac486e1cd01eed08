import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isEditAsking } from './asking-tool'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-asking-'))
  await mkdir(join(folder, 'sessions'))
  await writeFile(
    join(folder, 'sessions', '42.json'),
    JSON.stringify({ sessionId: 'abc-1', cwd: '/my/pro ject' }),
  )
  await mkdir(join(folder, 'projects', '-my-pro-ject'), { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const asks = (id: string, name: string, path: string) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input: { file_path: path } }] },
})
const result = (id: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
})
const write = (lines: readonly unknown[]) =>
  writeFile(
    join(folder, 'projects', '-my-pro-ject', 'abc-1.jsonl'),
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)) + '\n').join(''),
  )
const ask = (path = '/a', pid: number | undefined = 42) =>
  isEditAsking([join(folder, 'none'), folder], pid, path)

it('knows Edit by its call that has no result yet', async () => {
  await write([
    asks('1', 'Write', '/a'),
    result('1'),
    'no json tool_use',
    asks('2', 'Edit', '/a'),
    { type: 'mode' },
  ])
  expect(await ask()).toBe(true)
  expect(await ask('/b')).toBe(false)
})

it('is not sure of Write, of both, or of a call that is over', async () => {
  await write([asks('1', 'Write', '/a')])
  expect(await ask()).toBe(false)
  await write([asks('1', 'Edit', '/a'), asks('2', 'Write', '/a')])
  expect(await ask()).toBe(false)
  await write([asks('1', 'Edit', '/a'), result('1')])
  expect(await ask()).toBe(false)
})

it('looks at the end of a long file only', async () => {
  await write([asks('1', 'Write', '/a'), 'x'.repeat(600_000), asks('2', 'Edit', '/a')])
  expect(await ask()).toBe(true)
})

it('is not sure where the files are not as it knows them', async () => {
  expect(await ask()).toBe(false)
  expect(await ask('/a', undefined)).toBe(false)
  expect(await ask('/a', 43)).toBe(false)
  await writeFile(
    join(folder, 'sessions', '42.json'),
    JSON.stringify({ sessionId: '../x', cwd: '/my/pro ject' }),
  )
  expect(await ask()).toBe(false)
  await writeFile(join(folder, 'sessions', '42.json'), 'null')
  expect(await ask()).toBe(false)
})
