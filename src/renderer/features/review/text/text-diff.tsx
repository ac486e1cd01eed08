import { useEffect, useMemo, useRef } from 'react'
import { startDraft } from '../../../../shared/review/draft'
import { toText } from '../../../../shared/text/text-facts'
import type { Look } from './draft-picture'
import { ReviewEditor } from './review-editor'
import './review-text.css'
import './text-diff.css'

const look: Look = { layout: 'unified', foldUnchanged: true, ignoreWhitespace: false, wrap: false }

interface TextDiffProps {
  path: string
  before: string
  after: string
  /** They are the whole file, so lines are numbered. */
  isWhole: boolean
}

/** Two texts compared as a review shows them, inside something else: nothing to decide or edit. */
export function TextDiff({ path, before, after, isWhole }: TextDiffProps) {
  const place = useRef<HTMLDivElement>(null)
  const draft = useMemo(() => startDraft(toText(before), toText(after)), [before, after])
  useEffect(() => {
    if (!place.current) return
    const editor = new ReviewEditor({
      parent: place.current,
      draft,
      path,
      look,
      labels: { before: `Before: ${path}`, after: `After: ${path}` },
    })
    return () => editor.dispose()
  }, [draft, path])
  return <div ref={place} className={`text-diff ${isWhole ? '' : 'text-diff-part'}`} />
}
