import { expect, test } from 'vitest'
import { settings, settingsCalls } from '../contract/settings'
import { declarations, defaultSettings, settingGroups, settingNames } from './all-settings'
import type { Setting } from './setting'

test('every default is a value that its own schema takes', () => {
  expect(settings.parse({})).toEqual(defaultSettings)
  expect(settings.safeParse(defaultSettings).success).toBe(true)
})

test('a change of one setting says nothing of the others', () => {
  expect(settingsCalls['settings.set'].params.parse({ theme: 'dark' })).toEqual({ theme: 'dark' })
})

test('every setting has words for the form: a title, and one sentence that ends with a full stop', () => {
  for (const name of settingNames) {
    const declared: Setting = declarations[name]
    expect(declared.title, name).toMatch(/^\S.*[^.]$/)
    expect(declared.sentence, name).toMatch(/^\S.*\.$/)
  }
  const grouped = settingGroups.flatMap(({ settings: inGroup }) => Object.keys(inGroup))
  expect(grouped).toEqual(settingNames)
})

test('values outside of what is declared are refused', () => {
  const refused = (value: unknown) => !settings.safeParse(value).success
  expect(refused({ theme: 'pink' })).toBe(true)
  expect(refused({ editorFontSize: 7 })).toBe(true)
  expect(refused({ editorFontSize: 12.5 })).toBe(true)
  expect(refused({ reviewWrap: 'yes' })).toBe(true)
  expect(refused({ contextNeverShared: [''] })).toBe(true)
  expect(refused({ keys: { 'view.files': 'Mod+E' } })).toBe(true)
})
