import type { Result } from '../../shared/result'
import type { App } from '../app/app'

/** A window of the app, as far as this host deals with it. */
export interface HostedWindow extends Pick<ReturnType<App['windows']>[number], 'connect' | 'readiness'> {
  readonly id: string
  readonly folders: { readonly paths: readonly string[] }
  readonly notices: { warn(sentence: string): void }
}

/** The app, as far as this host deals with it. */
export interface HostedApp extends Pick<App, 'lastOpen' | 'begun' | 'shutdown' | 'commands'> {
  openWindow(folders: readonly string[]): Promise<Result<HostedWindow>>
  windows(): readonly HostedWindow[]
  windowOf(folder: string): HostedWindow | undefined
}
