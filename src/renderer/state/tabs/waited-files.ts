import { send } from '../host/calls'
import { readMirror } from '../host/mirror'
import { tell } from '../window/notices-mirror'
import { wantFocus } from './wanted-file'
import { activeTab, fileTab, tabsMirror } from './tabs-mirror'
import { isTyping } from './text-work'

/**
 * Brings a file to the front for which a command has come to wait, with the focus in its editor, as the person at the
 * command expects; when the file is closed, the focus goes back to where they were. Whoever is typing in another text
 * keeps that, and is told.
 */
export function runWaitedFiles(): void {
  const origins = new Map<string, Element | null>()
  tabsMirror.onDelta((delta) => {
    if (delta.kind !== 'waited') return
    const tab = fileTab(delta.path)
    if (!tab) return
    const focused = document.activeElement
    if (isTyping() && activeTab()?.id !== tab.id) {
      tell('info', `A command is waiting for ${tab.name}. Its tab is open.`)
      return
    }
    origins.set(tab.id, focused)
    wantFocus(delta.path)
    send('tabs.activate', { id: tab.id })
  })
  const goBack = () => {
    const open = new Set(readMirror(tabsMirror)?.tabs.map(({ id }) => id))
    for (const [id, origin] of origins) {
      if (open.has(id)) continue
      origins.delete(id)
      // Once what had the focus is gone from the page.
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && origin instanceof HTMLElement && origin.isConnected) origin.focus()
      })
    }
  }
  tabsMirror.store.subscribe(goBack)
}
