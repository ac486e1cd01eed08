/** A Chromium of the system that tests can drive; undefined where there is none. */
export function findChromium(): string | undefined
