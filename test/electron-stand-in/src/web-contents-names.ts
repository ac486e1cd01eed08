/** What the stand-in has of Electron's `WebContents`. */
export type OfferedContents =
  | 'id'
  | 'ipc'
  | 'mainFrame'
  | 'session'
  | 'send'
  | 'setWindowOpenHandler'
  | 'loadURL'
  | 'loadFile'
  | 'reload'
  | 'reloadIgnoringCache'
  | 'getURL'
  | 'getTitle'
  | 'isLoading'
  | 'isLoadingMainFrame'
  | 'isDestroyed'
  | 'isCrashed'
  | 'isFocused'
  | 'focus'
  | 'close'
  | 'executeJavaScript'
  | 'capturePage'
  | 'forcefullyCrashRenderer'
  | 'openDevTools'
  | 'closeDevTools'
  | 'toggleDevTools'
  | 'isDevToolsOpened'
  | 'getZoomFactor'
  | 'setZoomFactor'
  | 'getZoomLevel'
  | 'setZoomLevel'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'delete'
  | 'selectAll'

/** The events that it sends, and such that do not happen here. */
export const contentsEvents: readonly string[] = [
  'did-start-loading',
  'did-navigate',
  'did-navigate-in-page',
  'dom-ready',
  'did-finish-load',
  'did-stop-loading',
  'did-fail-load',
  'page-title-updated',
  'will-navigate',
  'will-redirect',
  'will-prevent-unload',
  'render-process-gone',
  'console-message',
  'preload-error',
  'destroyed',
  'focus',
  'blur',
  // Things that do not happen here: there are no webviews, no certificates and no hanging of what is in use.
  'will-attach-webview',
  'certificate-error',
  'responsive',
  'unresponsive',
]
