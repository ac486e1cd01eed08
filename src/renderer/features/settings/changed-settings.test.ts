import { expect, it } from 'vitest'
import { declarations, settingNames } from '../../../shared/settings/all-settings'
import { differs } from './changed-settings'

it('takes a value of the person’s for changed only where it is not the default', () => {
  const defaults = Object.fromEntries(settingNames.map((name) => [name, declarations[name].default]))
  const set: Record<string, unknown> = structuredClone(defaults)
  for (const name of settingNames) expect(differs(name, set, 'person'), name).toBe(false)
  expect(differs('theme', { ...set, theme: 'dark' }, 'person')).toBe(true)
  expect(differs('theme', {}, 'person')).toBe(false)
})

it('takes whatever a folder sets for its own', () => {
  expect(differs('theme', { theme: declarations.theme.default }, 'folder')).toBe(true)
  expect(differs('theme', {}, 'folder')).toBe(false)
})
