/** The prefix of ids of conversations that Greenlight runs; no recorded session's id begins like this. */
export const liveIdPrefix = 'live:'

/** Names the draft of what begins the next conversation in a window, by its first folder. */
export function nextConversationIn(folder: string | undefined): string {
  return `new conversation in ${folder ?? 'no folder'}`
}

/** Whether an id belongs to a conversation that Greenlight runs rather than to a recorded session. */
export function isLiveId(id: string): boolean {
  return id.startsWith(liveIdPrefix)
}
