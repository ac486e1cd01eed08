import { expect, it } from 'vitest'
import { plainName } from './plain-name'

it.each([
  ['usual name.txt', 'usual name.txt'],
  ['ملف عربي.txt', 'ملف عربي.txt'],
  ['two\nlines', 'two\\nlines'],
  ['\u202efdp.exe', '\\u202efdp.exe'],
  ['bell\u0007', 'bell\\u0007'],
  ['日本語 🙂', '日本語 🙂'],
])('shows %j as %j', (name, shown) => {
  expect(plainName(name)).toBe(shown)
})
