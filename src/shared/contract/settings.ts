import { z } from 'zod'
import { longestPattern, mostPathRules } from '../gate/path-rule'
import { type SettingName, type Settings, declarations, settingNames } from '../settings/all-settings'
import type { Setting, ValueOf } from '../settings/setting'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

export type { Settings }

/** A program that the person wants in the New terminal menu. */
export const ownProfile = z.object({
  id: z.string().min(1).max(100),
  title: z.string().min(1).max(100),
  command: z.string().min(1).max(4096),
  args: z.array(z.string().max(4096)).max(100),
})

/** A rule by path. One whose pattern can't hold stays in the file and counts for nothing. */
const pathRule = z.object({
  pattern: z.string().min(1).max(longestPattern),
  answer: z.enum(['write', 'ask', 'never']),
})

type Declared = typeof declarations
type OtherName = { [K in SettingName]: Declared[K]['kind'] extends 'other' ? K : never }[SettingName]

/** The schemas of settings with a shape of their own. */
const otherSchemas: { [K in OtherName]: z.ZodType<ValueOf<Declared[K]>> } = {
  terminalProfiles: z.array(ownProfile).max(50),
  reviewPathRules: z.array(pathRule).max(mostPathRules),
  keys: z.record(z.string().max(100), z.array(z.string().min(1).max(60)).max(5)),
}

function schemaOf(name: SettingName): z.ZodType {
  const declared: Setting = declarations[name]
  switch (declared.kind) {
    case 'switch':
      return z.boolean()
    case 'choice':
      return z.enum(declared.options.map(([value]) => value))
    case 'number': {
      const number = z.number().min(declared.min).max(declared.max)
      return declared.step === 1 ? number.int() : number
    }
    case 'text':
      return z.string().max(declared.longest)
    case 'list':
      return z.array(z.string().min(1).max(declared.longest)).max(declared.most)
    case 'other':
      return otherSchemas[name as OtherName]
  }
}

/** A schema for each setting, made of its declaration. */
export const settingSchemas = Object.fromEntries(settingNames.map((name) => [name, schemaOf(name)])) as {
  [K in SettingName]: z.ZodType<Settings[K]>
}

type WithDefaults = { [K in SettingName]: z.ZodDefault<z.ZodType<Settings[K]>> }

/** All settings with their defaults; unknown keys are ignored, and stay in the file. */
export const settings = z.object(
  Object.fromEntries(
    settingNames.map((name) => [name, schemaOf(name).default(declarations[name].default)]),
  ) as WithDefaults,
)

/** What is absent stays as it is. */
const someSettings = z.object(settingSchemas).partial()

/** Whose value: the person's for all windows, or the first folder's of this window. */
const target = z.enum(['person', 'folder'])
export type SettingsTarget = z.infer<typeof target>

/** Something wrong in a settings file. `from` and `to` are offsets; line and column count from 1. */
const settingsProblem = z.object({
  kind: z.enum(['error', 'warning']),
  sentence: z.string(),
  from: z.number(),
  to: z.number(),
  line: z.number(),
  column: z.number(),
})
export type SettingsProblem = z.infer<typeof settingsProblem>

/** Where the settings of a window come from. */
const settingsSources = z.object({
  /** settings.json; null where nothing is kept. */
  file: path.nullable(),
  /** The folder that may have its own values; null without a folder. */
  folder: z.object({ path, name: z.string() }).nullable(),
  /** Only what is set, by name. */
  person: z.record(z.string(), z.unknown()),
  inFolder: z.record(z.string(), z.unknown()),
  /** Why settings.json as it is now doesn't apply. */
  problem: z.string().nullable(),
})
export type SettingsSources = z.infer<typeof settingsSources>

const settingsText = z.string().max(1_000_000)

export const settingsCalls = {
  /** Changes settings where they are set: in the folder if it has its own value, else for the person. */
  'settings.set': defineCall(someSettings, nothing),
  /** Changes and resets settings in one place. */
  'settings.change': defineCall(
    z.object({ target, values: someSettings, reset: z.array(z.string().max(100)).max(200) }),
    resultOf(nothing),
  ),
  /** What is wrong with the text of a settings file, while somebody edits it. */
  'settings.check': defineCall(
    z.object({ text: settingsText }),
    z.object({ problems: z.array(settingsProblem) }),
  ),
  /** Opens settings.json in a tab, creating it if needed. */
  'settings.openFile': defineCall(nothing, resultOf(z.object({ path }))),
  /** The person's settings as a text to save. */
  'settings.export': defineCall(nothing, z.object({ text: z.string() })),
  /** Applies all settings of a text, or none if one of them is wrong. */
  'settings.import': defineCall(
    z.object({ text: settingsText }),
    resultOf(z.object({ changed: z.number().int(), unknown: z.array(z.string()) })),
  ),
}

export const settingsTopics = {
  /** The settings that apply in this window. */
  settings: defineTopic(nothing, settings, someSettings),
  'settings.sources': defineTopic(nothing, settingsSources, settingsSources),
}
