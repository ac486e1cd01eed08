import type { MenuItemConstructorOptions } from 'electron/main'
import { expect, test } from 'vitest'
import type { Menu } from '../../shared/contract/menu'
import { type MenuActions, acceleratorOf, describeMenu } from './native-menu'

function recordActions() {
  const done: string[] = []
  const actions: MenuActions = {
    newWindow: () => done.push('newWindow'),
    openFolder: () => done.push('openFolder'),
    closeWindow: () => done.push('closeWindow'),
    reload: () => done.push('reload'),
    quit: () => done.push('quit'),
    run: (command) => done.push(command),
  }
  return { done, actions }
}

const menus: Menu[] = [
  { name: 'file', items: [{ kind: 'command', command: 'file.save', title: 'Save & go', key: 'Mod+S' }] },
  {
    name: 'review',
    items: [
      { kind: 'separator' },
      { kind: 'command', command: 'review.acceptFile', title: 'Accept file', key: 'Mod+Enter' },
    ],
  },
]

function items(menu: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])
}

test('every item with a name of its own does something', () => {
  const { done, actions } = recordActions()
  for (const item of items(describeMenu('linux', actions, menus))) {
    item.click?.({} as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent)
  }
  expect(done.sort()).toEqual(['closeWindow', 'file.save', 'quit', 'reload', 'review.acceptFile'])
})

test('outside macOS no key that a terminal needs is taken', () => {
  const { actions } = recordActions()
  for (const item of items(describeMenu('linux', actions, menus))) {
    if (item.accelerator !== undefined) expect(item.registerAccelerator).toBe(false)
    expect(item.role).not.toBe('close')
    expect(item.role).not.toBe('windowMenu')
    if (['cut', 'copy', 'paste', 'undo', 'redo', 'selectAll', 'minimize'].includes(item.role ?? '')) {
      expect(item.registerAccelerator).toBe(false)
    }
  }
})

test('on macOS there is the menu of the app, and Quit is in it', () => {
  const menu = describeMenu('darwin', recordActions().actions, menus)
  expect(menu[0]).toEqual({ role: 'appMenu' })
  expect(items(menu).some((item) => item.id === 'quit')).toBe(false)
})

test('without a page there is still a way to a window and a folder', () => {
  const { done, actions } = recordActions()
  for (const item of items(describeMenu('linux', actions, []))) {
    item.click?.({} as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent)
  }
  expect(done).toEqual(['newWindow', 'openFolder', 'closeWindow', 'quit', 'reload'])
})

test('a key is shown and never decides: what the menu itself hears of it is passed over', () => {
  const { done, actions } = recordActions()
  const accept = items(describeMenu('darwin', actions, menus)).find((item) => item.id === 'review.acceptFile')
  expect(accept).toMatchObject({ accelerator: 'CmdOrCtrl+Enter', registerAccelerator: false })
  accept?.click?.({} as Electron.MenuItem, undefined, { triggeredByAccelerator: true })
  expect(done).toEqual([])
  accept?.click?.({} as Electron.MenuItem, undefined, { triggeredByAccelerator: false })
  expect(done).toEqual(['review.acceptFile'])
})

test('keys are written as Electron knows them, or not at all', () => {
  expect(acceleratorOf('Mod+Shift+P')).toBe('CmdOrCtrl+Shift+P')
  expect(acceleratorOf('Mod++')).toBe('CmdOrCtrl+Plus')
  expect(acceleratorOf('Alt+ArrowUp')).toBe('Alt+Up')
  expect(acceleratorOf('Ctrl+PageDown')).toBe('Ctrl+PageDown')
  expect(acceleratorOf('F7')).toBe('F7')
  expect(acceleratorOf('Mod+ü')).toBeNull()
})
