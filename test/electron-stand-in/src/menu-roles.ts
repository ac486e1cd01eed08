import type { StandInWindow } from './windows'
import { lack } from './strict'

/** A role by Electron's name. */
export type MenuRole = NonNullable<Electron.MenuItemConstructorOptions['role']>

/** What a role's item shows, and what it does with the window in front. */
interface RoleDescription {
  label: string
  accelerator?: string
  run?: (window: Electron.BrowserWindow | undefined, quit: () => void) => void
  submenu?: Electron.MenuItemConstructorOptions[]
}

const separator: Electron.MenuItemConstructorOptions = { type: 'separator' }

const roles: Partial<Record<MenuRole, RoleDescription>> = {
  about: { label: 'About', run: () => {} },
  close: { label: 'Close Window', accelerator: 'CommandOrControl+W', run: (window) => window?.close() },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', run: (window) => window?.minimize() },
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', run: (_window, quit) => quit() },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: 'F11',
    run: (window) => window?.setFullScreen(!window.isFullScreen()),
  },
  reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', run: (window) => window?.webContents.reload() },
  forceReload: {
    label: 'Force Reload',
    accelerator: 'Shift+CmdOrCtrl+R',
    run: (window) => window?.webContents.reloadIgnoringCache(),
  },
  toggleDevTools: {
    label: 'Toggle Developer Tools',
    accelerator: 'Ctrl+Shift+I',
    run: (window) => window?.webContents.toggleDevTools(),
  },
  resetZoom: {
    label: 'Actual Size',
    accelerator: 'CommandOrControl+0',
    run: (window) => window?.webContents.setZoomLevel(0),
  },
  zoomIn: {
    label: 'Zoom In',
    accelerator: 'CommandOrControl+Plus',
    run: (window) => window?.webContents.setZoomLevel(window.webContents.getZoomLevel() + 0.5),
  },
  zoomOut: {
    label: 'Zoom Out',
    accelerator: 'CommandOrControl+-',
    run: (window) => window?.webContents.setZoomLevel(window.webContents.getZoomLevel() - 0.5),
  },
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z', run: (window) => window?.webContents.undo() },
  redo: {
    label: 'Redo',
    accelerator: 'Shift+CommandOrControl+Z',
    run: (window) => window?.webContents.redo(),
  },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X', run: (window) => window?.webContents.cut() },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C', run: (window) => window?.webContents.copy() },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V', run: (window) => window?.webContents.paste() },
  delete: { label: 'Delete', run: (window) => window?.webContents.delete() },
  selectAll: {
    label: 'Select All',
    accelerator: 'CommandOrControl+A',
    run: (window) => window?.webContents.selectAll(),
  },
  help: { label: 'Help' },
  window: { label: 'Window' },
  fileMenu: { label: 'File', submenu: [{ role: 'quit' }] },
  editMenu: {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'delete' },
      separator,
      { role: 'selectAll' },
    ],
  },
  viewMenu: {
    label: 'View',
    submenu: [
      { role: 'reload' },
      { role: 'forceReload' },
      { role: 'toggleDevTools' },
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
    ],
  },
  windowMenu: { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
}

const byLowerCase = new Map(
  Object.entries(roles).map(([name, description]) => [name.toLowerCase(), description]),
)

/** What Electron says of a role; its case does not matter. @throws for a role that the stand-in lacks */
export function describeRole(role: string): RoleDescription {
  const description = byLowerCase.get(role.toLowerCase())
  if (!description) throw lack(`the menu role '${role}'`)
  return description
}

/** Does what a role's item does; false if the role does nothing by itself. */
export function runRole(
  role: string,
  window: StandInWindow | Electron.BrowserWindow | null | undefined,
  quit: () => void,
): boolean {
  const { run } = describeRole(role)
  run?.((window ?? undefined) as Electron.BrowserWindow | undefined, quit)
  return run !== undefined
}
