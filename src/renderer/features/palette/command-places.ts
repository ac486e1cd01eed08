import type { Command } from '../../commands/registry'

const places: Record<string, string> = {
  '': 'Everywhere',
  editor: 'In the editor',
  review: 'In a review',
  terminal: 'In a terminal',
  conversation: 'In a conversation',
  files: 'In the file tree',
  sessions: 'In the list of sessions',
}

export function placeName(place: string): string {
  return places[place] ?? `In ${place}`
}

/** Where a command's keys work; the lists of shortcuts are grouped by it. */
export function commandPlaceOf(command: Command): string {
  return command.scope ?? (command.id.startsWith('editor.') ? 'editor' : '')
}

/** Commands by place, in a fixed order and without empty places; sorted by title. */
export function groupByPlace(commands: readonly Command[]): [string, Command[]][] {
  const order = new Set([...Object.keys(places), ...commands.map(commandPlaceOf)])
  return [...order]
    .map((place): [string, Command[]] => [
      place,
      commands.filter((command) => commandPlaceOf(command) === place),
    ])
    .filter(([, group]) => group.length > 0)
    .map(([place, group]) => [place, group.toSorted((one, other) => one.title.localeCompare(other.title))])
}
