import type { HostClient } from '../../state/host/client'
import { readSetting } from '../../state/settings/settings-mirror'
import { openFile } from '../../state/tabs/wanted-file'
import { openAddress } from '../../state/window/window-actions'
import { finding, screenReader } from './terminal-state'
import { TerminalView } from './terminal-view'

const views = new Map<string, TerminalView>()

/** The page's view of a terminal, made when first needed; it survives every change of the layout. */
export function viewOf(host: HostClient, id: string): TerminalView {
  const known = views.get(id)
  if (known) return known
  const view = new TerminalView({
    host,
    id,
    fontSize: readSetting('terminalFontSize'),
    screenReader: screenReader.get(),
    openFile: ({ path, at }) =>
      void openFile(path, { preview: true, focus: at !== null, at: at ?? undefined }),
    openAddress,
    find: () => finding.setState({ terminal: id }),
  })
  views.set(id, view)
  return view
}

/** A terminal's view, if it has one. */
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

/** Makes a view for each of these terminals, so that it parses whether shown or not, and disposes all others. */
export function keepViews(host: HostClient, ids: readonly string[]): void {
  for (const id of ids) viewOf(host, id)
  for (const [id, view] of views) {
    if (ids.includes(id)) continue
    views.delete(id)
    view.dispose()
  }
}
