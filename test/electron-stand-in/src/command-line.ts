import { strict } from './strict'

/** What the executable was started with. */
export interface Invocation {
  /** Modules to load before the app (`-r`). */
  requires: string[]
  /** Switches before the app's path, without their dashes: these are for Electron and Chromium. */
  switches: Map<string, string>
  /** The app's folder or file. */
  app: string | undefined
  /** Everything after the app's path: the app's own. */
  rest: string[]
}

/** Reads the arguments as Electron does: its own come before the app's path. */
export function parseInvocation(args: readonly string[]): Invocation {
  const invocation: Invocation = { requires: [], switches: new Map(), app: undefined, rest: [] }
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? ''
    if (argument === '-r' || argument === '--require') {
      invocation.requires.push(args[++at] ?? '')
    } else if (argument.startsWith('--')) {
      const [, name = '', value = ''] = /^--([^=]*)(?:=(.*))?$/s.exec(argument) ?? []
      invocation.switches.set(name, value)
    } else {
      invocation.app = argument
      invocation.rest = args.slice(at + 1)
      break
    }
  }
  return invocation
}

/** The switches that go to Chromium: the command line's, and what the app adds before `ready`. */
export class Switches {
  readonly #map = new Map<string, string>()

  constructor(given: ReadonlyMap<string, string>) {
    for (const [name, value] of given) if (!name.startsWith('inspect')) this.#map.set(name, value)
  }

  get all(): ReadonlyMap<string, string> {
    return this.#map
  }

  /** `app.commandLine` */
  readonly commandLine = strict('app.commandLine', {
    appendSwitch: (name: string, value = ''): void => void this.#map.set(name.replace(/^--/, ''), value),
    hasSwitch: (name: string): boolean => this.#map.has(name),
    getSwitchValue: (name: string): string => this.#map.get(name) ?? '',
    removeSwitch: (name: string): void => void this.#map.delete(name),
  }) satisfies Pick<Electron.CommandLine, 'appendSwitch' | 'hasSwitch' | 'getSwitchValue' | 'removeSwitch'>
}
