/** The prefix of ids of conversations that Greenlight runs; no recorded session's id begins like this. */
export const liveIdPrefix = 'live:'

/** Whether an id is of a conversation that Greenlight runs, and not of a recorded session. */
export function isLiveId(id: string): boolean {
  return id.startsWith(liveIdPrefix)
}
