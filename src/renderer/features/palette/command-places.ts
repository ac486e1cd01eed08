import type { Command } from '../../commands/registry'

const places: Record<string, string> = {
  '': 'Everywhere',
  editor: 'In the editor',
  review: 'In a review',
  terminal: 'In a terminal',
  files: 'In the file tree',
  conversation: 'In a conversation',
  sessions: 'In the list of sessions',
}

/** A place's name for the person. */
export function placeName(place: string): string {
  return places[place] ?? `In ${place}`
}

/** Where a command's keys work, as the lists of shortcuts group them. */
export function placeOf(command: Command): string {
  return command.scope ?? (command.id.startsWith('editor.') ? 'editor' : '')
}

/** Commands by their places, the places in the order of the list, the commands by their titles. */
export function groupByPlace(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>([
    ['', []],
    ['editor', []],
  ])
  for (const command of commands) {
    const group = groups.get(placeOf(command))
    if (group) group.push(command)
    else groups.set(placeOf(command), [command])
  }
  return [...groups].map(([place, group]) => [
    place,
    group.toSorted((one, other) => one.title.localeCompare(other.title)),
  ])
}
