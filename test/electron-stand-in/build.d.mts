/** Builds the stand-in from its sources; `distPath` is what ELECTRON_OVERRIDE_DIST_PATH has to be. */
export function buildStandIn(): Promise<{ distPath: string }>
