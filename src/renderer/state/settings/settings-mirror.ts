import { type Settings, defaultSettings } from '../../../shared/settings/all-settings'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, readMirror, useMirror } from '../host/mirror'

/** All settings with their defaults, as the host has them. */
export const settingsMirror = mirrorTopic(client, 'settings', {}, mergeDelta<Settings>)

export function useSetting<K extends keyof Settings>(key: K): Settings[K] {
  return useMirror(settingsMirror, (state) => (state ?? defaultSettings)[key])
}

export function readSetting<K extends keyof Settings>(key: K): Settings[K] {
  return (readMirror(settingsMirror) ?? defaultSettings)[key]
}
