import { z } from 'zod'
import { type SettingName, type Settings, declarations, settingNames } from '../settings/all-settings'
import type { Setting, ValueOf } from '../settings/setting'
import { defineCall, defineTopic, nothing } from './define'

export type { Settings }

/** A program that the person wants in the New terminal menu. */
export const ownProfile = z.object({
  id: z.string().min(1).max(100),
  title: z.string().min(1).max(100),
  command: z.string().min(1).max(4096),
  args: z.array(z.string().max(4096)).max(100),
})

type Declared = typeof declarations
type OtherName = { [K in SettingName]: Declared[K]['kind'] extends 'other' ? K : never }[SettingName]

/** The schemas of settings with a shape of their own. */
const otherSchemas: { [K in OtherName]: z.ZodType<ValueOf<Declared[K]>> } = {
  terminalProfiles: z.array(ownProfile).max(50),
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

/** All settings with their defaults; an unknown key is kept in the file and ignored. */
export const settings = z.object(
  Object.fromEntries(
    settingNames.map((name) => [name, schemaOf(name).default(declarations[name].default)]),
  ) as WithDefaults,
)

/** Some settings; what is absent stays as it is. */
const someSettings = z.object(settingSchemas).partial()

export const settingsCalls = {
  /** Changes some settings; the rest stay. */
  'settings.set': defineCall(someSettings, nothing),
}

export const settingsTopics = {
  settings: defineTopic(nothing, settings, someSettings),
}
