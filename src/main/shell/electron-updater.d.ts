/** What of electron-updater is used. Its own types need those of Electron's older modules. */
declare module 'electron-updater' {
  interface UpdateCheckResult {
    readonly isUpdateAvailable: boolean
    readonly updateInfo: { readonly version: string }
  }

  interface AppUpdater {
    autoDownload: boolean
    autoInstallOnAppQuit: boolean
    logger: null
    on(event: 'error', listener: (error: Error) => void): this
    off(event: 'error', listener: (error: Error) => void): this
    /** Null where updates are not possible for this app. */
    checkForUpdates(): Promise<UpdateCheckResult | null>
    downloadUpdate(): Promise<string[]>
    quitAndInstall(): void
  }

  /** A CommonJS module, whose names Node does not see. The updater is made when it is first read. */
  const module: { readonly autoUpdater: AppUpdater }
  export default module
}
