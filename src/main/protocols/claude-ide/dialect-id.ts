/** By this the rest of the app knows the dialect. */
export const dialectId = 'claude-ide'
