import { type Launchers, writeLaunchers } from '../core/platform/launchers'
import type { Log } from '../core/platform/log'

/** What the launchers are written from; see the app's options. */
interface LaunchersQuestion {
  errandScript?: string
  dataDir: string
  log: Log
}

/** Without launchers terminals only lack a convenience. */
export function launchersFor({ errandScript, dataDir, log }: LaunchersQuestion): Launchers | null {
  if (errandScript === undefined) return null
  const written = writeLaunchers(dataDir, { node: process.execPath, script: errandScript })
  if (written.ok) return written.value
  log.warn('launchers not written', { failure: written.failure.message })
  return null
}
