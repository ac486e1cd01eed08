import { memo } from 'react'
import { readAnsi } from './ansi'
import './ansi.css'

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
