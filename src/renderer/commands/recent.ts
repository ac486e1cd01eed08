import { defineLayoutValue } from '../state/window/kept-layout'
import type { Command } from './registry'

const mostKept = 8

/** Ids of the commands last run from the palette, the latest first; kept per folder. */
export const recentCommands = defineLayoutValue<readonly string[]>('commands.recent', (stored) =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, mostKept) : [],
)

/** Records that a command was run from the palette. */
export function rememberCommand(id: string): void {
  recentCommands.set([id, ...recentCommands.get().filter((other) => other !== id)].slice(0, mostKept))
}

/** Splits commands into recent ones in their order and the others by title. */
export function splitRecent(
  commands: readonly Command[],
  recent: readonly string[],
): { recent: Command[]; others: Command[] } {
  const late = recent.flatMap((id) => commands.find((command) => command.id === id) ?? [])
  const others = commands
    .filter((command) => !late.includes(command))
    .toSorted((one, other) => one.title.localeCompare(other.title))
  return { recent: late, others }
}
