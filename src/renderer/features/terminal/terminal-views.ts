import { client } from '../../state/client'
import { ask } from '../../state/calls'
import { readSetting } from '../../state/settings'
import { readMirror } from '../../state/mirror'
import { terminalsMirror } from '../../state/terminals'
import type { ChosenFile } from './file-links'
import { finding, screenReader } from './terminal-state'
import { TerminalView } from './terminal-view'

const views = new Map<string, TerminalView>()

/**
 * The page's views of the host's terminals, one each, made as soon as the terminal is known: a terminal that is not
 * shown parses all the same, and what it holds survives every change of the layout.
 */
export function viewOf(id: string): TerminalView {
  const known = views.get(id)
  if (known) return known
  const view = new TerminalView({
    host: client,
    id,
    fontSize: readSetting('terminalFontSize'),
    screenReader: screenReader.get(),
    openFile: (file) => void openFile(file),
    openAddress: (url) => void ask('window.openExternal', { url }),
    find: () => finding.setState({ terminal: id }),
  })
  views.set(id, view)
  return view
}

/** The view of a terminal if it has one. */
export function knownView(id: string | null): TerminalView | null {
  return (id !== null && views.get(id)) || null
}

/** Which terminal has the focus, or null. */
export function focusedTerminal(): string | null {
  for (const [id, view] of views) {
    if (view.terminal.element?.contains(document.activeElement)) return id
  }
  return null
}

async function openFile({ path, at }: ChosenFile): Promise<void> {
  await ask('tabs.openFile', { path, preview: true, ...(at ? { at } : {}) })
}

/** Makes views for new terminals and ends those of closed ones, from now on. */
terminalsMirror.store.subscribe(() => {
  const state = readMirror(terminalsMirror)
  if (!state) return
  const present = new Set(state.terminals.map((terminal) => terminal.id))
  for (const id of present) viewOf(id)
  for (const [id, view] of views) {
    if (present.has(id)) continue
    views.delete(id)
    view.dispose()
  }
})
