/** What only the frame around the host can do. */
export interface HostAbilities {
  /** Shows the system's folder dialog; null where there is none. */
  chooseFolder: (() => Promise<string | null>) | null
  openExternal(url: string): Promise<boolean>
  /** Opens a window, or shows the one that has the folders. Gives a link where only a browser can show it; once. */
  openWindow(folders: readonly string[]): Promise<string | null>
  /** The same for a window that exists. */
  focusWindow(window: string): string | null
  /** Moves a file to the system's trash. Null on success, else why not, as the middle of a sentence. */
  trash(path: string): Promise<string | null>
  /** Shows a file in the system's file manager. False where that cannot be started. */
  showInFileManager(path: string): Promise<boolean>
  /** Shows a system notification and draws attention to the window; false where only the page can. */
  notify(window: string, title: string, body: string, onClick: () => void): boolean
  /** How much waits for the person in a window, for the app's badge. */
  setWaiting(window: string, count: number): void
}
