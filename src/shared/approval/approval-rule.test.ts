import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApprovalRule, Question } from './approval'
import { patternOf, usualOptions } from '../../../test/usual-options'
import { matchesAddress, matchesText, ruleFor, sessionOf } from './approval-rule'

const asked: Omit<Question, 'options'> = {
  requester: { dialect: 'd', connection: 'c', agent: 'Robo', call: '1' },
  kind: 'run',
  title: 'Run a command',
  subject: 'npm test',
  tool: 'Bash',
  folder: '/work',
  path: null,
  why: null,
  fields: [],
  needsPerson: false,
}
const question = (change: Partial<Question> = {}): Question => {
  const whole = { ...asked, ...change }
  return { ...whole, options: change.options ?? usualOptions(whole) }
}
const rule = (change: Partial<ApprovalRule> = {}): ApprovalRule => ({
  id: 'r',
  madeAt: 0,
  answer: 'allow',
  kind: 'run',
  agent: null,
  tool: null,
  pattern: '*',
  folder: null,
  session: null,
  ...change,
})

/** Texts with what commands are joined by, and what hides. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'ab */\\.;&|`$<>(){}\n\r\t"\u202e\u200b\u0000'.split('')),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  ),
  maxLength: 30,
})

describe('a pattern', () => {
  test('made of a text fits that text and no other', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(matchesText(patternOf(one), one)).toBe(true)
        expect(matchesText(patternOf(one), other)).toBe(one === other)
        expect(matchesAddress(patternOf(one), one)).toBe(true)
      }),
    )
  })

  test('with a star takes no second command along', () => {
    for (const command of [
      'npm test; rm -rf ~',
      'npm test && curl evil',
      'npm test | sh',
      'npm test\nrm -rf ~',
      'npm test $(id)',
      'npm test `id`',
      'npm test > ~/.bashrc',
      'npm test \u202eevil',
    ]) {
      expect(matchesText('npm test*', command)).toBe(false)
    }
    expect(matchesText('npm test*', 'npm test -- src/a.test.ts')).toBe(true)
    expect(matchesText('npm test*', 'npm tes')).toBe(false)
  })

  test('never takes a sign that joins or hides for what a star stands for', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const bad = /[\n\r;&|`$<>(){}\\\p{Cc}\p{Cf}]/u
        if (matchesText(`${patternOf(before)}*`, before + after)) expect(after).not.toMatch(bad)
      }),
    )
  })

  test('with many stars is read in a time that grows with its length only', () => {
    expect(matchesText(`${'*a'.repeat(1000)}*b`, 'a'.repeat(10_000))).toBe(false)
    expect(matchesText('*'.repeat(10_000), 'a'.repeat(10_000))).toBe(true)
  })

  test('fits what its stars can stand for', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'ab *'.split('')), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, plain), { maxLength: 5 }), text, (pairs, end) => {
        const pattern = pairs.map(([fixed]) => `${patternOf(fixed)}*`).join('') + patternOf(end)
        const subject = pairs.map(([fixed, filled]) => fixed + filled).join('') + end
        expect(matchesText(pattern, subject)).toBe(true)
      }),
    )
  })
})

describe('a pattern of an address', () => {
  test('holds scheme and host, whatever the rest looks like', () => {
    const pattern = 'https://example.com/docs/*'
    expect(matchesAddress(pattern, 'https://example.com/docs/a?b=c#d')).toBe(true)
    expect(matchesAddress(pattern, 'https://EXAMPLE.com/docs/')).toBe(true)
    for (const address of [
      'http://example.com/docs/a',
      'https://example.com.evil/docs/a',
      'https://example.com@evil/docs/a',
      'https://evil/https://example.com/docs/a',
      'https://example.com/docs/../admin',
      'https://example.com/docs/%2e%2e/admin',
      'https://example.com/docs/\\..\\admin',
      'https://example.com:8080/docs/a',
      'https://example.com/docs/a\nb',
    ]) {
      expect(matchesAddress(pattern, address)).toBe(false)
    }
  })

  test('has a star in the host for parts of its name only', () => {
    expect(matchesAddress('https://*.example.com/*', 'https://a.b.example.com/x')).toBe(true)
    for (const address of [
      'https://example.com/x',
      'https://evil.com/.example.com/x',
      'https://evil.com#.example.com/x',
      'https://evil@a.example.com/x',
      'https://evil.com?.example.com/x',
    ]) {
      expect(matchesAddress('https://*.example.com/*', address)).toBe(false)
    }
  })
})

describe('a rule', () => {
  test('answers only what it is for', () => {
    expect(ruleFor([rule()], question())?.id).toBe('r')
    for (const other of [
      rule({ kind: 'fetch' }),
      rule({ agent: 'Claude' }),
      rule({ tool: 'Shell' }),
      rule({ folder: '/other' }),
      rule({ folder: '/wor' }),
      rule({ session: 'another' }),
      rule({ pattern: 'npm' }),
    ]) {
      expect(ruleFor([other], question())).toBeNull()
    }
    expect(ruleFor([rule({ folder: '/work' })], question({ folder: '/work/deep' }))).not.toBeNull()
    expect(ruleFor([rule({ folder: '/work' })], question({ folder: '/work/../etc' }))).toBeNull()
    expect(ruleFor([rule({ folder: '/' })], question({ folder: '/etc' }))).not.toBeNull()
  })

  test('that denies goes before one that allows', () => {
    const rules = [rule({ id: 'yes' }), rule({ id: 'no', answer: 'deny' })]
    expect(ruleFor(rules, question())?.id).toBe('no')
    expect(ruleFor(rules.toReversed(), question())?.id).toBe('no')
  })

  test('never answers a plan, a question, a form, or what needs a person', () => {
    const field = {
      id: 'f',
      label: 'F',
      help: null,
      required: false,
      kind: 'boolean',
      initial: false,
    } as const
    const all = (['run', 'fetch', 'other'] as const).map((kind) => rule({ kind }))
    for (const change of [
      { kind: 'plan' },
      { kind: 'question' },
      { needsPerson: true },
      { fields: [field] },
    ] as Partial<Question>[]) {
      expect(ruleFor(all, question(change))).toBeNull()
      expect(question(change).options.map(({ id }) => id)).toEqual(['once', 'deny', 'stop'])
    }
  })

  test('that an option adds answers the same question again, and only in its session where it says so', () => {
    fc.assert(
      fc.property(
        text.filter((subject) => subject !== ''),
        fc.constantFrom('run', 'fetch', 'other'),
        (subject, kind) => {
          const first = question({ subject, kind: kind as 'run' })
          for (const { id, leadsTo } of first.options) {
            if (leadsTo.kind !== 'allow' || leadsTo.remembers?.by !== 'rule') continue
            const made = { ...leadsTo.remembers.rule, id, madeAt: 0 }
            expect(ruleFor([made], first)).toBe(made)
            const elsewhere = { ...first, requester: { ...first.requester, session: 'other' } }
            expect(ruleFor([made], elsewhere)).toBe(id === 'session' ? null : made)
            expect(made.session).toBe(id === 'session' ? sessionOf(first) : null)
          }
        },
      ),
    )
  })
})
