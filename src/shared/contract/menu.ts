import { z } from 'zod'
import { defineCall, defineTopic, nothing } from './define'

/** The menus in their order. */
export const menuNames = ['file', 'edit', 'view', 'go', 'review', 'terminal', 'help'] as const
export type MenuName = (typeof menuNames)[number]

const menuItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string().min(1).max(100),
    title: z.string().min(1).max(200),
    /** In Mod notation, or null. Only shown in the menu: the page handles the key. */
    key: z.string().max(60).nullable(),
  }),
  z.object({ kind: z.literal('separator') }),
])
const menu = z.object({ name: z.enum(menuNames), items: z.array(menuItem).max(100) })
/** The page's commands in one menu. */
export type Menu = z.infer<typeof menu>

export const menuCalls = {
  /** Sets the page's commands in the native menu. */
  'menu.set': defineCall(z.object({ menus: z.array(menu).max(20) }), nothing),
}

export const menuTopics = {
  /** Each delta is a command chosen in the native menu. */
  menu: defineTopic(nothing, nothing, z.object({ command: z.string() })),
}
