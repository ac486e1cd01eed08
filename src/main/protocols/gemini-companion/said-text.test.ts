import fc from 'fast-check'
import { expect, it } from 'vitest'
import { saidText } from './said-text'

const mark = '\uFEFF'
const line = fc.string({ maxLength: 5 }).filter((text) => !/[\r\n\uFEFF]/.test(text))
const lines = fc.array(line, { maxLength: 6 })
const end = fc.constantFrom('\n', '\r\n')
const start = fc.constantFrom('', mark)

it('says the proposal to the letter where only line ends and the mark differ', () => {
  fc.assert(
    fc.property(lines, end, end, start, start, (content, one, other, first, second) => {
      const proposed = first + content.join(one)
      expect(saidText(proposed, second + content.join(other))).toBe(proposed)
    }),
  )
})

it('says any other text as it is, with a mark exactly where the proposal has one', () => {
  fc.assert(
    fc.property(lines, lines, end, end, start, start, (content, others, one, other, first, second) => {
      const proposed = first + content.join(one)
      const text = others.join(other)
      fc.pre(content.join('\n') !== others.join('\n'))
      expect(saidText(proposed, second + text)).toBe(first + text)
    }),
  )
})
