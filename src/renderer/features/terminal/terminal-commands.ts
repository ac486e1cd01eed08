import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'
import { ask, send } from '../../state/host/calls'
import { activeTerminal, finding, openTerminal, pairOf, renaming, screenReader } from './terminal-state'
import { readMirror } from '../../state/host/mirror'
import { terminalsMirror } from '../../state/agents/terminals-mirror'
import { focusedTerminal, knownView } from './terminal-views'

/** Registers the terminals' commands until disposed. */
export function registerTerminalCommands(): Disposable {
  const hasTerminal = () => activeTerminal() !== null
  /** On the terminal that has the focus, else the one shown. */
  const onChosen = (run: (id: string) => void) => ({
    when: hasTerminal,
    run: () => {
      const id = focusedTerminal() ?? activeTerminal()?.id
      if (id !== undefined) run(id)
    },
  })
  const owned = new DisposableStack()
  owned.add(registerProfileCommands())
  owned.add(
    registerCommands([
      {
        id: 'terminal.split',
        title: 'Split terminal',
        menu: ['terminal', 2],
        when: () => {
          const terminals = readMirror(terminalsMirror)?.terminals ?? []
          return pairOf(terminals, activeTerminal()).length === 1
        },
        run: () => {
          const terminal = activeTerminal()
          if (terminal) void openTerminal(terminal.profile, terminal.id)
        },
      },
      {
        id: 'terminal.focus',
        title: 'Go to terminal',
        menu: ['go', 1],
        when: hasTerminal,
        run: () => knownView(activeTerminal()?.id ?? null)?.focus(),
      },
      {
        id: 'terminal.find',
        title: 'Find in terminal',
        menu: ['terminal', 2],
        ...onChosen((id) => finding.setState({ terminal: id })),
      },
      {
        id: 'terminal.copy',
        title: 'Copy terminal selection',
        keys: ['Mod+Shift+C'],
        scope: 'terminal',
        fromTerminal: true,
        ...onChosen((id) => knownView(id)?.copy()),
      },
      {
        id: 'terminal.clear',
        title: 'Clear terminal',
        menu: ['terminal', 2],
        ...onChosen((id) => knownView(id)?.terminal.clear()),
      },
      {
        id: 'terminal.rename',
        title: 'Rename terminal',
        menu: ['terminal', 3],
        ...onChosen((id) => renaming.setState({ terminal: id })),
      },
      {
        id: 'terminal.restart',
        title: 'Restart terminal',
        menu: ['terminal', 3],
        ...onChosen((id) => void ask('terminals.restart', { id })),
      },
      {
        id: 'terminal.close',
        title: 'Close terminal',
        menu: ['terminal', 3],
        ...onChosen((id) => send('terminals.close', { id })),
      },
      {
        id: 'terminal.screenReader',
        title: 'Toggle screen reader mode in terminals',
        run: () => screenReader.set(!screenReader.get()),
      },
    ]),
  )
  return owned
}

/** Registers a command for each of the host's own profiles, and follows their changes. */
function registerProfileCommands(): Disposable {
  let known = ''
  let registered: Disposable | null = null
  const follow = () => {
    const offered = (readMirror(terminalsMirror)?.profiles ?? []).filter(({ kind }) => kind !== 'own')
    const now = JSON.stringify(offered.map(({ id, title }) => [id, title]))
    if (now === known) return
    known = now
    registered?.dispose()
    registered = registerCommands(
      offered.map(({ id, title }) => ({
        id: `terminal.new${id.charAt(0).toUpperCase()}${id.slice(1)}`,
        title: `New terminal: ${title}`,
        menu: ['terminal', 1],
        run: () => void openTerminal(id),
      })),
    )
  }
  follow()
  const stop = terminalsMirror.store.subscribe(follow)
  return disposable(() => {
    stop()
    registered?.dispose()
  })
}
