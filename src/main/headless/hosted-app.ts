import type { Disposable } from '../../shared/lifetime'
import type { Done, Result } from '../../shared/result'
import type { Channel } from '../../shared/rpc/rpc'
import type { Readiness } from '../app/readiness'
import type { CompareRequest, EditRequest, OpenedFiles } from '../core/platform/hand-over-server'

/** A window of the app, as far as this host deals with it. The app's own class is one. */
export interface HostedWindow {
  readonly id: string
  readonly folders: { readonly paths: readonly string[] }
  /** Serves a live page. */
  connect(channel: Channel): Disposable
  /** What of this window listens now, for the ready line. */
  readiness(): Readiness
  readonly notices: { warn(sentence: string): void }
}

/** The app, as far as this host deals with it. */
export interface HostedApp {
  openWindow(folders: readonly string[]): Promise<Result<HostedWindow>>
  /** The folders of each window that was open when the app ended last. */
  readonly lastOpen: readonly (readonly string[])[]
  /** The windows of this start are open: those of the last time need not be known any more. */
  begun(): void
  windows(): readonly HostedWindow[]
  /** The window that has a folder open. */
  windowOf(folder: string): HostedWindow | undefined
  /** Opens files that a command waits for. */
  editForCommand(request: EditRequest): Promise<Result<OpenedFiles>>
  /** Shows two files beside each other. */
  compareForCommand(request: CompareRequest): Promise<Done>
  /** Ends everything within 3 s. */
  shutdown(): Promise<void>
}
