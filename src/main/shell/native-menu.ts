import type { BaseWindow, MenuItemConstructorOptions } from 'electron/main'

/** What the menu can have done; each acts on the window that has the focus. */
export interface MenuActions {
  newWindow(): void
  openFolder(window: BaseWindow | undefined): void
  closeWindow(window: BaseWindow | undefined): void
  reload(window: BaseWindow | undefined): void
  quit(): void
}

/**
 * The native menu as data. Keys belong to the page, above all to its terminals (Ctrl+W, Ctrl+R, Ctrl+C are theirs):
 * outside macOS, where the system's keys are Cmd, the menu shows names and takes no key.
 */
export function describeMenu(platform: NodeJS.Platform, actions: MenuActions): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const keys = (accelerator: string) => (mac ? { accelerator } : {})
  const edit = (
    role: 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll',
  ): MenuItemConstructorOptions => ({
    role,
    registerAccelerator: mac,
  })
  const item = (
    id: string,
    label: string,
    accelerator: string,
    act: (window: BaseWindow | undefined) => void,
  ): MenuItemConstructorOptions => ({
    id,
    label,
    ...keys(accelerator),
    click: (_item, window) => act(window),
  })

  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: 'File',
      submenu: [
        item('new-window', 'New Window', 'Shift+Cmd+N', actions.newWindow),
        item('open-folder', 'Open Folder…', 'Cmd+O', actions.openFolder),
        { type: 'separator' },
        item('close-window', 'Close Window', 'Shift+Cmd+W', actions.closeWindow),
        ...(mac ? [] : [item('quit', 'Quit', '', actions.quit)]),
      ],
    },
    {
      label: 'Edit',
      submenu: [
        edit('undo'),
        edit('redo'),
        { type: 'separator' },
        edit('cut'),
        edit('copy'),
        edit('paste'),
        edit('selectAll'),
      ],
    },
    {
      label: 'View',
      submenu: [
        item('reload', 'Reload', 'Cmd+R', actions.reload),
        { role: 'toggleDevTools' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    mac
      ? { role: 'windowMenu' }
      : { label: 'Window', submenu: [{ role: 'minimize', registerAccelerator: false }] },
  ]
}
