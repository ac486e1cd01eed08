import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { MenuName } from '../../shared/contract/menu'
import { type Disposable, disposable } from '../../shared/lifetime'

/** Something a person can run: from the palette, by its keys, from a button. */
export interface Command {
  /** Stable, "room.verb"; keys are changed by it. */
  id: string
  /** Sentence case, as the palette shows it. */
  title: string
  /** Default keys in Mod notation; the first is the one shown. */
  keys?: readonly string[]
  /**
   * Where the focus must be: inside an element whose `data-scope` has this word. A scoped command's keys go before
   * everywhere's, and before those of the editor inside.
   */
  scope?: string
  /** Whether it makes sense now; by default always. `target` has the focus, or had it before the palette. */
  when?: (target: Element | null) => boolean
  run: (target: Element | null) => void
  /** Repeats while its key is held. Never for commands that decide something. */
  repeats?: boolean
  /** A focused terminal gives up its key. Few commands may take one from it. */
  fromTerminal?: boolean
  /** Its menu, and its group there; groups are separated by a line. Absent: in no menu. */
  menu?: readonly [menu: MenuName, group: number]
  /** Not in the palette: it only makes sense as a key. */
  unlisted?: boolean
}

/** The person's own keys by command id; an empty list takes a command's keys away. */
export type KeyChanges = Readonly<Record<string, readonly string[]>>

interface Registry {
  commands: readonly Command[]
  changes: KeyChanges
}

const registry = createStore<Registry>()(() => ({ commands: [], changes: {} }))

/** Registers commands until the result is disposed. Of two with the same id the later one takes precedence. */
export function registerCommands(commands: readonly Command[]): Disposable {
  registry.setState((state) => ({ commands: [...commands, ...state.commands] }))
  return disposable(() => {
    const gone = new Set(commands)
    registry.setState((state) => ({ commands: state.commands.filter((command) => !gone.has(command)) }))
  })
}

/** Replaces default keys with the person's own. */
export function changeKeys(changes: KeyChanges): void {
  registry.setState({ changes })
}

export function allCommands(): readonly Command[] {
  return registry.getState().commands
}

export function useCommands(): readonly Command[] {
  return useStore(registry, (state) => state.commands)
}

/** The current keys of a command. */
export function keysOf(command: Command): readonly string[] {
  return registry.getState().changes[command.id] ?? command.keys ?? []
}

/** Calls back on every change of commands or keys. */
export function followCommands(hear: () => void): Disposable {
  return disposable(registry.subscribe(hear))
}

export function useKeyChanges(): KeyChanges {
  return useStore(registry, (state) => state.changes)
}

/** All commands, one per id: the one that takes precedence. */
export function distinctCommands(commands: readonly Command[] = allCommands()): Command[] {
  return [...new Map([...commands].reverse().map((command) => [command.id, command])).values()].reverse()
}

/** The key to show beside a button or in a tooltip, followed; undefined where there is none. */
export function useKeyOf(id: string): string | undefined {
  return useStore(registry, (state) => {
    const command = state.commands.find((other) => other.id === id)
    return (state.changes[id] ?? command?.keys)?.[0]
  })
}

/** Whether a command can be run from here. */
export function isRunnable(command: Command, target: Element | null): boolean {
  if (command.scope !== undefined && !target?.closest(`[data-scope~="${command.scope}"]`)) return false
  return command.when?.(target) ?? true
}

/** Runs a command by id if it makes sense now. Gives whether it ran. */
export function runCommand(id: string, target: Element | null = focused()): boolean {
  const command = allCommands().find((other) => other.id === id && isRunnable(other, target))
  command?.run(target)
  return command !== undefined
}

export function focused(): Element | null {
  return typeof document === 'undefined' ? null : document.activeElement
}
