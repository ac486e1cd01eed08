import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withPrivateConfig } from './private-config'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-private-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a configuration goes into a file of the person’s own; what a killed app left is removed with the next', async () => {
  const config = '{"mcpServers":{}}'
  const one = await withPrivateConfig(folder, { mcpConfig: config })
  const path = String(one.ok && one.value.values['mcpConfig'])
  expect(await readFile(path, 'utf8')).toBe(config)
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
  const kept = join(folder, 'mcp-configurations')
  await writeFile(join(kept, '1-left.json'), config)
  const two = await withPrivateConfig(folder, { mcpConfig: config })
  expect((await readdir(kept)).length).toBe(2)
  for (const made of [one, two]) if (made.ok) made.value.remove()
  expect(await readdir(kept)).toEqual([])
})

test('a path of a configuration stays one', async () => {
  const given = await withPrivateConfig(folder, { mcpConfig: '/p/mcp.json' })
  expect(given).toMatchObject({ ok: true, value: { values: { mcpConfig: '/p/mcp.json' } } })
})
