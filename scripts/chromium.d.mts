/** A Chromium of the system that a person can use; undefined where there is none. */
export function findChromium(): string | undefined
/** A Chromium of the system that tests can drive; undefined where there is none. */
export function findTestChromium(): string | undefined
