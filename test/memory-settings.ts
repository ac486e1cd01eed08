import { type SettingsStore, differing } from '../src/main/core/settings/settings-store'
import { Emitter } from '../src/shared/lifetime'
import { succeed } from '../src/shared/result'
import { type Settings, defaultSettings } from '../src/shared/settings/all-settings'

/** Settings that are kept in no file. */
export function createMemorySettingsStore(first: Partial<Settings> = {}): SettingsStore {
  const changes = new Emitter<Partial<Settings>>()
  let stored = first
  let current: Settings = { ...defaultSettings, ...first }
  return {
    get: () => current,
    stored: () => stored,
    onChange: changes.on,
    onProblem: new Emitter<string | null>().on,
    problems: [],
    path: null,
    problem: null,
    set(change, reset = []) {
      const next = { ...stored, ...change }
      for (const name of reset) delete next[name]
      stored = next
      const changed = differing(current, { ...defaultSettings, ...next })
      if (Object.keys(changed).length === 0) return succeed({})
      current = { ...current, ...changed }
      changes.emit(changed)
      return succeed({})
    },
    reload: () => undefined,
    ensureFile: () => undefined,
  }
}
