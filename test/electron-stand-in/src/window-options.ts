import { isAbsolute } from 'node:path'
import { lack } from './strict'

type Options = Electron.BrowserWindowConstructorOptions
type Preferences = Electron.WebPreferences

/** Options that are honoured, and such that change nothing but what a person sees around the page. */
const knownOptions = new Set<keyof Options>([
  'width',
  'height',
  'x',
  'y',
  'minWidth',
  'minHeight',
  'show',
  'title',
  'webPreferences',
  'center',
  'backgroundColor',
  'icon',
  'autoHideMenuBar',
  'titleBarStyle',
  'titleBarOverlay',
  'trafficLightPosition',
  'darkTheme',
  'resizable',
  'paintWhenInitiallyHidden',
])

/** Preferences that are honoured, and such that the stand-in's pages always have. */
const knownPreferences = new Set<keyof Preferences>([
  'preload',
  'sandbox',
  'contextIsolation',
  'nodeIntegration',
  'nodeIntegrationInWorker',
  'nodeIntegrationInSubFrames',
  'webSecurity',
  'webviewTag',
  'allowRunningInsecureContent',
  'navigateOnDragDrop',
  'spellcheck',
  'devTools',
  'backgroundThrottling',
  'disableBlinkFeatures',
  'enableWebSQL',
  'safeDialogs',
])

/** What the stand-in's pages are, whatever the app asks for: another wish is refused. */
const required: Preferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
}

/** @throws for every option that the stand-in would silently leave out */
export function checkWindowOptions(options: Options): void {
  for (const name of Object.keys(options)) {
    if (!(knownOptions as Set<string>).has(name)) throw lack(`new BrowserWindow({ ${name} })`)
  }
  const preferences: Preferences = options.webPreferences ?? {}
  for (const [name, value] of Object.entries(preferences)) {
    if (!(knownPreferences as Set<string>).has(name)) throw lack(`webPreferences.${name}`)
    const needed = required[name as keyof Preferences] as unknown
    if (needed !== undefined && value !== undefined && value !== needed) {
      throw lack(`webPreferences.${name}: ${String(value)}`)
    }
  }
  if (preferences.preload !== undefined && !isAbsolute(preferences.preload)) {
    throw new Error(`preload must be an absolute path: ${preferences.preload}`)
  }
}
