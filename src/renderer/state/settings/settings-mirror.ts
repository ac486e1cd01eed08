import { type Settings, defaultSettings } from '../../../shared/settings/all-settings'
import { send } from '../host/calls'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, readMirror, useMirror } from '../host/mirror'
import { inTurn } from './changes-in-turn'

/** All settings with their defaults, as the host has them. */
export const settingsMirror = mirrorTopic(client, 'settings', {}, mergeDelta<Settings>)

export function useSetting<K extends keyof Settings>(key: K): Settings[K] {
  return useMirror(settingsMirror, (state) => (state ?? defaultSettings)[key])
}

export function readSetting<K extends keyof Settings>(key: K): Settings[K] {
  return (readMirror(settingsMirror) ?? defaultSettings)[key]
}

/** Changes a setting where it is in force. `next` makes the new value of what it is then. Dropped while the link is lost. */
export function changeInForce<K extends keyof Settings>(
  key: K,
  next: (now: Settings[K]) => Settings[K],
): void {
  void inTurn(
    () =>
      new Promise<void>((resolve) =>
        send('settings.set', { [key]: next(readSetting(key)) }, () => resolve()),
      ),
  )
}
