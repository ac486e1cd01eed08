import { expect, test } from 'vitest'
import { type NotInForceFacts, describeNotInForce } from './not-in-force'

const nothing: NotInForceFacts = {
  ...{ refusal: null, isOffByPolicy: false, off: null, start: null, hasVariables: null, version: null },
}
const describe = (facts: Partial<NotInForceFacts>) => describeNotInForce({ ...nothing, ...facts })
const started = (words: string[], variables: Record<string, string> | null = null) =>
  describe({ start: { words, variables }, hasVariables: true, version: '2.1.330' })

test('says why, as far as it is known, and what to do', () => {
  expect(describe({ refusal: 'No token.' })).toBe('No token.')
  expect(describe({ isOffByPolicy: true })).toContain('policy')
  const file = '~/.claude/settings.json'
  const off = describe({ off: { file, isOverridden: false } })
  expect(off).toContain(`off in ${file}`)
  expect(off).toContain('in Connections')
  expect(describe({ off: { file, isOverridden: true } })).toMatch(/reviewed\. Restart it\.$/)
  expect(describe({ hasVariables: false })).toContain('greenlight claude')
  expect(describe({})).toContain('/hooks')
})

test('knows the options and variables that leave hooks out', () => {
  expect(started(['claude', '--bare'])).toContain('--bare')
  expect(started(['claude', '--safe-mode'])).toContain('--safe-mode')
  expect(started(['claude'], { CLAUDE_CODE_SIMPLE: '1' })).toContain('CLAUDE_CODE_SIMPLE')
  for (const value of ['', '0', 'false']) {
    expect(started(['claude'], { CLAUDE_CODE_SAFE_MODE: value })).toContain('/hooks')
  }
})

test('a version is called old only if it is older than the oldest that was measured', () => {
  const old = (version: string) => describe({ version }).includes('too old')
  expect(['2.1.39', '2.0.400', '1.9.999', '2.1.329'].map(old)).toEqual([true, true, true, true])
  expect(['2.1.330', '2.1.331', '2.2.0', '3.0.0', 'unknown'].map(old)).toEqual(Array(5).fill(false))
})

test('what is certain comes before what only may be', () => {
  const start = { words: ['claude', '--bare'], variables: null }
  expect(describe({ start, hasVariables: false, version: '2.1.39' })).toContain('--bare')
  expect(
    describe({ off: { file: 'x', isOverridden: false }, hasVariables: false, version: '2.1.39' }),
  ).toContain('switched off in x')
  expect(describe({ hasVariables: false, version: '2.1.39' })).toContain('without Greenlight’s hooks')
  expect(describe({ hasVariables: true, version: '2.1.39' })).toContain('2.1.39')
})
