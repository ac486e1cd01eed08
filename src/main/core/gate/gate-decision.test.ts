import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editTools } from '../claude-tools/edit-tools'
import { type GateFacts, decideGate, linkOf } from './gate'

const facts = (given: Partial<GateFacts> = {}): GateFacts => ({
  ...{ tool: 'Write', mode: 'acceptEdits', policy: 'every', rule: null, link: 'linked' },
  ...{ isPlanFile: false, isUnderstood: true },
  ...given,
})
const rule = (answer: 'write' | 'ask' | 'never') => ({ pattern: 'src/**', answer })
const modes = ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'auto', 'dontAsk', undefined]
const anyFacts = fc.record({
  tool: fc.constantFrom(...editTools),
  mode: fc.constantFrom(...modes),
  policy: fc.constantFrom('every' as const, 'mode' as const),
  rule: fc.constantFrom(null, rule('write'), rule('ask'), rule('never')),
  link: fc.constantFrom('linked' as const, 'unlinked' as const, 'unknown' as const),
  isPlanFile: fc.boolean(),
  isUnderstood: fc.boolean(),
})

describe('the decision', () => {
  test.each<[string, Partial<GateFacts>, string]>([
    ['a call that hides its file', { isUnderstood: false, rule: rule('write'), policy: 'mode' }, 'deny'],
    ['a plan’s own file', { isPlanFile: true, rule: rule('never') }, 'leave'],
    ['a file that may not be changed', { rule: rule('never'), policy: 'mode' }, 'deny'],
    ['a file that may not be changed, while planning', { rule: rule('never'), mode: 'plan' }, 'deny'],
    ['what the mode decides', { policy: 'mode' }, 'leave'],
    ['what the mode decides, without a link', { policy: 'mode', link: 'unlinked' }, 'leave'],
    ['a rule that asks, where else the mode decides', { policy: 'mode', rule: rule('ask') }, 'ask'],
    [
      'a rule that lets through, where else the mode decides',
      { policy: 'mode', rule: rule('write') },
      'allow',
    ],
    ['a change while planning', { mode: 'plan' }, 'ask'],
    ['a change while planning, without a link', { mode: 'plan', link: 'unlinked' }, 'ask'],
    ['a rule that lets through, while planning', { mode: 'plan', rule: rule('write') }, 'ask'],
    ['a rule that lets through', { rule: rule('write'), link: 'unknown' }, 'allow'],
    ['a notebook', { tool: 'NotebookEdit' }, 'review'],
    ['several edits at once', { tool: 'MultiEdit' }, 'review'],
    ['a session without a link', { link: 'unlinked' }, 'review'],
    ['a session that isn’t known', { link: 'unknown', rule: rule('ask') }, 'review'],
    ['a linked session', {}, 'ask'],
    ['a linked session with a rule that asks', { rule: rule('ask') }, 'ask'],
  ])('on %s', (_name, given, kind) => {
    expect(decideGate(facts(given)).kind).toBe(kind)
  })

  test('never lets anything be written that no rule and no mode lets through', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const asked = { ...given, policy: 'every' as const, rule: null, isPlanFile: false }
        expect(['ask', 'review', 'deny']).toContain(decideGate(asked).kind)
      }),
    )
  })

  test('asks no session without a link, but while it plans: outside of a terminal that refuses', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        if (decideGate(given).kind !== 'ask') return
        expect(given.link === 'linked' || given.mode === 'plan').toBe(true)
      }),
    )
  })

  test('lets through by a rule only what that rule lets through', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decided = decideGate(given)
        if (decided.kind === 'allow') expect(given.rule).toEqual(rule('write'))
        if (decided.kind === 'deny' && given.isUnderstood) expect(given.rule).toEqual(rule('never'))
      }),
    )
  })
})

test('a session is linked only if each of its processes holds a connection', () => {
  expect(linkOf([], new Set([1]))).toBe('unknown')
  expect(linkOf([1, 2], new Set([1, 2, 3]))).toBe('linked')
  expect(linkOf([1, 2], new Set([1]))).toBe('unlinked')
})
