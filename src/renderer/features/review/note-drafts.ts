const key = (review: string) => `note ${review}`

/** The note that is being written to a review's agent, kept in this browser tab; empty if there is none. */
export function readNote(review: string): string {
  return sessionStorage.getItem(key(review)) ?? ''
}

export function keepNote(review: string, note: string): void {
  try {
    if (note === '') sessionStorage.removeItem(key(review))
    else sessionStorage.setItem(key(review), note)
  } catch {
    // The storage is full: whatever takes the review away takes its note with it.
  }
}
