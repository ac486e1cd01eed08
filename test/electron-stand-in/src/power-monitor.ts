import { StrictEmitter } from './strict'

/** Electron's `powerMonitor` on a machine that never sleeps; a test may emit its events. */
export const powerMonitor: StrictEmitter = new StrictEmitter('powerMonitor', [
  'suspend',
  'resume',
  'on-ac',
  'on-battery',
  'shutdown',
  'lock-screen',
  'unlock-screen',
  'user-did-become-active',
  'user-did-resign-active',
])
