/** The dialect's id in the rest of the app. */
export const dialectId = 'claude-ide'
