import type { Disposable } from '../../shared/lifetime'
import type { Done, Result } from '../../shared/result'
import type { Channel } from '../../shared/rpc/rpc'
import type { Readiness } from '../app/readiness'
import type { CompareRequest, EditRequest, OpenedFiles } from '../core/platform/hand-over'

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

/** What the app may ask of this host. */
export interface BrowserAbilities {
  /** A browser cannot show the system's folder dialog: the page asks for a path. */
  chooseFolder: null
  openExternal(url: string): Promise<boolean>
  /** Gives a link for the page that asked, where no browser of ours shows the window. */
  openWindow(folders: readonly string[]): Promise<string | null>
  focusWindow(window: string): string | null
  /** The page itself shows what would be a system notification. */
  trash(path: string): Promise<string | null>
  showInFileManager(path: string): Promise<boolean>
  notify(window: string, title: string, body: string, onClick: () => void): false
  /** Its title shows it. */
  setWaiting(window: string, count: number): void
}
