import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type GateFacts, decideGate } from './gate-decision'

const facts = (given: Partial<GateFacts> = {}): GateFacts => ({
  ...{ policy: 'every', rule: null, asksItself: true },
  ...{ isPlanFile: false, isPlanning: false, isUnderstood: true },
  ...given,
})
const rule = (answer: 'write' | 'ask' | 'never') => ({ pattern: 'src/**', answer })
const anyFacts = fc.record({
  policy: fc.constantFrom('every' as const, 'mode' as const),
  rule: fc.constantFrom(null, rule('write'), rule('ask'), rule('never')),
  asksItself: fc.boolean(),
  isPlanning: fc.boolean(),
  isPlanFile: fc.boolean(),
  isUnderstood: fc.boolean(),
})

describe('the decision', () => {
  test.each<[string, Partial<GateFacts>, string]>([
    ['a call that hides its file', { isUnderstood: false, rule: rule('write'), policy: 'mode' }, 'deny'],
    ['a plan’s own file', { isPlanFile: true, rule: rule('never') }, 'leave'],
    ['a file that may not be changed', { rule: rule('never'), policy: 'mode' }, 'deny'],
    ['a file that may not be changed, while planning', { rule: rule('never'), isPlanning: true }, 'deny'],
    ['what the mode decides', { policy: 'mode' }, 'leave'],
    ['what the mode decides, where nothing else asks', { policy: 'mode', asksItself: false }, 'leave'],
    ['a rule that asks, where else the mode decides', { policy: 'mode', rule: rule('ask') }, 'ask'],
    [
      'a rule that lets through, where else the mode decides',
      { policy: 'mode', rule: rule('write') },
      'allow',
    ],
    ['a change while planning', { isPlanning: true }, 'ask'],
    ['a change while planning, where nothing else asks', { isPlanning: true, asksItself: false }, 'ask'],
    ['a rule that lets through, while planning', { isPlanning: true, rule: rule('write') }, 'ask'],
    ['a rule that lets through', { rule: rule('write'), asksItself: false }, 'allow'],
    ['a change that nothing else asks about', { asksItself: false }, 'review'],
    [
      'a rule that asks, where nothing else asks',
      { asksItself: false, rule: rule('ask'), policy: 'mode' },
      'review',
    ],
    ['a change that the agent asks about itself', {}, 'ask'],
    ['a change that it asks about itself, with a rule that asks', { rule: rule('ask') }, 'ask'],
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

  test('has only those ask who do so themselves, but while they plan: an agent without a terminal is refused', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        if (decideGate(given).kind !== 'ask') return
        expect(given.asksItself || given.isPlanning).toBe(true)
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
