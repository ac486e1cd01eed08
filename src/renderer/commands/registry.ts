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
  /** Whether it makes sense now; absent: always. `target` is what has the focus, or had it before the palette. */
  when?: (target: Element | null) => boolean
  run: (target: Element | null) => void
  /** Runs again while its key is held. Never for what decides something. */
  repeats?: boolean
  /** A focused terminal gives up its key. Few commands may take one from it. */
  fromTerminal?: boolean
  /** Its menu, and its group in it: a line stands between groups. Absent: in no menu. */
  menu?: readonly [menu: MenuName, group: number]
  /** Kept out of the palette: it only makes sense as a key. */
  unlisted?: boolean
}

/** The person's own keys by command id; an empty list takes a command's keys away. */
export type KeyChanges = Readonly<Record<string, readonly string[]>>

interface Registry {
  commands: readonly Command[]
  changes: KeyChanges
}

const registry = createStore<Registry>()(() => ({ commands: [], changes: {} }))

/** Makes commands known until the result is disposed. A later one with the same id stands before an earlier one. */
export function registerCommands(commands: readonly Command[]): Disposable {
  registry.setState((state) => ({ commands: [...commands, ...state.commands] }))
  return disposable(() => {
    const gone = new Set(commands)
    registry.setState((state) => ({ commands: state.commands.filter((command) => !gone.has(command)) }))
  })
}

/** Puts the person's own keys in place of the default ones. */
export function changeKeys(changes: KeyChanges): void {
  registry.setState({ changes })
}

export function allCommands(): readonly Command[] {
  return registry.getState().commands
}

export function useCommands(): readonly Command[] {
  return useStore(registry, (state) => state.commands)
}

/** The keys of a command that hold now. */
export function keysOf(command: Command): readonly string[] {
  return registry.getState().changes[command.id] ?? command.keys ?? []
}

/** Hears every change of commands or keys. */
export function followCommands(hear: () => void): Disposable {
  return disposable(registry.subscribe(hear))
}

export function useKeyChanges(): KeyChanges {
  return useStore(registry, (state) => state.changes)
}

/** All commands known now, each once: of those with the same id the one that stands first. */
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

/** Runs a command by its id, where one that makes sense now is known. Tells whether it ran. */
export function runCommand(id: string, target: Element | null = focused()): boolean {
  const command = allCommands().find((other) => other.id === id && isRunnable(other, target))
  command?.run(target)
  return command !== undefined
}

export function focused(): Element | null {
  return typeof document === 'undefined' ? null : document.activeElement
}
