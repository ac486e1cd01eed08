import type { Text } from '@codemirror/state'
import { ChevronDown, ChevronUp, GitCompareArrows, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState, useEffectEvent } from 'react'
import type { Comparison } from '../../../shared/contract/comparison'
import type { ComparedWith } from '../../../shared/contract/tabs'
import { changesBetween } from '../../../shared/text/line-diff'
import { applyStep, type Draft, startDraft } from '../../../shared/review/draft'
import { toText } from '../../../shared/text/text-facts'
import { client } from '../../state/host/client'
import { replaceByDelta, useTopic } from '../../state/host/mirror'
import { fetchText } from '../../state/host/text-ref'
import { EmptyState } from '../../ui/layout/empty-state'
import { countOf } from '../../ui/wording/number-format'
import { Skeleton } from '../../ui/layout/skeleton'
import { Toolbar, ToolbarButton, ToolbarGap } from '../../ui/controls/toolbar'
import { LookToggles } from './look-toggles'
import type { Look } from './text/draft-picture'
import { ReviewEditor } from './text/review-editor'
import './review.css'
import './text/review-text.css'
import './compare-view.css'

interface CompareViewProps {
  path: string
  against: ComparedWith
  active: boolean
}

/** Two texts compared as a review shows them, with nothing to decide. */
export function CompareView({ path, against, active }: CompareViewProps) {
  const params = useRef({ path, against }).current
  const state = useTopic('comparison', params, replaceByDelta)
  const compared = useCompared(state.kind === 'here' ? state.data : null)
  if (state.kind === 'here' && state.data.kind === 'failed') {
    return <EmptyState icon={<TriangleAlert />} title={state.data.failure.message} />
  }
  return compared ? <Compared path={path} {...compared} active={active} /> : <Skeleton lines={12} />
}

interface TwoTexts {
  draft: Draft
  beforeName: string
  afterName: string
}

/** Fetches both texts whenever the host sends new ones, and compares them. */
function useCompared(comparison: Comparison | null): TwoTexts | null {
  const [compared, setCompared] = useState<TwoTexts | null>(null)
  useEffect(() => {
    if (comparison?.kind !== 'texts') return
    const { before, after, beforeName, afterName } = comparison
    const fetching = new AbortController()
    const { signal } = fetching
    void Promise.all([fetchText(client, before, signal), fetchText(client, after, signal)]).then(
      ([one, other]) => {
        if (signal.aborted) return
        const [a, b] = [toText(one), toText(other)]
        setCompared((known) => ({ draft: compare(known?.draft, a, b), beforeName, afterName }))
      },
      // After a lost link the host sends them again.
      () => undefined,
    )
    return () => fetching.abort()
  }, [comparison])
  return compared
}

/** The differences of two texts; those that were known before keep their numbers. */
function compare(known: Draft | undefined, a: Text, b: Text): Draft {
  const renewed = known && {
    kind: 'renew' as const,
    a: changesBetween(known.a, a),
    b: changesBetween(known.b, b),
  }
  return (renewed && applyStep(known, renewed)?.draft) ?? startDraft(a, b)
}

function Compared({
  path,
  draft,
  beforeName,
  afterName,
  active,
}: TwoTexts & { path: string; active: boolean }) {
  const [look, setLook] = useState<Look>({
    layout: 'side-by-side',
    foldUnchanged: true,
    ignoreWhitespace: false,
    wrap: false,
  })
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<ReviewEditor | null>(null)
  // Later texts and looks change the same editor.
  const makeEditor = useEffectEvent(
    (parent: HTMLElement) =>
      new ReviewEditor({
        parent,
        draft,
        path,
        look,
        labels: { before: `${beforeName}: ${path}`, after: `${afterName}: ${path}` },
      }),
  )
  useEffect(() => {
    if (!place.current) return
    const made = makeEditor(place.current)
    editor.current = made
    return () => {
      editor.current = null
      made.dispose()
    }
  }, [path, beforeName, afterName])
  useEffect(() => {
    const shown = editor.current
    if (!shown || shown.draft === draft) return
    const before = shown.draft.b
    shown.follow({ draft, b: before.eq(draft.b) ? null : changesBetween(before, draft.b) })
  }, [draft])
  useEffect(() => editor.current?.setLook(look), [look])
  const total = draft.hunks.length
  return (
    <section className="gl-review fills" aria-label={`Comparison: ${path}`} inert={!active}>
      <Toolbar label="Comparison" className="compare-bar">
        <ToolbarButton
          label="Previous change"
          icon={<ChevronUp />}
          disabled={total === 0}
          onClick={() => editor.current?.goTo(-1)}
        />
        <ToolbarButton
          label="Next change"
          icon={<ChevronDown />}
          disabled={total === 0}
          onClick={() => editor.current?.goTo(1)}
        />
        <span className="number">{total === 0 ? 'No differences' : countOf(total, 'change')}</span>
        <ToolbarGap />
        <LookToggles
          parts={['layout', 'ignoreWhitespace', 'foldUnchanged']}
          look={look}
          onLook={(part) => setLook((before) => ({ ...before, ...part }))}
        />
        <span className="compare-names row">
          <span className="name">{beforeName}</span>
          <GitCompareArrows aria-label="compared with" />
          <span className="name">{afterName}</span>
        </span>
      </Toolbar>
      <div className="gl-review-body" ref={place} />
    </section>
  )
}
