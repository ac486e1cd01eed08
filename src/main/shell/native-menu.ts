import type { BaseWindow, KeyboardEvent, MenuItemConstructorOptions } from 'electron/main'
import type { Menu, MenuName } from '../../shared/contract/menu'

/** What the frame itself can do; each acts on the window that has the focus. */
export interface MenuActions {
  newWindow(): void
  openFolder(window: BaseWindow | undefined): void
  closeWindow(window: BaseWindow | undefined): void
  reload(window: BaseWindow | undefined): void
  quit(): void
  /** Runs a command of a window's page. */
  run(command: string, window: BaseWindow | undefined): void
}

type Items = MenuItemConstructorOptions[]
const separator: MenuItemConstructorOptions = { type: 'separator' }

const labels: Record<MenuName, string> = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  go: 'Go',
  review: 'Review',
  terminal: 'Terminal',
  help: 'Help',
}

/**
 * The native menu: the page's commands, as the focused window's page has told them, and beside them what only the frame
 * can do. Keys belong to the page, above all to its terminals (Ctrl+W, Ctrl+R, Ctrl+C are theirs), and only the page
 * knows when a decision may be made by key: the menu shows its commands' keys and takes none.
 */
export function describeMenu(
  platform: NodeJS.Platform,
  actions: MenuActions,
  menus: readonly Menu[],
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const keys = (accelerator: string) => (mac && accelerator !== '' ? { accelerator } : {})
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
  const commands = (name: MenuName): Items =>
    (menus.find((menu) => menu.name === name)?.items ?? []).map((one) =>
      one.kind === 'separator' ? separator : commandItem(one, actions),
    )
  /** A menu of parts with lines between; empty parts and empty menus are none. */
  const menu = (name: MenuName, ...parts: Items[]): Items => {
    const submenu = parts
      .filter((part) => part.length > 0)
      .flatMap((part, index) => (index === 0 ? part : [separator, ...part]))
    return submenu.length === 0 ? [] : [{ label: labels[name], submenu }]
  }
  const file = commands('file')
  /** While no page has told its commands. */
  const first = [
    item('new-window', 'New Window', '', actions.newWindow),
    item('open-folder', 'Open Folder…', '', actions.openFolder),
  ]

  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    ...menu('file', file.length > 0 ? file : first, [
      item('close-window', 'Close Window', 'Shift+Cmd+W', actions.closeWindow),
      ...(mac ? [] : [item('quit', 'Quit', '', actions.quit)]),
    ]),
    ...menu(
      'edit',
      [edit('undo'), edit('redo')],
      [edit('cut'), edit('copy'), edit('paste'), edit('selectAll')],
      commands('edit'),
    ),
    ...menu(
      'view',
      commands('view'),
      [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
      [item('reload', 'Reload', '', actions.reload), { role: 'toggleDevTools' }],
    ),
    ...menu('go', commands('go')),
    ...menu('review', commands('review')),
    ...menu('terminal', commands('terminal')),
    mac
      ? { role: 'windowMenu' }
      : { label: 'Window', submenu: [{ role: 'minimize', registerAccelerator: false }] },
    ...menu('help', commands('help')),
  ]
}

function commandItem(
  { command, title, key }: Extract<Menu['items'][number], { kind: 'command' }>,
  actions: MenuActions,
): MenuItemConstructorOptions {
  const accelerator = key === null ? null : acceleratorOf(key)
  return {
    id: command,
    label: title.replaceAll('&', '&&'),
    registerAccelerator: false,
    ...(accelerator === null ? {} : { accelerator }),
    click(_item, window, event: KeyboardEvent | undefined) {
      // macOS gives the menu each key that the page had no use for; then it is not a command's here.
      if (event?.triggeredByAccelerator !== true) actions.run(command, window)
    },
  }
}

const electronKeys: Record<string, string> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
  '+': 'Plus',
}

/** A key in Mod notation as Electron writes it; null for one that it cannot show. */
export function acceleratorOf(key: string): string | null {
  const parts = key.endsWith('++') ? [...key.slice(0, -2).split('+'), '+'] : key.split('+')
  const name = parts.at(-1) ?? ''
  const named = electronKeys[name] ?? name
  const known = /^([A-Z0-9]|F\d{1,2}|[!-/:-@[-`{-~]|[A-Z][a-z]+([A-Z][a-z]+)?)$/.test(named)
  if (!known) return null
  const held = parts.slice(0, -1).map((part) => (part === 'Mod' ? 'CmdOrCtrl' : part))
  return [...held, named].join('+')
}
