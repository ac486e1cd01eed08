import { describeRole, runRole, type MenuRole } from './menu-roles'
import { lack, StrictEmitter, strictInstances, strictStatics } from './strict'
import { StandInWindow } from './windows'

type ItemOptions = Electron.MenuItemConstructorOptions

type OfferedOfItem =
  | 'id'
  | 'label'
  | 'sublabel'
  | 'toolTip'
  | 'type'
  | 'accelerator'
  | 'userAccelerator'
  | 'enabled'
  | 'visible'
  | 'checked'
  | 'registerAccelerator'
  | 'commandId'
  | 'click'

let quit = (): void => {}
let applicationMenu: StandInMenu | null = null
let nextCommand = 1

/** Tells the menus how the app quits. */
export function bindMenus(quitApp: () => void): void {
  quit = quitApp
}

/** Electron's `MenuItem`. */
export class StandInMenuItem implements Pick<Electron.MenuItem, OfferedOfItem> {
  readonly id: string
  readonly role: MenuRole | undefined
  readonly type: Electron.MenuItem['type']
  readonly accelerator: Electron.Accelerator | null
  readonly userAccelerator: Electron.Accelerator | null
  readonly registerAccelerator: boolean
  readonly commandId: number = nextCommand++
  readonly submenu: StandInMenu | undefined
  readonly icon = undefined
  label: string
  sublabel: string
  toolTip: string
  enabled: boolean
  visible: boolean
  checked: boolean
  /** As Electron calls it: without a window and contents unless the caller gives them. */
  readonly click: (event?: unknown, window?: Electron.BrowserWindow, contents?: Electron.WebContents) => void

  constructor(options: ItemOptions) {
    const described = options.role === undefined ? undefined : describeRole(options.role)
    const submenu = options.submenu ?? described?.submenu
    this.id = options.id ?? ''
    this.role = options.role
    this.label = options.label ?? described?.label ?? ''
    this.sublabel = options.sublabel ?? ''
    this.toolTip = options.toolTip ?? ''
    this.accelerator = options.accelerator ?? described?.accelerator ?? null
    this.userAccelerator = this.accelerator
    this.registerAccelerator = options.registerAccelerator ?? true
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    this.type = options.type ?? (submenu ? 'submenu' : 'normal')
    this.submenu = Array.isArray(submenu)
      ? StandInMenu.buildFromTemplate(submenu)
      : (submenu as unknown as StandInMenu | undefined)
    if (this.type === 'submenu' && !this.submenu) throw new Error('Invalid submenu')
    if (this.type === 'normal' && this.label === '' && described === undefined) {
      throw new Error('A menu item needs a label or a role')
    }
    this.click = (event, window) => {
      if (this.type === 'checkbox' || this.type === 'radio')
        this.checked = this.type === 'radio' || !this.checked
      if (this.role !== undefined && runRole(this.role, window, quit)) return
      options.click?.(this as unknown as Electron.MenuItem, window, event ?? {})
    }
  }
}

/** Electron's `Menu`. It is never drawn; tests find its items and click them. */
export class StandInMenu extends StrictEmitter implements Pick<Electron.Menu, 'popup' | 'closePopup'> {
  readonly items: StandInMenuItem[] = []

  constructor() {
    super('Menu', ['menu-will-show', 'menu-will-close'])
  }

  static buildFromTemplate(template: readonly (ItemOptions | StandInMenuItem)[]): StandInMenu {
    const menu = new StandInMenu()
    for (const item of template)
      menu.append(item instanceof StandInMenuItem ? item : new StandInMenuItem(item))
    return menu
  }

  static setApplicationMenu(menu: StandInMenu | null): void {
    applicationMenu = menu
  }

  static getApplicationMenu(): StandInMenu | null {
    return applicationMenu
  }

  append(item: StandInMenuItem): void {
    this.items.push(item)
  }

  insert(position: number, item: StandInMenuItem): void {
    this.items.splice(position, 0, item)
  }

  getMenuItemById(id: string): StandInMenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }

  /** The menu counts as shown until `closePopup`; a test clicks its items meanwhile. */
  popup(): void {
    if (!StandInWindow.getFocusedWindow()) throw lack('Menu.popup without a focused window')
    this.emit('menu-will-show')
  }

  closePopup(): void {
    this.emit('menu-will-close')
  }
}

strictStatics('Menu', StandInMenu)
strictInstances('MenuItem', StandInMenuItem)
