import { AstrayKeys } from './astray-keys'
import { type Stroke, matchesKey } from './keys'
import { noteInput } from '../state/window/last-input'
import { type Command, allCommands, isRunnable, keysOf } from './registry'

/** Where a stroke lands, as far as it matters to commands. */
export interface StrokeTarget {
  target: Element | null
  inTerminal: boolean
}

/** The command that a stroke means here, the scoped ones first; null where it means none. */
export function commandFor(
  stroke: Stroke,
  place: StrokeTarget,
  commands: readonly Command[],
  mac: boolean,
): Command | null {
  const fitting = commands.filter(
    (command) =>
      (!place.inTerminal || command.fromTerminal === true) &&
      keysOf(command).some((key) => matchesKey(stroke, key, mac)) &&
      isRunnable(command, place.target),
  )
  return fitting.find((command) => command.scope !== undefined) ?? fitting[0] ?? null
}

/** Keys that are only pressed with others. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'])

/**
 * Hears every key of the page before anything in it does, and runs the command that it means. Keys that a command has
 * led astray go nowhere.
 */
export function dispatchKeys(window: Window, mac: boolean): void {
  const astray = new AstrayKeys(mac)
  const stop = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const hear = (event: KeyboardEvent) => {
    noteInput('keys')
    // While a character is being composed, every key belongs to the input method; 229 is the older sign of that.
    if (event.isComposing || event.keyCode === 229) return
    const target = event.target instanceof Element ? event.target : null
    if (!event.repeat) astray.press(event, target)
    // Dialogs and menus have their own keys, and a field that records a key takes all of them.
    if (target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [data-keys="capture"]')) return
    const inTerminal = target?.closest('.xterm, [data-keys="terminal"]') != null
    const command = commandFor(event, { target, inTerminal }, allCommands(), mac)
    if (!command) {
      if (astray.isAstray(event, target, allCommands(), performance.now())) stop(event)
      else if (!modifiers.has(event.key)) astray.forget()
      return
    }
    stop(event)
    if (event.repeat && command.repeats !== true) return
    astray.ran(command, target, performance.now())
    command.run(target)
  }
  window.addEventListener('keydown', hear, { capture: true })
  window.addEventListener(
    'pointerdown',
    () => {
      noteInput('pointer')
      astray.forget()
    },
    { capture: true },
  )
  window.addEventListener('focusin', () => astray.moved(performance.now()))
}
