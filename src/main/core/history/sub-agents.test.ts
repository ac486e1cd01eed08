import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileWatcher } from '../files/watcher'
import { SubAgentFiles } from './sub-agent-files'
import { SubAgents } from './sub-agents'

test('sub-agents are found as they come, with the calls that started them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-agents-'))
  const watcher = new FileWatcher({ interval: 20 })
  const agents = new SubAgents({ id: 'session', path: join(folder, 'session.jsonl') }, watcher)
  await agents.start()
  expect(agents.all).toEqual([])
  const inner = join(folder, 'session', 'subagents')
  await mkdir(inner, { recursive: true })
  await writeFile(
    join(inner, 'agent-a1.meta.json'),
    '{"toolUseId":"t1","description":"Looks","agentType":"general"}',
  )
  await writeFile(join(inner, 'agent-a1.jsonl'), '')
  const path = join(inner, 'agent-a1.jsonl')
  const wanted = { id: 'a1', path, call: 't1', description: 'Looks', kind: 'general' }
  await expect.poll(() => agents.all, { timeout: 10_000, interval: 10 }).toEqual([wanted])
  await writeFile(join(inner, 'agent-b2.meta.json'), 'no json')
  await writeFile(join(inner, 'agent-b2.jsonl'), '')
  await expect
    .poll(() => agents.all.map(({ id, call }) => [id, call]), { timeout: 10_000, interval: 10 })
    .toEqual([
      ['a1', 't1'],
      ['b2', null],
    ])
  await writeFile(join(folder, 'agent-old.jsonl'), '')
  const files = new SubAgentFiles({ id: 'session', path: join(folder, 'session.jsonl') })
  expect(await files.pathOf('old')).toBe(join(folder, 'agent-old.jsonl'))
  expect(await files.pathOf('a1')).toBe(path)
  expect(await files.pathOf('../a1')).toBeNull()
  expect(await files.pathOf('c3')).toBeNull()
  agents.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true })
})
