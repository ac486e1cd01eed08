import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../../shared/contract/review'
import { ReviewBars } from './review-bars'
import type { ReviewController, ReviewModel } from './review-controller'
import type { ReviewSessionState } from './review-session'

/** The bars of a review whose agent is gone. */
function bars(isWhole: boolean): string {
  const session = {
    kind: 'text',
    summary: { phase: 'orphaned', agent: 'Ada', problem: null } as ReviewSummary,
    isWhole,
    lines: 3000,
    facts: {} as Extract<ReviewSessionState, { kind: 'text' }>['facts'],
    offered: false,
    lineEndsOnly: false,
    problem: null,
    closed: null,
  } as const
  const model: ReviewModel = {
    session,
    picture: null,
    isReady: isWhole,
    isBusy: false,
    told: null,
    insists: false,
  }
  return renderToStaticMarkup(
    createElement(ReviewBars, { controller: {} as ReviewController, model, session }),
  )
}

test('nothing is kept or discarded by the mere head of a long text', () => {
  const disabled = (html: string) => html.match(/<button[^>]* disabled=""/g)?.length ?? 0
  expect(disabled(bars(false))).toBe(3)
  expect(disabled(bars(true))).toBe(0)
})
