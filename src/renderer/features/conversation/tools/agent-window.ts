/** Which part of what a sub-agent said is shown: there may be thousands of messages, and each may be long. */
export interface AgentWindow {
  /** The item that is shown last; null: the last one there is, whichever comes. */
  last: string | null
  /** So many are shown at most. */
  count: number
}

/** Where a window lies among items: `to` is behind the last one. */
export interface WindowPlace {
  from: number
  to: number
}

/** So many are shown at first, so many more at each press, */
export const firstShown = 12
export const moreShown = 40
/** and so many at most at once. */
export const mostShown = 120

/** What is shown at first: the last words. */
export const atTheEnd: AgentWindow = { last: null, count: firstShown }

/** Where a window lies now. */
export function placeOfWindow(ids: readonly string[], { last, count }: AgentWindow): WindowPlace {
  const found = last === null ? -1 : ids.indexOf(last)
  const to = found < 0 ? ids.length : found + 1
  return { from: Math.max(0, to - count), to }
}

/** More in front; what is too much then goes at the end. */
export function earlierWindow(ids: readonly string[], window: AgentWindow): AgentWindow {
  const { to } = placeOfWindow(ids, window)
  const count = Math.min(mostShown, window.count + moreShown)
  const over = window.count + moreShown - count
  const end = Math.max(Math.min(count, ids.length), to - over)
  return { last: end < ids.length ? (ids[end - 1] ?? null) : window.last, count }
}

/** More behind; what is too much then goes in front. */
export function laterWindow(ids: readonly string[], window: AgentWindow): AgentWindow {
  const end = Math.min(ids.length, placeOfWindow(ids, window).to + moreShown)
  return {
    last: end < ids.length ? (ids[end - 1] ?? null) : null,
    count: Math.min(mostShown, window.count + moreShown),
  }
}

/** A window in which an item stands, with some before it and some behind. */
export function windowAround(ids: readonly string[], id: string): AgentWindow {
  const end = ids.indexOf(id) + firstShown
  return { last: end < ids.length ? (ids[end - 1] ?? null) : null, count: 2 * firstShown }
}
