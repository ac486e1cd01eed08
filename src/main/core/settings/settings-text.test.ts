import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSettings, placeProblem, readSettingsText, writeSettingsText } from './settings-text'

const commented = `{
  // Letters one can read.
  "editorFontSize": 16,
  "theme": "dark", /* at night */
  "fromTheFuture": [1],
}
`

describe('reading', () => {
  test('takes comments and trailing commas, and keeps what it does not know out of the values', () => {
    const { values, problems } = readSettingsText(commented)
    expect(values).toEqual({ editorFontSize: 16, theme: 'dark' })
    expect(problems).toEqual([expect.objectContaining({ kind: 'warning', line: 5, column: 3 })])
    expect(problems[0]?.sentence).toContain('fromTheFuture')
  })

  test('brackets without end are said in a sentence, however many', () => {
    for (const bracket of ['[', '{"a":']) {
      const text = bracket.repeat(100_000)
      expect(parseSettings(text)).toBeNull()
      const [problem] = readSettingsText(text).problems
      expect(problem && placeProblem(problem)).toContain('Brackets are nested more than 100 levels deep.')
    }
    // Not those within texts and comments.
    expect(parseSettings(`{ "a": "${'['.repeat(200)}" /* ${'{'.repeat(200)} */ }`)).not.toBeNull()
  })

  test('says in a sentence what is wrong, and where', () => {
    const words = (text: string) => readSettingsText(text).problems.map(placeProblem)
    expect(words('{\n  "theme": "pink"\n}')).toEqual([
      'Line 2, column 12: theme is one of "system", "light", "dark", "high-contrast".',
    ])
    expect(words('{ "editorFontSize": 99 }')).toEqual([
      'Line 1, column 21: editorFontSize is a whole number from 8 to 32.',
    ])
    expect(words('{\n  "theme": "dark"\n  "reviewWrap": true\n}')).toEqual([
      'Line 3, column 3: A comma is missing before this.',
    ])
    expect(words('[]')).toEqual([expect.stringContaining('between { and }')])
    expect(words('')).toEqual([])
  })

  test('of whatever text does not throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const problem of readSettingsText(text).problems) {
          expect(problem.from).toBeLessThanOrEqual(problem.to)
          expect(problem.to).toBeLessThanOrEqual(text.length)
        }
      }),
    )
  })
})

describe('writing', () => {
  test('keeps comments, order and what it does not know', () => {
    const next = writeSettingsText(commented, { editorFontSize: 16, theme: 'light', fromTheFuture: [1] })
    expect(next).toBe(commented.replace('"dark"', '"light"'))
  })

  test('adds and removes names, and makes a file out of nothing', () => {
    expect(writeSettingsText('', { reviewWrap: true })).toBe('{\n  "reviewWrap": true\n}\n')
    const without = writeSettingsText(commented, { theme: 'dark', fromTheFuture: [1] })
    expect(readSettingsText(without).values).toEqual({ theme: 'dark' })
    expect(without).toContain('at night')
  })

  test('says afterwards what it was told, whatever stood there', () => {
    const values = fc.record(
      {
        theme: fc.constantFrom('system', 'light', 'dark', 'high-contrast'),
        editorFontSize: fc.integer({ min: 8, max: 32 }),
        reviewWrap: fc.boolean(),
        contextNeverShared: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(values, values, (first, second) => {
        const text = writeSettingsText(writeSettingsText('{\n\t// mine\n}\n', first), second)
        expect(readSettingsText(text)).toEqual({ values: second, problems: [] })
        expect(text).toContain('// mine')
      }),
    )
  })
})

test('a name that stands twice is changed and removed for good', () => {
  const twice = '{\n  "theme": "dark",\n  // later\n  "theme": "light",\n  "reviewWrap": true\n}\n'
  expect(parseSettings(writeSettingsText(twice, { theme: 'system', reviewWrap: true }))).toEqual({
    theme: 'system',
    reviewWrap: true,
  })
  expect(parseSettings(writeSettingsText(twice, { reviewWrap: true }))).toEqual({ reviewWrap: true })
})
