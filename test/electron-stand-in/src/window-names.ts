/** What the stand-in has of Electron's `BrowserWindow`. */
export type OfferedWindow =
  | 'id'
  | 'title'
  | 'webContents'
  | 'loadURL'
  | 'loadFile'
  | 'reload'
  | 'capturePage'
  | 'show'
  | 'showInactive'
  | 'hide'
  | 'focus'
  | 'blur'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
  | 'isVisible'
  | 'isFocused'
  | 'minimize'
  | 'isMinimized'
  | 'maximize'
  | 'unmaximize'
  | 'isMaximized'
  | 'setFullScreen'
  | 'isFullScreen'
  | 'restore'
  | 'getBounds'
  | 'setBounds'
  | 'getNormalBounds'
  | 'getContentBounds'
  | 'getSize'
  | 'setSize'
  | 'getPosition'
  | 'setPosition'
  | 'center'
  | 'moveTop'
  | 'setTitle'
  | 'getTitle'
  | 'setBackgroundColor'
  | 'getBackgroundColor'
  | 'flashFrame'
  | 'setMenu'
  | 'removeMenu'
  | 'setMenuBarVisibility'
  | 'setAutoHideMenuBar'
  | 'setRepresentedFilename'
  | 'setDocumentEdited'
  | 'setProgressBar'
  | 'setMinimumSize'

/** The events that it sends, and such that do not happen here. */
export const windowEvents: readonly string[] = [
  'ready-to-show',
  'show',
  'hide',
  'focus',
  'blur',
  'close',
  'closed',
  'minimize',
  'maximize',
  'unmaximize',
  'enter-full-screen',
  'leave-full-screen',
  'restore',
  'resize',
  'resized',
  'move',
  'moved',
  'page-title-updated',
  // Things that do not happen here.
  'responsive',
  'unresponsive',
  'session-end',
  'query-session-end',
]
