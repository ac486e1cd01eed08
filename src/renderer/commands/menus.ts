import type { Menu, MenuName } from '../../shared/contract/menu'
import type { Command } from './registry'

/** The menus in the contract's order; repeated here because the page can't import values from zod files. */
const order: readonly MenuName[] = ['file', 'edit', 'view', 'go', 'review', 'terminal', 'help']

/** The menus as data: the commands that name a menu, by group, in the order in which they were registered. */
export function describeMenus(
  commands: readonly Command[],
  keysOf: (command: Command) => readonly string[],
): Menu[] {
  return order.flatMap((name) => {
    const groups = new Map<number, Menu['items']>()
    for (const command of commands) {
      if (command.menu?.[0] !== name) continue
      const [, group] = command.menu
      const item = {
        kind: 'command',
        command: command.id,
        title: command.title,
        key: keysOf(command)[0] ?? null,
      } as const
      groups.set(group, [...(groups.get(group) ?? []), item])
    }
    const items = [...groups]
      .sort(([one], [other]) => one - other)
      .flatMap(([, group], index) => (index === 0 ? group : [{ kind: 'separator' as const }, ...group]))
    return items.length > 0 ? [{ name, items }] : []
  })
}
