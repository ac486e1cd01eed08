import { send } from '../state/host/calls'
import { client } from '../state/host/client'
import { mirrorTopic } from '../state/host/mirror'
import { tell } from '../state/window/notices-mirror'
import { readSetting, settingsMirror } from '../state/settings/settings-mirror'
import { describeMenus } from './menus'
import { allCommands, changeKeys, distinctCommands, followCommands, keysOf, runCommand } from './registry'

/**
 * Joins the registry to the host: the person's own keys come from the settings, the native menu gets the commands as
 * data, and what is chosen there is run as if from the palette.
 */
export function followHost(): void {
  const takeKeys = () => changeKeys(readSetting('keys'))
  takeKeys()
  settingsMirror.store.subscribe(takeKeys)

  let pending = false
  const tellMenus = () => {
    if (pending) return
    // Features register one after the other; the menu is sent once.
    pending = true
    queueMicrotask(() => {
      pending = false
      send('menu.set', { menus: describeMenus(distinctCommands(), keysOf) })
    })
  }
  followCommands(tellMenus)
  const menu = mirrorTopic(client, 'menu', {}, (state) => state)
  // On the first snapshot, and on the one after a lost link.
  menu.store.subscribe((state) => state.kind === 'here' && tellMenus())
  menu.onDelta(({ command }) => {
    if (runCommand(command)) return
    const title = allCommands().find((one) => one.id === command)?.title
    if (title !== undefined) tell('info', `“${title}” isn’t available here.`)
  })
}
