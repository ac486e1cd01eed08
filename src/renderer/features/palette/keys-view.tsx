import { type ComponentProps, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { fixedCommands } from '../../commands/fixed-keys'
import { chooseKey, conflictsOf } from '../../commands/key-choice'
import {
  type Command,
  type KeyChanges,
  distinctCommands,
  keysOf,
  useCommands,
  useKeyChanges,
} from '../../commands/registry'
import { changeSetting, resetSettings } from '../../state/settings/settings-sources'
import { Button } from '../../ui/controls/button'
import { announce } from '../../ui/browser/live-region'
import { Kbd } from '../../ui/controls/kbd'
import { keyLabel } from '../../ui/wording/key-label'
import { isMac } from '../../ui/browser/platform'
import { groupByPlace, placeName, commandPlaceOf } from './command-places'
import './palette.css'

/** Keys that can't be changed; conflicts with them are told too. */
const fixed: readonly Command[] = fixedCommands(isMac).map((command) => ({
  ...command,
  title: `${command.title} (${commandPlaceOf(command) === 'editor' ? 'built into the editor' : 'fixed'})`,
}))

/** Gives a command keys of its own; null: its default ones. */
function changeKeysOf(id: string, keys: string[] | null): void {
  void changeSetting('person', 'keys', (now) => {
    if (keys !== null) return { ...now, [id]: keys }
    const others = Object.entries(now).filter(([other]) => other !== id)
    return others.length === 0 ? null : Object.fromEntries(others)
  })
}

/** All commands with their keys, to search and change. */
export function KeysView() {
  const changes = useKeyChanges()
  const all = distinctCommands(useCommands())
  const [search, setSearch] = useState('')
  const [listening, setListening] = useState<string | null>(null)
  const wanted = search.trim().toLowerCase()
  const shown = all.filter((command) => isFound(command, wanted))
  const changed = Object.keys(changes).length
  return (
    <section className="keys-view fills" aria-label="Keyboard shortcuts">
      <div className="keys-head row">
        <input
          type="search"
          data-entrance
          className="field keys-search"
          aria-label="Search keyboard shortcuts"
          placeholder="Search by words or by key, such as Ctrl+S"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button
          disabled={changed === 0}
          onClick={() => {
            resetSettings('person', ['keys'])
            announce('All keys are back to their defaults.')
          }}
        >
          Reset all{changed > 0 ? ` · ${changed}` : ''}
        </Button>
      </div>
      <div className="keys-body scrolls">
        {shown.length === 0 ? <p className="keys-empty">No matching commands</p> : null}
        {groupByPlace(shown).map(([place, commands]) => (
          <section key={place} className="keys-group" aria-label={placeName(place)}>
            <h3 className="aside">{placeName(place)}</h3>
            <ul>
              {commands.map((command) => (
                <KeyRow
                  key={command.id}
                  command={command}
                  all={all}
                  changes={changes}
                  isListening={listening === command.id}
                  onListen={(on) => setListening(on ? command.id : null)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  )
}

function isFound(command: Command, wanted: string): boolean {
  if (wanted === '') return true
  const labels = keysOf(command).flatMap((key) => [keyLabel(key, isMac), key])
  return [command.title, placeName(commandPlaceOf(command)), ...labels].some((words) =>
    words.toLowerCase().includes(wanted),
  )
}

interface RowProps {
  command: Command
  all: readonly Command[]
  changes: KeyChanges
  isListening: boolean
  onListen: (on: boolean) => void
}

function KeyRow({ command, all, changes, isListening, onListen }: RowProps) {
  const keys = keysOf(command)
  const isChanged = command.id in changes
  const conflicts = useMemo(() => {
    return keys.length === 0 ? [] : conflictsOf(command, [...all, ...fixed], keysOf, isMac)
  }, [command, all, keys])
  const button = useRef<HTMLButtonElement>(null)
  const finish = () => {
    onListen(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const take = (key: string) => {
    const isDefault = command.keys?.length === 1 && command.keys[0] === key
    changeKeysOf(command.id, isDefault ? null : [key])
    announce(`${command.title}: ${keyLabel(key, isMac)}.`)
    finish()
  }
  return (
    <li className="keys-row" data-changed={isChanged} aria-label={command.title}>
      <span>
        {command.title}
        {isChanged ? <span className="unseen">, changed</span> : null}
      </span>
      {isListening ? (
        <KeyCapture onKey={take} onEnd={finish} onLeave={() => onListen(false)} title={command.title} />
      ) : (
        <span className="keys-of">
          {keys.length === 0 ? <span className="keys-none">No key</span> : null}
          {keys.map((key) => (
            <span key={key}>
              <Kbd keys={key} />
              <span className="unseen">{keyLabel(key, isMac)}</span>
            </span>
          ))}
        </span>
      )}
      <span className="keys-does">
        <KeyButton ref={button} of={command} onClick={() => onListen(!isListening)}>
          Change
        </KeyButton>
        {keys.length > 0 ? (
          <KeyButton of={command} onClick={() => changeKeysOf(command.id, [])}>
            Remove
          </KeyButton>
        ) : null}
        {isChanged ? (
          <KeyButton of={command} onClick={() => changeKeysOf(command.id, null)}>
            Reset
          </KeyButton>
        ) : null}
      </span>
      {conflicts.map(({ key, others }) => (
        <span key={key} className="keys-note" role="note">
          {keyLabel(key, isMac)} also means {others.map((other) => `“${other.title}”`).join(', ')}.
        </span>
      ))}
    </li>
  )
}

function KeyButton({ of, ...props }: ComponentProps<typeof Button> & { of: Command; children: string }) {
  return (
    <Button size="small" variant="quiet" aria-label={`${props.children} the key of ${of.title}`} {...props} />
  )
}

/** Waits for the new key. Escape or moving the focus keeps the old one. */
function KeyCapture({
  title,
  onKey,
  onEnd,
  onLeave,
}: {
  title: string
  onKey: (key: string) => void
  onEnd: () => void
  /** The focus has gone elsewhere and should stay there. */
  onLeave: () => void
}) {
  const [refused, setRefused] = useState<string | null>(null)
  const field = useRef<HTMLSpanElement>(null)
  useEffect(() => field.current?.focus(), [])
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    // The key that opened this may still be held.
    if (event.repeat) return
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'Escape' && isPlain) return onEnd()
    const chosen = chooseKey(event.nativeEvent, isMac)
    if (chosen === null) return
    if (chosen.kind === 'key') return onKey(chosen.key)
    setRefused(chosen.sentence)
    announce(chosen.sentence)
  }
  return (
    <>
      {/* Not a text field: it takes one key press, and commands' keys do nothing meanwhile. */}
      <span
        ref={field}
        className="keys-listening"
        role="button"
        tabIndex={0}
        data-keys="capture"
        aria-label={`Press a new key for ${title}. Escape keeps the old one.`}
        onKeyDown={hear}
        onBlur={onLeave}
      >
        Press the new key
      </span>
      {refused === null ? null : <span className="keys-note">{refused}</span>}
    </>
  )
}
