import type { Command } from '../../commands/registry'
import { isMac } from '../../ui/browser/platform'

const places: Record<string, string> = {
  '': 'Everywhere',
  editor: 'In the editor',
  review: 'In a review',
  terminal: 'In a terminal',
  files: 'In the file tree',
}

/** A place's name for the person. */
export function placeName(place: string): string {
  return places[place] ?? `In ${place}`
}

/** Where a command's keys work, as the lists of shortcuts group them. */
export function placeOf(command: Command): string {
  return command.scope ?? (command.id.startsWith('editor.') ? 'editor' : '')
}

/** Keys of the editor itself, which are no commands of ours and stay as they are. */
export const editorOwn: readonly [title: string, key: string][] = [
  ['Find and replace', 'Mod+F'],
  ['Undo', 'Mod+Z'],
  ['Toggle line comment', 'Mod+/'],
  ['Select next occurrence', 'Mod+D'],
  ['Add cursor above', 'Mod+Alt+ArrowUp'],
  ['Add cursor below', 'Mod+Alt+ArrowDown'],
  ['Move line up', 'Alt+ArrowUp'],
  ['Move line down', 'Alt+ArrowDown'],
  ['Fold here', isMac ? 'Mod+Alt+[' : 'Ctrl+Shift+['],
  ['Unfold here', isMac ? 'Mod+Alt+]' : 'Ctrl+Shift+]'],
  ['Toggle Tab moving focus', isMac ? 'Alt+Shift+M' : 'Ctrl+M'],
]

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
