import { defineLayoutValue } from '../state/window/kept-layout'
import type { Command } from './registry'

const mostKept = 8

/** Ids of the commands that were run from the palette lately, the latest first; kept with the folder. */
export const recentCommands = defineLayoutValue<readonly string[]>('commands.recent', (stored) =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, mostKept) : [],
)

/** Notes that a command was run from the palette. */
export function rememberCommand(id: string): void {
  recentCommands.set([id, ...recentCommands.get().filter((other) => other !== id)].slice(0, mostKept))
}

/** Commands in two parts: those of late in their order, then the others by their titles. */
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
