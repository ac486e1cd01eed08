import { type Listen, Emitter } from '../../../shared/lifetime'
import { type Settings, settings as schema } from '../../../shared/contract/settings'

/** The person's settings. One per data directory; only the process that owns the directory writes. */
export interface SettingsStore {
  /** All settings, with the default for what is not set. The same object until something changes. */
  get(): Settings
  /** Changes some settings and keeps them. Values are already checked by the contract. */
  set(change: Partial<Settings>): void
  /** Hears each change with exactly what changed. */
  readonly onChange: Listen<Partial<Settings>>
  /** What was wrong with the stored settings, as sentences for notices; empty when all was well. */
  readonly problems: readonly string[]
}

/** What keeps the values: electron-store in the shell, conf in the headless host. Both are the same class underneath. */
export interface SettingsFile {
  readonly store: Record<string, unknown>
  set(values: Record<string, unknown>): void
}

/** How both hosts keep settings, so that they read each other's: DATA/settings.json, for its owner only. */
export const settingsFileName = 'settings'

/**
 * Changes that an older settings file needs, by the version that brings them; each works on the raw file and runs
 * once. Add one when a key is renamed or changes its meaning.
 */
export const settingsMigrations: Record<
  string,
  (file: {
    get(key: string): unknown
    set(key: string, value: unknown): void
    delete(key: string): void
  }) => void
> = {}

/** Settings kept in a file. A value that is not valid counts as not set and is told in `problems`. */
export function createSettingsStore(file: SettingsFile, before: readonly string[] = []): SettingsStore {
  const { settings, invalid } = readSettings(file.store)
  const problems = [...before]
  if (invalid.length > 0) {
    problems.push(
      `These settings have values that cannot be used, so their defaults apply: ${invalid.join(', ')}. Set them anew in the settings.`,
    )
  }
  return storeOf(settings, (change) => file.set(change), problems)
}

/** Settings that nobody keeps, for tests. */
export function createMemorySettingsStore(first: Partial<Settings> = {}): SettingsStore {
  return storeOf(schema.parse(first), () => undefined, [])
}

function storeOf(
  first: Settings,
  keep: (change: Partial<Settings>) => void,
  problems: readonly string[],
): SettingsStore {
  const changes = new Emitter<Partial<Settings>>()
  let current = first
  return {
    get: () => current,
    set(given) {
      const change = differing(current, given)
      if (Object.keys(change).length === 0) return
      keep(change)
      current = { ...current, ...change }
      changes.emit(change)
    },
    onChange: changes.on,
    problems,
  }
}

function differing(current: Settings, change: Partial<Settings>): Partial<Settings> {
  const known: Record<string, unknown> = current
  return Object.fromEntries(
    Object.entries(change).filter(
      ([name, value]) =>
        value !== undefined && name in known && JSON.stringify(known[name]) !== JSON.stringify(value),
    ),
  )
}

function readSettings(stored: Record<string, unknown>): { settings: Settings; invalid: string[] } {
  const invalid: string[] = []
  const valid: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!Object.hasOwn(stored, name)) continue
    const parsed = field.safeParse(stored[name])
    if (parsed.success) valid[name] = parsed.data
    else invalid.push(name)
  }
  return { settings: schema.parse(valid), invalid }
}
