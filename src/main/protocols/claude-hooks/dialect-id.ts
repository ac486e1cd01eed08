/** The dialect's id, in connections, proposals and settings. */
export const dialectId = 'claude-hooks'
