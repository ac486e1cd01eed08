import { useState, type ReactNode } from 'react'
import { CopyButton } from '../../../ui/controls/copy-button'
import { countOf } from '../../../ui/wording/number-format'

/** So many lines of a text are shown at first, and so many letters. */
const firstLines = 200
const firstLetters = 20_000
/** No more than this is ever put into the page at once; the rest can be copied or exported. */
const mostLetters = 400_000

/** What is shown of a text: its beginning or its end, in whole lines where that is possible. */
export function cutText(
  text: string,
  keep: 'start' | 'end',
  isAll: boolean,
): { text: string; hidden: number } {
  const letters = isAll ? mostLetters : firstLetters
  const lines = isAll ? Number.POSITIVE_INFINITY : firstLines
  let shown = text
  if (shown.length > letters) {
    shown = keep === 'start' ? shown.slice(0, letters) : shown.slice(-letters)
    const at = keep === 'start' ? shown.lastIndexOf('\n') : shown.indexOf('\n')
    if (at > 0) shown = keep === 'start' ? shown.slice(0, at) : shown.slice(at + 1)
  }
  const split = shown.split('\n')
  if (split.length > lines)
    shown = (keep === 'start' ? split.slice(0, lines) : split.slice(-lines)).join('\n')
  return { text: shown, hidden: shown.length === text.length ? 0 : lineCount(text) - lineCount(shown) }
}

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** A text of any length as it stands, in a box that scrolls; a long one shows a part, and the rest when asked. */
export function LongText({
  text,
  label,
  keep = 'start',
  draw = (shown) => shown,
  plain = text,
}: {
  text: string
  /** The accessible name of the box. */
  label: string
  /** Which end of a long one is shown. */
  keep?: 'start' | 'end'
  draw?: (shown: string) => ReactNode
  /** What is copied. */
  plain?: string
}) {
  const [isAll, setAll] = useState(false)
  const cut = cutText(text, keep, isAll)
  const isCut = cut.text.length < text.length
  const more = isCut ? (
    <p className="long-text-more aside">
      {cut.hidden > 0 ? `${countOf(cut.hidden, 'line')} not shown.` : 'Part of this isn’t shown.'}{' '}
      {isAll ? (
        'Copy it to read everything.'
      ) : (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          Show all
        </button>
      )}
    </p>
  ) : null
  return (
    <div className="long-text">
      {keep === 'end' ? more : null}
      <pre tabIndex={0} role="group" aria-label={label} className="selectable">
        {draw(cut.text)}
      </pre>
      <span className="long-text-copy">
        <CopyButton label={`Copy ${label.toLowerCase()}`} text={() => plain} />
      </span>
      {keep === 'start' ? more : null}
    </div>
  )
}
