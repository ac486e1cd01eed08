import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findHooksOff, isOffByPolicy, settingsFiles, shortName } from './hooks-off'

let base: string
let files: string[]
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-hooks-off-'))
  files = settingsFiles(join(base, 'project'), join(base, 'config'))
  for (const file of files) mkdirSync(dirname(file), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true }))

const [local, project, person] = [0, 1, 2]
const write = (which: number, content: unknown) =>
  writeFileSync(files[which] ?? '', typeof content === 'string' ? content : JSON.stringify(content))
const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{}, {}] }], Stop: [{ hooks: [{}] }] }

test('hooks are off if the settings that count most say so', async () => {
  expect(await findHooksOff(files)).toBeNull()
  write(person, { disableAllHooks: true, hooks })
  write(project, { hooks: { Stop: [{ hooks: [{}] }] } })
  expect(await findHooksOff(files)).toEqual({
    file: files[person],
    own: [
      { file: files[project], count: 1 },
      { file: files[person], count: 3 },
    ],
  })
  write(local, { disableAllHooks: false })
  expect(await findHooksOff(files)).toBeNull()
  write(local, { disableAllHooks: true, hooks: 'broken' })
  expect((await findHooksOff(files))?.file).toBe(files[local])
})

test('settings that can’t be read say nothing', async () => {
  write(person, '{"disableAllHooks": true')
  write(project, { disableAllHooks: 'yes' })
  expect(await findHooksOff(files)).toBeNull()
})

test('an organisation may keep hooks out in three ways', async () => {
  const manage = (name: string, settings: object) => writeFileSync(join(base, name), JSON.stringify(settings))
  expect(await isOffByPolicy(base)).toBe(false)
  for (const member of ['disableAllHooks', 'allowManagedHooksOnly', 'disableSideloadFlags']) {
    const settings = { [member]: true }
    manage('managed-settings.json', settings)
    expect(await isOffByPolicy(base)).toBe(true)
  }
  manage('managed-settings.json', {})
  expect(await isOffByPolicy(base)).toBe(false)
  mkdirSync(join(base, 'managed-settings.d'))
  manage('managed-settings.d/10.json', { disableAllHooks: true })
  manage('managed-settings.d/.20.json', { disableAllHooks: false })
  manage('managed-settings.d/30.json', { allowManagedHooksOnly: false })
  expect(await isOffByPolicy(base)).toBe(true)
  manage('managed-settings.d/40.json', { disableAllHooks: false })
  expect(await isOffByPolicy(base)).toBe(false)
})

test('files below home are named from there', () => {
  expect(shortName('/home/ada/.claude/settings.json', '/home/ada')).toBe('~/.claude/settings.json')
  expect(shortName('/home/adam/x', '/home/ada')).toBe('/home/adam/x')
})
