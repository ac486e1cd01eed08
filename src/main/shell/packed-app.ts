import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron/main'
import type { Log } from '../core/platform/log'
import type { SettingsStore } from '../core/settings/settings-store'
import { type Disposable, disposable } from '../../shared/lifetime'
import { Updates } from './updates'

/**
 * Follows newer versions in an installed app that was built with an address for them. From a clone, and without that
 * address, there is nothing to ask, and no module of the updater is loaded.
 */
export async function followUpdates(settings: SettingsStore, log: Log): Promise<Disposable> {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) {
    return disposable(() => undefined)
  }
  const { default: electronUpdater } = await import('electron-updater')
  const { autoUpdater } = electronUpdater
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = false
  autoUpdater.logger = null
  // The promises tell its errors too; without a listener the event would be thrown.
  autoUpdater.on('error', () => undefined)
  return new Updates({
    updater: {
      look: async () => {
        const found = await autoUpdater.checkForUpdates()
        return found?.isUpdateAvailable ? found.updateInfo.version : null
      },
      fetch: async () => void (await autoUpdater.downloadUpdate()),
      install: () => {
        // It reports a failure only by an event (an AppImage in a folder that cannot be written): the app would go on
        // without a word.
        let failure: Error | null = null
        const hear = (error: Error) => void (failure = error)
        autoUpdater.on('error', hear)
        autoUpdater.quitAndInstall()
        autoUpdater.off('error', hear)
        if (failure !== null) throw failure as Error
      },
    },
    isWanted: () => settings.get().updatesAsked,
    ask: async ({ message, detail, yes, no }) => {
      const buttons = [yes, no]
      const options = { type: 'question' as const, message, detail, buttons, defaultId: 1, cancelId: 1 }
      const { response } = await dialog.showMessageBox(options)
      return response === 0
    },
    tell: ({ message, detail }) =>
      void dialog.showMessageBox({ type: 'warning', message, detail, buttons: ['OK'] }),
    report: (error) => log.warn('no answer about newer versions', { error }),
  })
}
