const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago a moment was, in a few words. Both in milliseconds since the epoch. */
export function relativeTime(at: number, now: number): string {
  const age = now - at
  if (age < 45_000) return 'just now'
  if (age < 59.5 * minute) return `${Math.max(1, Math.round(age / minute))} min ago`
  if (age < 23.5 * hour) return `${Math.max(1, Math.round(age / hour))} h ago`
  const days = Math.max(1, Math.round(age / day))
  if (days < 7) return days === 1 ? 'yesterday' : `${days} days ago`
  return dateFormat.format(at)
}

/** How many days ago a moment was; days begin at local midnight. Both in milliseconds since the epoch. */
export function daysAgo(at: number, now: number): number {
  // A day may be 23 or 25 hours long.
  return Math.round((startOfDay(now) - startOfDay(at)) / day)
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** How long until `relativeTime` may change, in milliseconds. */
export function untilNextReading(at: number, now: number): number {
  const age = Math.max(0, now - at)
  if (age < 45_000) return 45_000 - age
  if (age < hour) return minute / 2
  if (age < day) return hour / 4
  return hour
}

const dateFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const exactFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hour12: false })

/** A moment with date and time, for the tooltip. */
export function exactTime(at: number): string {
  return exactFormat.format(at)
}
