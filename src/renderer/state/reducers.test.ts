import { describe, expect, it } from 'vitest'
import type { Topics } from '../../shared/contract/contract'
import type { Notice } from '../../shared/contract/notices'
import type { ReviewSummary } from '../../shared/contract/review'
import type { TabsState } from '../../shared/contract/tabs'
import { linkSentence } from './host/link'
import { mergeDelta } from './host/mirror'
import { applyNotices } from './window/notices-mirror'
import { applyReviews } from './reviews/reviews-mirror'
import { applyTabs } from './tabs/tabs-mirror'

const notice = (id: string, text: string): Notice => ({ id, kind: 'info', text, action: null, passing: true })
const review = (id: string, revision: number) => ({ id, revision }) as ReviewSummary

describe('deltas', () => {
  it('add a notice, replace one in place, remove one', () => {
    let state = { notices: [notice('a', 'one'), notice('b', 'two')] }
    state = applyNotices(state, { kind: 'add', notice: notice('c', 'three') })
    state = applyNotices(state, { kind: 'add', notice: notice('a', 'ONE') })
    expect(state.notices.map(({ text }) => text)).toEqual(['ONE', 'two', 'three'])
    expect(applyNotices(state, { kind: 'remove', id: 'b' }).notices.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(applyNotices(state, { kind: 'remove', id: 'unknown' }).notices).toHaveLength(3)
  })

  it('keep a review in its place while it changes', () => {
    let state = { reviews: [review('a', 1), review('b', 1)], decided: [] }
    state = applyReviews(state, { kind: 'put', review: review('a', 2) }) as typeof state
    expect(state.reviews).toEqual([review('a', 2), review('b', 1)])
    state = applyReviews(state, { kind: 'put', review: review('c', 1) }) as typeof state
    state = applyReviews(state, { kind: 'remove', id: 'a' }) as typeof state
    expect(state.reviews.map(({ id }) => id)).toEqual(['b', 'c'])
  })

  it('of tabs that are events leave the tabs as they are', () => {
    const state: TabsState = { tabs: [], active: null, shown: { left: null, right: null } }
    expect(applyTabs(state, { kind: 'flush', token: 't' })).toBe(state)
    expect(applyTabs(state, { kind: 'reveal', path: '/a', selection: null, focus: true })).toBe(state)
    const next: TabsState = { tabs: [], active: 'x', shown: { left: 'x', right: null } }
    expect(applyTabs(state, { kind: 'state', state: next })).toBe(next)
  })

  it('of terminals replace only what they name', () => {
    const state = { terminals: [], profiles: [] }
    const profiles = [{ id: 'shell' }] as unknown as Topics['terminals']['snapshot']['profiles']
    expect(mergeDelta<Topics['terminals']['snapshot']>(state, { profiles })).toEqual({
      terminals: [],
      profiles,
    })
  })
})

it('says how the link stands, and nothing while all is well', () => {
  expect(linkSentence({ state: 'live', refused: false })).toBeNull()
  for (const state of ['connecting', 'elsewhere', 'lost'] as const) {
    expect(linkSentence({ state, refused: false })).toMatch(/\.|…$/)
  }
  expect(linkSentence({ state: 'lost', refused: true })).toMatch(/has restarted/)
})
