import { memo, useEffect, useRef } from 'react'
import type { Disposable } from '../../shared/lifetime'
import type { CodeKind } from './code-colors'
import { findLanguage, readCode, type LanguageHint } from './code-language'
import { CopyButton } from '../ui/controls/copy-button'
import { canPaint, paintText, type PaintedStretch } from './painted-text'
import './code.css'

/** A piece of code in the colours of its language, as one text. */
export const CodeText = memo(
  function CodeText({ code, hint }: { code: string; hint: LanguageHint | null }) {
    const place = useRef<HTMLElement>(null)
    useEffect(() => {
      if (hint === null || !canPaint) return
      let isWanted = true
      let painted: Disposable[] = []
      void findLanguage(hint).then((language) => {
        const node = place.current?.firstChild
        if (!isWanted || !language || !(node instanceof Text)) return
        const byKind = new Map<CodeKind, PaintedStretch[]>()
        for (const { kind, from, to } of readCode(code, language.support.language)) {
          const list = byKind.get(kind)
          if (list) list.push({ node, from, to })
          else byKind.set(kind, [{ node, from, to }])
        }
        painted = [...byKind].map(([kind, stretches]) => paintText(`code-${kind}`, stretches))
      })
      return () => {
        isWanted = false
        for (const one of painted) one.dispose()
      }
    }, [code, hint])
    return <code ref={place}>{code}</code>
  },
  (before, after) => before.code === after.code && JSON.stringify(before.hint) === JSON.stringify(after.hint),
)

/** A block of code with the name of its language, where it has one, and a button that copies it. */
export function CodeBlock({ code, fence }: { code: string; fence: string }) {
  const language = /^[^\s{,:]*/.exec(fence.trim())?.[0] ?? ''
  return (
    <div className={`code-block ${language === '' ? 'code-block-plain' : ''}`}>
      <div className="code-block-head">
        <span className="code-block-language">{language}</span>
        <CopyButton label="Copy code" text={() => code} />
      </div>
      <pre tabIndex={0} role="group" aria-label={language === '' ? 'Code' : `Code: ${language}`}>
        <CodeText code={code} hint={language === '' ? null : { fence: language }} />
      </pre>
    </div>
  )
}
