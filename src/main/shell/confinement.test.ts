import { expect, test } from 'vitest'
import { isWebAddress } from './confinement'

test.each([
  ['https://example.com/a?b#c', true],
  ['http://127.0.0.1:8080/', true],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['vscode://file/x', false],
  ['smb://server/share', false],
  ['https://user:pass@example.com/', false],
  ['not an address', false],
])('%s may be opened outside: %s', (url, allowed) => {
  expect(isWebAddress(url)).toBe(allowed)
})
