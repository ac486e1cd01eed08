import { memo, useEffect, useRef, useState } from 'react'
import { findLanguage, type LanguageHint } from './code-language'
import { CopyButton } from '../ui/controls/copy-button'
import { CodePainter, partsOf } from './code-painter'
import { canPaint } from './painted-text'
import './code.css'

/** A piece of code in the colours of its language. */
export const CodeText = memo(
  function CodeText({ code, hint }: { code: string; hint: LanguageHint | null }) {
    const place = useRef<HTMLElement>(null)
    const [painter] = useState(() => new CodePainter())
    useEffect(() => () => painter.dispose(), [painter])
    useEffect(() => {
      if (hint === null || !canPaint) return
      let isWanted = true
      void findLanguage(hint).then((language) => {
        if (isWanted && language && place.current)
          painter.paint(code, language.support.language, place.current.children)
      })
      return () => {
        isWanted = false
      }
    }, [code, hint, painter])
    return (
      <code ref={place} className="code-text">
        {partsOf(code).map((part, index) => (
          <span key={index}>{part}</span>
        ))}
      </code>
    )
  },
  (before, after) => before.code === after.code && JSON.stringify(before.hint) === JSON.stringify(after.hint),
)

/**
 * A block of code with the name of its language, where it has one, and a button that copies it. `isFenceWhole`: with all
 * that its fence says.
 */
export function CodeBlock({
  code,
  fence,
  isFenceWhole = false,
}: {
  code: string
  fence: string
  isFenceWhole?: boolean
}) {
  const language = /^[^\s{,:]*/.exec(fence.trim())?.[0] ?? ''
  return (
    <div className={`code-block ${(isFenceWhole ? fence : language) === '' ? 'code-block-plain' : ''}`}>
      <div className="code-block-head">
        <span className="code-block-language">{isFenceWhole ? fence : language}</span>
        <CopyButton label="Copy code" text={() => code} />
      </div>
      <pre tabIndex={0} role="group" aria-label={language === '' ? 'Code' : `Code: ${language}`}>
        <CodeText code={code} hint={language === '' ? null : { fence: language }} />
      </pre>
    </div>
  )
}
