import type { MenuItemConstructorOptions } from 'electron/main'
import { expect, test } from 'vitest'
import { type MenuActions, describeMenu } from './native-menu'

function recordActions() {
  const done: string[] = []
  const actions: MenuActions = {
    newWindow: () => done.push('newWindow'),
    openFolder: () => done.push('openFolder'),
    closeWindow: () => done.push('closeWindow'),
    reload: () => done.push('reload'),
    quit: () => done.push('quit'),
  }
  return { done, actions }
}

function items(menu: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])
}

test('every item with a name of its own does something', () => {
  const { done, actions } = recordActions()
  for (const item of items(describeMenu('linux', actions))) {
    item.click?.({} as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent)
  }
  expect(done.sort()).toEqual(['closeWindow', 'newWindow', 'openFolder', 'quit', 'reload'])
})

test('outside macOS no key that a terminal needs is taken', () => {
  const { actions } = recordActions()
  for (const item of items(describeMenu('linux', actions))) {
    expect(item.accelerator).toBeUndefined()
    expect(item.role).not.toBe('close')
    expect(item.role).not.toBe('windowMenu')
    if (['cut', 'copy', 'paste', 'undo', 'redo', 'selectAll', 'minimize'].includes(item.role ?? '')) {
      expect(item.registerAccelerator).toBe(false)
    }
  }
})

test('on macOS there is the menu of the app, and Quit is in it', () => {
  const menu = describeMenu('darwin', recordActions().actions)
  expect(menu[0]).toEqual({ role: 'appMenu' })
  expect(items(menu).some((item) => item.id === 'quit')).toBe(false)
})
