import type { StandInApp } from './app'
import { clipboard } from './clipboard'
import { dialog } from './dialogs'
import { screen } from './display'
import { ipcMain } from './ipc'
import { StandInMenu, StandInMenuItem } from './menu'
import { StandInNotification } from './notification'
import { powerMonitor } from './power-monitor'
import { session } from './session'
import { shell } from './shell'
import { lacking } from './strict'
import { nativeTheme } from './theme'
import { StandInContents } from './web-contents'
import { StandInWindow } from './windows'

/** Every name that `electron/main` exports, of which `electron/common` is a part. */
type MainName = keyof typeof Electron.Main
type CommonName = keyof typeof Electron.Common

/** What an app gets for `electron`, `electron/main` and `electron/common`. */
export type ElectronModule = Record<MainName | CommonName, unknown>

/** Puts the module together. The compiler asks for every name that Electron has; those we lack throw when used. */
export function makeElectronModule(app: StandInApp): ElectronModule {
  return {
    app,
    BrowserWindow: StandInWindow satisfies Pick<
      typeof Electron.BrowserWindow,
      'getAllWindows' | 'fromId' | 'fromWebContents' | 'getFocusedWindow'
    >,
    clipboard,
    dialog,
    ipcMain,
    Menu: StandInMenu,
    MenuItem: StandInMenuItem,
    nativeTheme,
    Notification: StandInNotification satisfies Pick<typeof Electron.Notification, 'isSupported'>,
    powerMonitor,
    screen,
    session,
    shell,
    webContents: StandInContents satisfies Pick<
      typeof Electron.WebContents,
      'fromId' | 'fromDevToolsTargetId' | 'getAllWebContents' | 'getFocusedWebContents'
    >,
    autoUpdater: lacking('autoUpdater'),
    BaseWindow: lacking('BaseWindow'),
    BrowserView: lacking('BrowserView'),
    ClipboardItem: lacking('ClipboardItem'),
    contentTracing: lacking('contentTracing'),
    crashReporter: lacking('crashReporter'),
    desktopCapturer: lacking('desktopCapturer'),
    globalShortcut: lacking('globalShortcut'),
    ImageView: lacking('ImageView'),
    inAppPurchase: lacking('inAppPurchase'),
    IpcMainServiceWorker: lacking('IpcMainServiceWorker'),
    MessageChannelMain: lacking('MessageChannelMain'),
    nativeImage: lacking('nativeImage'),
    net: lacking('net'),
    netLog: lacking('netLog'),
    powerSaveBlocker: lacking('powerSaveBlocker'),
    protocol: lacking('protocol'),
    pushNotifications: lacking('pushNotifications'),
    safeStorage: lacking('safeStorage'),
    ShareMenu: lacking('ShareMenu'),
    sharedTexture: lacking('sharedTexture'),
    systemPreferences: lacking('systemPreferences'),
    TouchBar: lacking('TouchBar'),
    Tray: lacking('Tray'),
    utilityProcess: lacking('utilityProcess'),
    View: lacking('View'),
    WebContentsView: lacking('WebContentsView'),
    webFrameMain: lacking('webFrameMain'),
    WebSocket: lacking('WebSocket'),
  }
}
