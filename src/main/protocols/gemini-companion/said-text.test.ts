import fc from 'fast-check'
import { expect, it } from 'vitest'
import { saidText } from './said-text'

const mark = '\uFEFF'
const line = fc.string({ maxLength: 5 }).filter((text) => !/[\r\n\uFEFF]/.test(text))
const lines = fc.array(line, { maxLength: 6 })
const end = fc.constantFrom('\n', '\r\n')
const start = fc.constantFrom('', mark)

it('says the proposal to the letter where only line ends differ, with the mark of what is accepted', () => {
  fc.assert(
    fc.property(lines, end, end, start, start, (content, one, other, first, second) => {
      const text = content.join(one)
      expect(saidText(first + text, second + content.join(other))).toBe(second + text)
      expect(saidText(first + text, second + content.join(other), true)).toBe(first + text)
    }),
  )
})

it('says any other text as it is; a client that keeps marks gets one exactly where its proposal has one', () => {
  fc.assert(
    fc.property(lines, lines, end, end, start, start, (content, others, one, other, first, second) => {
      const proposed = first + content.join(one)
      const text = others.join(other)
      fc.pre(content.join('\n') !== others.join('\n'))
      expect(saidText(proposed, second + text)).toBe(second + text)
      expect(saidText(proposed, second + text, true)).toBe(first + text)
    }),
  )
})
