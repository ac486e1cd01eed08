import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { enableGeminiIde, enableIn, geminiSettingsPath, readGeminiIdeSettings } from './gemini-settings'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gemini-settings-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(text: string): void {
  mkdirSync(join(home, '.gemini'), { recursive: true })
  writeFileSync(geminiSettingsPath(home), text)
}
const read = () => readFileSync(geminiSettingsPath(home), 'utf8')

test('without a file it is off, and switching on makes one', async () => {
  expect(await readGeminiIdeSettings(home)).toMatchObject({ ok: true, value: { enabled: null } })
  expect((await enableGeminiIde(home)).ok).toBe(true)
  expect(JSON.parse(read())).toEqual({ ide: { enabled: true, hasSeenNudge: true } })
  expect(await readGeminiIdeSettings(home)).toMatchObject({ value: { enabled: true } })
})

test('comments, order, line ends and unknown keys stay', async () => {
  write(
    '\ufeff{\r\n    // mine\r\n    "theme": "dark", /* yes */\r\n    "ide": { "other": 1, "enabled": false },\r\n}\r\n',
  )
  expect((await enableGeminiIde(home)).ok).toBe(true)
  const text = read()
  expect(text.startsWith('\ufeff{\r\n    // mine\r\n    "theme": "dark", /* yes */\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  expect(parse(text.slice(1), [], { allowTrailingComma: true })).toEqual({
    theme: 'dark',
    ide: { other: 1, enabled: true, hasSeenNudge: true },
  })
})

test('a file that is no JSON is left alone, with a sentence', async () => {
  for (const text of ['{ "ide": ', '[1]', 'hello']) {
    write(text)
    expect(await readGeminiIdeSettings(home)).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(await enableGeminiIde(home)).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(read()).toBe(text)
  }
})

test('whatever else stands in the settings stays what it was', () => {
  const settings = fc.dictionary(
    fc.string().filter((key) => key !== 'ide' && key !== '__proto__'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(settings, fc.constantFrom(0, 2, 4, '\t'), (value, indent) => {
      const before = JSON.parse(JSON.stringify(value)) as object
      // Without comments it is plain JSON, which keeps every name, __proto__ too.
      expect(JSON.parse(enableIn(JSON.stringify(value, null, indent)))).toEqual({
        ...before,
        ide: { enabled: true, hasSeenNudge: true },
      })
    }),
  )
})
