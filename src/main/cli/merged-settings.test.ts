import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../shared/json'
import { mergedSettings, writeMergedSettings } from './merged-settings'

const entries = fc.array(fc.record({ matcher: fc.constantFrom('Edit', 'Write', 'Bash') }), { maxLength: 3 })
const settings: fc.Arbitrary<Json> = fc.record(
  {
    disableAllHooks: fc.boolean(),
    model: fc.string(),
    hooks: fc.dictionary(fc.constantFrom('PreToolUse', 'Stop', 'SessionEnd'), entries),
    allowedHttpHookUrls: fc.array(fc.webUrl(), { maxLength: 3 }),
    httpHookAllowedEnvVars: fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const hooksOf = (value: Json) => Object.entries((value['hooks'] ?? {}) as Record<string, unknown[]>)

describe('merged settings', () => {
  it('keep every member of the person’s, and the hooks of both, theirs first', () => {
    fc.assert(
      fc.property(settings, settings, (ours, theirs) => {
        const merged = mergedSettings(ours, theirs)
        const hooks = Object.fromEntries(hooksOf(merged))
        for (const [name, value] of Object.entries(theirs)) {
          if (Array.isArray(value)) expect((merged[name] as unknown[]).slice(0, value.length)).toEqual(value)
          else if (name !== 'hooks') expect(merged[name]).toEqual(value)
        }
        for (const [event, list] of hooksOf(theirs)) expect(hooks[event]?.slice(0, list.length)).toEqual(list)
        for (const [event, list] of hooksOf(ours)) expect(hooks[event]).toEqual(expect.arrayContaining(list))
      }),
    )
  })

  it('are the same when ours are merged again, and theirs when there are none of ours', () => {
    fc.assert(
      fc.property(settings, settings, (ours, theirs) => {
        const once = mergedSettings(ours, theirs)
        expect(mergedSettings(ours, once)).toEqual(once)
        expect(mergedSettings({}, theirs)).toEqual(theirs)
      }),
    )
  })

  it('leave no hook of the person out by a list that only ours have', () => {
    const ours = { allowedHttpHookUrls: ['http://127.0.0.1:1/hook'] }
    expect(mergedSettings(ours, {})).toEqual({})
    expect(mergedSettings(ours, { allowedHttpHookUrls: ['https://a.example'] })).toEqual({
      allowedHttpHookUrls: ['https://a.example', 'http://127.0.0.1:1/hook'],
    })
  })

  it('take the person’s word for this start on hooks switched off', () => {
    expect(mergedSettings({ disableAllHooks: false }, { disableAllHooks: true })).toEqual({
      disableAllHooks: true,
    })
  })
})

describe('the file of merged settings', () => {
  let base: string
  let ours: string
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'greenlight-merged-'))
    ours = join(base, 'settings.json')
    writeFileSync(ours, '{"disableAllHooks":false}')
  })
  afterEach(() => rmSync(base, { recursive: true }))

  const write = (theirs: string, pid = process.pid) => writeMergedSettings({ ours, theirs, pid }, base)

  it('has what stands in a file or behind the option, and is the owner’s alone', async () => {
    writeFileSync(join(base, 'theirs.json'), '{"model":"a"}')
    for (const theirs of ['theirs.json', join(base, 'theirs.json'), ' {"model":"a"}']) {
      const path = await write(theirs)
      expect(JSON.parse(readFileSync(path ?? '', 'utf8'))).toEqual({ disableAllHooks: false, model: 'a' })
      expect(statSync(path ?? '').mode & 0o777).toBe(0o600)
    }
  })

  it('is none where theirs can’t be read', async () => {
    for (const theirs of ['', 'missing.json', '{', '[]', '.', '{"a":1 // no\n}'])
      expect(await write(theirs)).toBeNull()
  })

  it('goes once its process has ended', async () => {
    const gone = (await write('{}', 4_194_304 + 1)) ?? ''
    expect(existsSync(gone)).toBe(true)
    const path = (await write('{}')) ?? ''
    expect(existsSync(gone)).toBe(false)
    await write('{}', process.ppid)
    expect(existsSync(path)).toBe(true)
  })
})
