import { Fragment } from 'react'
import { plainName } from '../../ui/wording/plain-name'

/** A text with some letters marked. Marks count in a longer text, where this one begins at `from`. */
export function MarkedText({ text, marks, from }: { text: string; marks: readonly number[]; from: number }) {
  const pieces: { text: string; isMarked: boolean }[] = []
  const marked = new Set(marks)
  for (let at = 0; at < text.length; at++) {
    const isMarked = marked.has(from + at)
    const last = pieces.at(-1)
    if (last?.isMarked === isMarked) last.text += text.charAt(at)
    else pieces.push({ text: text.charAt(at), isMarked })
  }
  return pieces.map((piece, number) => (
    // A piece has no key other than its index.
    <Fragment key={number}>
      {piece.isMarked ? <mark>{plainName(piece.text)}</mark> : plainName(piece.text)}
    </Fragment>
  ))
}
