import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchQuery } from '../../../shared/contract/search'
import { hitsOf } from '../../../../test/plain-search'
import { previewHit, replaceHits } from './replacement'
import { Replacer } from './replacer'

const plain: SearchQuery = {
  text: 'a',
  isRegex: false,
  isCaseSensitive: true,
  isWholeWord: false,
  include: '',
  exclude: '',
  withIgnored: false,
}

function replaceAll(raw: string, change: Partial<SearchQuery>, replacement: string): string | null {
  const query = { ...plain, ...change }
  const replaced = replaceHits(raw, hitsOf(raw, query), query, replacement)
  return replaced.kind === 'done' ? replaced.text : null
}

describe('replacement', () => {
  it('replaces every hit and keeps line ends', () => {
    expect(replaceAll('a b\r\nxa\n\r\na', {}, '$1\\n')).toBe('$1\\n b\r\nx$1\\n\n\r\n$1\\n')
    expect(replaceAll('Käse käse', { text: 'käse', isCaseSensitive: false }, '')).toBe(' ')
  })

  it('fills in groups, names and signs of an expression', () => {
    const query = { isRegex: true, text: '(\\w+)-(?<end>\\w+)' }
    expect(replaceAll('one-two', query, '$<end>-$1 $& $$ $3')).toBe('two-one one-two $ $3')
    expect(replaceAll('x one-two\r\n', query, '$1\\n$2\\t\\\\')).toBe('x one\r\ntwo\t\\\r\n')
  })

  it('refuses where a hit is no longer what was shown', () => {
    const hits = hitsOf('x a', plain)
    expect(replaceHits('xa', hits, plain, 'b')).toEqual({ kind: 'changed' })
    expect(replaceHits('', hits, plain, 'b')).toEqual({ kind: 'changed' })
    const query = { ...plain, isRegex: true, text: '(?P<x>a)' }
    expect(replaceHits('x a', hits, query, 'b')).toEqual({ kind: 'unlike' })
  })

  it('is what a replacement in the whole text gives, and what the preview says', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'ä', '\r\n', '🌲'), maxLength: 40 })
    const wanted = fc.constantFrom('a', 'ab', 'b a', '🌲', 'ä')
    fc.assert(
      fc.property(
        text,
        wanted,
        fc.string({ maxLength: 3 }),
        fc.boolean(),
        (raw, what, replacement, isRegex) => {
          const plainReplacement = replacement.replaceAll(/[$\\]/g, '')
          expect(replaceAll(raw, { text: what, isRegex }, plainReplacement)).toBe(
            raw.replaceAll(what, () => plainReplacement),
          )
          for (const hit of hitsOf(raw, { ...plain, text: what, isRegex })) {
            expect(previewHit(hit, { ...plain, text: what, isRegex }, plainReplacement)).toBe(
              plainReplacement,
            )
          }
        },
      ),
    )
  })

  it('ends an expression that runs away', async () => {
    const replacer = new Replacer(1000)
    const query = { ...plain, isRegex: true, text: '(a+)+$' }
    const raw = `${'a'.repeat(50)}!`
    const hit = { id: 1, line: 0, from: 0, to: 1, before: '', match: 'a', after: '', isCut: false }
    expect(await replacer.replace(raw, [hit], query, '')).toMatchObject({ failure: { code: 'too-slow' } })
    expect(await replacer.preview([hit], plain, 'b')).toEqual({ ok: true, value: ['b'] })
    replacer.dispose()
  })
})
