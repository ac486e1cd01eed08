import { type Command, keysOf, useCommands } from '../../commands/registry'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Kbd } from '../../ui/kbd'
import { keyLabel } from '../../ui/key-label'
import { isMac } from '../../ui/platform'
import './palette.css'

const places: Record<string, string> = {
  '': 'Everywhere',
  editor: 'In the editor',
  review: 'In a review',
  terminal: 'In a terminal',
}

/** Keys of the editor itself, which are no commands of ours. */
const editorOwn: readonly [title: string, key: string][] = [
  ['Find and replace', 'Mod+F'],
  ['Undo', 'Mod+Z'],
  ['Comment a line', 'Mod+/'],
  ['Select the next occurrence', 'Mod+D'],
  ['Leave the Tab key to the page', isMac ? 'Alt+Shift+M' : 'Ctrl+M'],
]

/** All keys, by the place where they work. */
export function ShortcutList({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const groups = groupByPlace(useCommands())
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      width={760}
      footer={<Button onClick={() => onOpenChange(false)}>Close</Button>}
    >
      <div className="dialog-body">
        <div className="shortcut-groups">
          {groups.map(([place, commands]) => (
            <section key={place} className="shortcut-group" aria-label={places[place] ?? place}>
              <h3>{places[place] ?? place}</h3>
              <ul>
                {commands.map((command) => (
                  <ShortcutLine key={command.id} title={command.title} keys={keysOf(command)} />
                ))}
                {place === 'editor'
                  ? editorOwn.map(([title, key]) => <ShortcutLine key={title} title={title} keys={[key]} />)
                  : null}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

function ShortcutLine({ title, keys }: { title: string; keys: readonly string[] }) {
  return (
    <li className="shortcut-line">
      <span>{title}</span>
      <span className="shortcut-keys">
        {keys.map((key) => (
          <span key={key}>
            <Kbd keys={key} />
            <span className="unseen">{keyLabel(key, isMac)}</span>
          </span>
        ))}
      </span>
    </li>
  )
}

function groupByPlace(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>([
    ['', []],
    ['editor', []],
  ])
  const seen = new Set<string>()
  for (const command of commands) {
    if (keysOf(command).length === 0 || seen.has(command.id)) continue
    seen.add(command.id)
    const place = command.scope ?? (command.id.startsWith('editor.') ? 'editor' : '')
    const group = groups.get(place)
    if (group) group.push(command)
    else groups.set(place, [command])
  }
  return [...groups].map(([place, group]) => [
    place,
    group.toSorted((one, other) => one.title.localeCompare(other.title)),
  ])
}
