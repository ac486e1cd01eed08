import { send } from '../host/calls'
import { readMirror } from '../host/mirror'
import { tell } from '../window/notices-mirror'
import { wantedFile } from './wanted-file'
import { activeTab, fileTab, tabsMirror } from './tabs-mirror'
import { isTyping } from './text-work'

/**
 * Brings a file to the front when a command starts to wait for it, with the focus in its editor, as the person at the
 * command expects; when the file is closed, the focus returns to where it was. One that an agent opens comes without
 * the focus. A person who is typing in another text stays there and gets a notice.
 */
export function runWaitedFiles(): void {
  const origins = new Map<string, Element | null>()
  tabsMirror.onDelta((delta) => {
    const isWaited = delta.kind === 'waited'
    if (!isWaited && !(delta.kind === 'reveal' && delta.toFront === true)) return
    const tab = fileTab(delta.path)
    if (!tab) return
    if (isTyping() && activeTab()?.id !== tab.id) {
      const what = isWaited
        ? `A command is waiting for ${tab.name}`
        : `An agent wants to show you ${tab.name}`
      tell('info', `${what}. Its tab is open.`)
      return
    }
    if (isWaited) {
      origins.set(tab.id, document.activeElement)
      wantedFile.make(delta.path)
    }
    send('tabs.activate', { id: tab.id })
  })
  const goBack = () => {
    const open = new Set(readMirror(tabsMirror)?.tabs.map(({ id }) => id))
    for (const [id, origin] of origins) {
      if (open.has(id)) continue
      origins.delete(id)
      // After the focused element has left the page.
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && origin instanceof HTMLElement && origin.isConnected) origin.focus()
      })
    }
  }
  tabsMirror.store.subscribe(goBack)
}
