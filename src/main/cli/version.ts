declare const GREENLIGHT_VERSION: string

/** The app's version, put in by the build from package.json. */
export const version: string = GREENLIGHT_VERSION
