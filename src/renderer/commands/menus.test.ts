import { expect, it } from 'vitest'
import { describeMenus } from './menus'
import type { Command } from './registry'

const nothing = () => undefined

it('puts commands into their menus, by groups with a line between', () => {
  const commands: Command[] = [
    { id: 'b', title: 'B', menu: ['view', 2], run: nothing },
    { id: 'a', title: 'A', menu: ['view', 1], keys: ['Mod+B', 'F2'], run: nothing },
    { id: 'c', title: 'C', menu: ['view', 2], run: nothing },
    { id: 'd', title: 'D', run: nothing },
    { id: 'e', title: 'E', menu: ['file', 1], run: nothing },
  ]
  expect(describeMenus(commands, (command) => command.keys ?? [])).toEqual([
    { name: 'file', items: [{ kind: 'command', command: 'e', title: 'E', key: null }] },
    {
      name: 'view',
      items: [
        { kind: 'command', command: 'a', title: 'A', key: 'Mod+B' },
        { kind: 'separator' },
        { kind: 'command', command: 'b', title: 'B', key: null },
        { kind: 'command', command: 'c', title: 'C', key: null },
      ],
    },
  ])
})
