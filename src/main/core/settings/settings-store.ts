import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Listen, Emitter } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import {
  type SettingName,
  type Settings,
  defaultSettings,
  settingNames,
} from '../../../shared/settings/all-settings'
import { notRegular, readBytesSync } from '../files/regular-file'
import { privateFileMode } from '../platform/file-modes'
import { setAsideWhenBroken } from './broken-file'
import { keepComments, parseSettings, placeProblem, readSettingsText } from './settings-text'

/** The person's settings. One per data directory; only the process that owns it writes. */
export interface SettingsStore {
  /** All settings, with defaults for those not set. The same object until something changes. */
  get(): Settings
  /** Only those that are set. */
  stored(): Partial<Settings>
  /**
   * Changes some settings and saves them. The contract has validated the values. Fails as `unreadable`, and as
   * `unwritable` if the disk refuses; then nothing has changed.
   */
  set(change: Partial<Settings>, reset?: readonly SettingName[]): Done
  /** Tells exactly what changed. */
  readonly onChange: Listen<Partial<Settings>>
  /** What was wrong with the stored settings, as sentences for notices; empty if nothing. */
  readonly problems: readonly string[]
  /** settings.json; null if nothing is kept. */
  readonly path: string | null
  /** Why the file in its current state does not apply; null if it does. */
  readonly problem: string | null
  /** Tells when `problem` has changed. */
  readonly onProblem: Listen<string | null>
  /** Reads the file again because somebody else wrote it: either everything in it applies then, or nothing new. */
  reload(): void
  /** Creates the file for an editor if there is none. Throws if the disk refuses. */
  ensureFile(): void
}

/** Stores the values: electron-store in the shell, conf in the headless host. Both are the same class underneath. */
export interface SettingsFile {
  readonly path: string
  store: Record<string, unknown>
}

/** How both hosts open the file, so that they read each other's: DATA/settings.json, readable by its owner only. */
function fileOptions(dataDirectory: string) {
  return {
    cwd: dataDirectory,
    ...keepComments(),
    accessPropertiesByDotNotation: false,
    configFileMode: privateFileMode,
  }
}

/** The settings of a data directory. A broken file is set aside first, and `problems` says so. */
export function openSettingsFile(
  dataDirectory: string,
  open: (name: string, options: ReturnType<typeof fileOptions>) => SettingsFile,
): SettingsStore {
  const problem = setAsideWhenBroken(join(dataDirectory, 'settings.json'))
  return createSettingsStore(open('settings', fileOptions(dataDirectory)), problem ? [problem] : [])
}

const newFile = `{
  // Greenlight's settings. A setting that isn't here has its default. All settings are listed in the
  // user guide, and in Greenlight under Settings. Changes apply as soon as you save.
}
`

/** Settings kept in a file. An invalid value counts as not set and is told in `problems`. */
export function createSettingsStore(file: SettingsFile, before: readonly string[] = []): SettingsStore {
  const text = () => {
    const read = readText(file.path)
    return read.ok ? read.value : null
  }
  const { values, problems: wrong } = readSettingsText(text() ?? '')
  const problems = [...before]
  const invalid = wrong.filter((one) => one.kind === 'error')
  if (invalid.length > 0) {
    problems.push(
      `Some settings have invalid values, so their defaults apply. ${invalid.map(placeProblem).join(' ')} Change them in the settings.`,
    )
  }
  const changes = new Emitter<Partial<Settings>>()
  const reports = new Emitter<string | null>()
  let stored = values
  let current: Settings = { ...defaultSettings, ...values }
  let problem: string | null = null
  const use = (next: Partial<Settings>) => {
    const change = differing(current, { ...defaultSettings, ...next })
    stored = next
    if (Object.keys(change).length === 0) return
    current = { ...current, ...change }
    changes.emit(change)
  }
  const report = (sentence: string | null) => {
    if (sentence === problem) return
    problem = sentence
    reports.emit(sentence)
  }
  /** Takes all of what the file says, or nothing. */
  const take = () => {
    const whole = readText(file.path)
    if (!whole.ok) return report(whole.failure.message)
    const read = readSettingsText(whole.value ?? '')
    const error = read.problems.find((one) => one.kind === 'error')
    if (!error) use(read.values)
    report(error ? placeProblem(error) : null)
  }
  return {
    get: () => current,
    stored: () => stored,
    onChange: changes.on,
    onProblem: reports.on,
    problems,
    path: file.path,
    get problem() {
      return problem
    },
    set(change, reset = []) {
      // Somebody else may have written the file a moment ago.
      take()
      const whole = readText(file.path)
      if (!whole.ok || parseSettings(whole.value ?? '') === null) {
        return fail(
          'unreadable',
          `Nothing was changed, because settings.json can’t be read. ${problem ?? ''} Fix it first.`,
        )
      }
      try {
        const raw = file.store
        const next = withChange(raw, change, reset)
        if (JSON.stringify(next) !== JSON.stringify(raw)) file.store = next
      } catch (error) {
        return fail('unwritable', describeUnwritable('settings.json', error))
      }
      use(withChange(stored, change, reset))
      take()
      return succeed({})
    },
    reload: take,
    ensureFile() {
      if (text() === null) writeFileSync(file.path, newFile, { mode: privateFileMode, flag: 'wx' })
    },
  }
}

/** The sentence for settings that the disk refused. An error that is not the system's is a bug, and is rethrown. */
export function describeUnwritable(name: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  return `Nothing was changed, because ${name} can’t be written (${code}). Check its permissions and the disk.`
}

/** The settings in `next` that differ from `current`. */
export function differing(current: Settings, next: Settings): Partial<Settings> {
  return Object.fromEntries(
    settingNames
      .filter((name) => JSON.stringify(current[name]) !== JSON.stringify(next[name]))
      .map((name) => [name, next[name]]),
  )
}

function withChange<T extends Record<string, unknown>>(
  values: T,
  change: Partial<Settings>,
  reset: readonly SettingName[],
): T {
  const next: Record<string, unknown> = { ...values, ...change }
  for (const name of reset) delete next[name]
  return next as T
}

/** Null if there is no file. Fails as `unreadable` if there is one: that is not the same as no settings. */
function readText(path: string): Result<string | null> {
  try {
    return succeed(readBytesSync(path).toString('utf8'))
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return succeed(null)
    if (code === notRegular) return fail('unreadable', `${path} isn’t a regular file.`)
    return fail('unreadable', `Greenlight isn’t allowed to read it (${code}).`)
  }
}
