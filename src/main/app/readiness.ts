/** Members of the ready line that a window knows: its folders, and what listens there by the names of the dialects. */
export type Readiness = { workspace: string[] } & Record<string, object>
