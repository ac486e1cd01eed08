import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderTrust } from '../../core/trust/folder-trust'
import { mayStartIn } from './trusted-place'

let base: string
let folder: string
let trust: FolderTrust
const mayStart = (home = '/home/me') => mayStartIn(folder, { mayRun: (path) => trust.mayRun(path), home })

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-place-')))
  folder = join(base, 'above', 'project')
  mkdirSync(folder, { recursive: true })
  trust = new FolderTrust(base)
  await trust.answer(folder, true)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

test('a trusted folder is a place to start in, another one is not', async () => {
  expect(await mayStart()).toMatchObject({ ok: true })
  writeFileSync(join(folder, '.mcp.json'), '{}')
  expect(await mayStart()).toMatchObject({ ok: true })
  await trust.answer(folder, false)
  expect(await mayStart()).toMatchObject({
    failure: { code: 'untrusted', message: expect.stringContaining(folder) },
  })
})

test('servers that a folder above names count as that folder’s', async () => {
  writeFileSync(join(base, 'servers.json'), '{}')
  symlinkSync(join(base, 'servers.json'), join(base, 'above', '.mcp.json'))
  const refused = await mayStart()
  expect(refused).toMatchObject({
    failure: { code: 'untrusted', message: expect.stringContaining(join(base, 'above', '.mcp.json')) },
  })
  await trust.answer(join(base, 'above'), true)
  expect(await mayStart()).toMatchObject({ ok: true })
})

test.each(['skills', 'commands', 'agents'])(
  'so do %s, which could run programs, but for the person’s own',
  async (name) => {
    const path = join(base, 'above', '.claude', name)
    mkdirSync(path, { recursive: true })
    const refused = await mayStart()
    expect(refused).toMatchObject({ failure: { code: 'untrusted', message: expect.stringContaining(path) } })
    const home = join(base, 'home')
    symlinkSync(join(base, 'above'), home)
    expect(await mayStart(home)).toMatchObject({ ok: true })
    await trust.answer(join(base, 'above'), true)
    expect(await mayStart()).toMatchObject({ ok: true })
  },
)
