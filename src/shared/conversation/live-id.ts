/** Begins the ids of conversations that Greenlight runs; no recorded session has one like it. */
export const liveIdPrefix = 'live:'

/** Whether an id is that of a conversation that Greenlight runs, and not of a recorded session. */
export function isLiveId(id: string): boolean {
  return id.startsWith(liveIdPrefix)
}
