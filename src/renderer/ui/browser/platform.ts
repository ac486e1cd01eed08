/**
 * Whether the person's keyboard is a Mac's. The page asks its own browser: a browser may run on another system
 * than the host.
 */
export const isMac =
  typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform || navigator.userAgent)
