import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { isWithin } from '../../../shared/text/path-name'
import { readText } from '../../core/files/regular-file'

/** What the settings of Claude Code say of hooks; every other member is left alone. */
const hookSettings = z.object({
  disableAllHooks: z.boolean().optional().catch(undefined),
  allowManagedHooksOnly: z.boolean().optional().catch(undefined),
  disableSideloadFlags: z.boolean().optional().catch(undefined),
  hooks: z
    .record(z.string(), z.array(z.object({ hooks: z.array(z.unknown()) }).catch({ hooks: [] })))
    .optional()
    .catch(undefined),
})

/** Hooks are switched off for a folder. */
export interface HooksOff {
  /** The settings file that says so. */
  file: string
  /** The person's own hooks, which are off too, by the files that hold them. */
  own: readonly { file: string; count: number }[]
}

/** The settings files of Claude Code that count for a folder, the first of which counts most. */
export function settingsFiles(folder: string | undefined, configFolder: string): string[] {
  const inFolder = ['settings.local.json', 'settings.json'].map((name) => join('.claude', name))
  return [
    ...(folder === undefined ? [] : inFolder.map((name) => join(folder, name))),
    join(configFolder, 'settings.json'),
  ]
}

/** Whether settings files switch hooks off; the first that says something of it counts. */
export async function findHooksOff(files: readonly string[]): Promise<HooksOff | null> {
  const read = await Promise.all(files.map(async (file) => ({ file, settings: await readSettings(file) })))
  const saying = read.find(({ settings }) => settings?.disableAllHooks !== undefined)
  if (saying?.settings?.disableAllHooks !== true) return null
  const own = read.flatMap(({ file, settings }) => {
    const count = Object.values(settings?.hooks ?? {}).flatMap((all) =>
      all.flatMap(({ hooks }) => hooks),
    ).length
    return count === 0 ? [] : [{ file, count }]
  })
  return { file: saying.file, own }
}

/** The folder of an organisation's settings, which count more than any other. */
function managedFolder(platform: NodeJS.Platform = process.platform): string {
  switch (platform) {
    case 'darwin':
      return '/Library/Application Support/ClaudeCode'
    case 'win32':
      return 'C:\\Program Files\\ClaudeCode'
    default:
      return '/etc/claude-code'
  }
}

/** What of an organisation's settings keeps our hooks out. With the last, Claude Code doesn't start with plugins of ours. */
const keepingOut = ['disableAllHooks', 'allowManagedHooksOnly', 'disableSideloadFlags'] as const

/**
 * Whether an organisation's settings keep our hooks out: a file, and over it those of a folder beside it, by their names.
 * Of each member the last that says something of it counts.
 */
export async function isOffByPolicy(folder: string = managedFolder()): Promise<boolean> {
  const more = join(folder, 'managed-settings.d')
  const names = (await readdir(more).catch(() => [])).filter((name) => /^[^.].*\.json$/.test(name)).toSorted()
  const files = [join(folder, 'managed-settings.json'), ...names.map((name) => join(more, name))]
  const all = await Promise.all(files.map(readSettings))
  return keepingOut.some(
    (member) => all.findLast((settings) => settings?.[member] !== undefined)?.[member] === true,
  )
}

/** A file as the person knows it: home is `~`. */
export function shortName(file: string, home: string): string {
  return isWithin(home, file) ? `~${file.slice(home.length)}` : file
}

async function readSettings(file: string): Promise<z.infer<typeof hookSettings> | null> {
  return hookSettings.safeParse(parseJson(await readText(file).catch(() => ''))).data ?? null
}
