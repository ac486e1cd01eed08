import { memo } from 'react'
import { addRules } from '../theme/added-rules'
import { colorNames, readAnsi } from './ansi'
import './ansi.css'

// Black and white letters have the colour of the text. Any rule of ansi.css takes precedence.
const letters = [...colorNames.slice(1, -1), ...colorNames.map((name) => `bright-${name}`)]
addRules([
  ...letters.map((name) => `:where(.ansi-${name}) { color: var(--ansi-${name}) }`),
  ...colorNames.map(
    (name) =>
      `:where(.ansi-on-${name}) { background: color-mix(in srgb, var(--ansi-${name}) 16%, transparent) }`,
  ),
])

/** A program's output in its colours, always as text. */
export const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  return readAnsi(text).map((run, index) =>
    run.look === '' ? (
      run.text
    ) : (
      <span key={index} className={run.look}>
        {run.text}
      </span>
    ),
  )
})
