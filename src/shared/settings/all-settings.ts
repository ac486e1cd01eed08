import { agentSettings } from './agent-settings'
import { attentionSettings } from './attention-settings'
import { contextSettings } from './context-settings'
import { editorSettings } from './editor-settings'
import { fileSettings } from './file-settings'
import { keySettings } from './key-settings'
import { lookSettings } from './look-settings'
import { reviewSettings } from './review-settings'
import type { Setting, ValueOf } from './setting'
import { terminalSettings } from './terminal-settings'

/** The groups of the form, in its order. */
export const settingGroups: readonly { title: string; settings: Readonly<Record<string, Setting>> }[] = [
  { title: 'Look', settings: lookSettings },
  { title: 'Editor', settings: editorSettings },
  { title: 'Files and search', settings: fileSettings },
  { title: 'Reviews', settings: reviewSettings },
  { title: 'Agents', settings: agentSettings },
  { title: 'What agents see', settings: contextSettings },
  { title: 'Terminals', settings: terminalSettings },
  { title: 'Attention', settings: attentionSettings },
  { title: 'Keyboard', settings: keySettings },
]

/**
 * Every setting, declared once. The form, the schemas, the check of settings.json, the page's defaults and
 * docs/settings.md are made from this. Declare a new setting in the file of its group; one with its own shape also
 * needs a schema in `contract/settings.ts`.
 */
export const declarations = {
  ...lookSettings,
  ...editorSettings,
  ...fileSettings,
  ...reviewSettings,
  ...agentSettings,
  ...contextSettings,
  ...terminalSettings,
  ...attentionSettings,
  ...keySettings,
}

type Declared = typeof declarations

/** A setting's name, as in settings.json. */
export type SettingName = keyof Declared

export type Settings = { [K in SettingName]: ValueOf<Declared[K]> }

export const settingNames = Object.keys(declarations) as SettingName[]

export const defaultSettings = Object.fromEntries(
  settingNames.map((name) => [name, declarations[name].default]),
) as Settings

/** A declaration by name; undefined for an unknown name. */
export function declarationOf(name: string): Setting | undefined {
  return Object.hasOwn(declarations, name) ? declarations[name as SettingName] : undefined
}

/** The settings that a folder may have its own value for. */
export const folderSettingNames = settingNames.filter((name) => declarations[name].scope === 'folder')

/** The lists to which a folder's own add, instead of taking their place. */
export const joiningSettingNames = settingNames.filter((name) => {
  const declared: Setting = declarations[name]
  return declared.kind === 'other' && declared.joins === true
})
