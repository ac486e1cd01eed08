import { expect, it } from 'vitest'
import { themeOf } from './theme'

it.each([
  ['system', true, false, 'dark', 'normal'],
  ['system', false, true, 'light', 'more'],
  ['light', true, false, 'light', 'normal'],
  ['dark', false, true, 'dark', 'more'],
  ['high-contrast', true, false, 'dark', 'more'],
  ['high-contrast', false, false, 'light', 'more'],
] as const)('%s on a system with dark=%s, more contrast=%s', (choice, dark, more, scheme, contrast) => {
  expect(themeOf(choice, { dark, more })).toEqual({ scheme, contrast })
})
