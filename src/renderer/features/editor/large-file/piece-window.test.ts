import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FilePiece } from '../../../../shared/contract/file-pieces'
import { addBefore, addBehind, byteAt, type PieceWindow, windowEnd, windowStart } from './piece-window'

/** A file of lines, each piece two lines; what a host would read. */
const lines = Array.from({ length: 60 }, (_, index) => `${'line '.repeat(index % 4)}${index}\n`)
const size = lines.join('').length
function pieceAt(index: number): FilePiece {
  const from = lines.slice(0, index * 2).join('').length
  const text = lines.slice(index * 2, index * 2 + 2).join('')
  return { text, from, to: from + text.length, size }
}

test('whichever way one goes, the text is that of the pieces, which follow each other', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (ways) => {
      let [first, last] = [15, 15]
      let window: PieceWindow = { pieces: [pieceAt(15)] }
      let text = pieceAt(15).text
      for (const isDown of ways) {
        if (isDown ? last >= 29 : first <= 0) continue
        const change = isDown ? addBehind(window, pieceAt(last + 1)) : addBefore(window, pieceAt(first - 1))
        const whole = change.before + text + change.after
        text = whole.slice(change.cutStart, whole.length - change.cutEnd)
        window = change.window
        first = Math.round(
          lines.findIndex((_, at) => lines.slice(0, at).join('').length === windowStart(window)) / 2,
        )
        last = first + window.pieces.length - 1
        expect(text).toBe(window.pieces.map((piece) => piece.text).join(''))
        expect(window.pieces.length).toBeLessThanOrEqual(8)
        expect(windowEnd(window) - windowStart(window)).toBe(text.length)
        expect(byteAt(window, text.length)).toBe(windowEnd(window))
        expect(byteAt(window, 0)).toBe(windowStart(window))
      }
    }),
  )
})
