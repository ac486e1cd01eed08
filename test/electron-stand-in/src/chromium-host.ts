import type { CdpConnection } from './cdp'
import type { Chromium } from './chromium'
import type { Targets } from './targets'

/** The Chromium that shows this app's windows. */
export interface ChromiumHost {
  chromium: Chromium
  connection: CdpConnection
  targets: Targets
}

let started: ChromiumHost | undefined

/** Set once, before the app is told that it is ready. */
export function setChromiumHost(host: ChromiumHost): void {
  started = host
}

/** @throws before the app is ready, in Electron's words */
export function chromiumHost(): ChromiumHost {
  if (!started) throw new Error('Cannot create BrowserWindow before app is ready')
  return started
}
