import { type Disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'
import { ask, send } from '../../state/host/calls'
import { activeTerminal, finding, openTerminal, pairOf, renaming, screenReader } from './terminal-state'
import { readMirror } from '../../state/host/mirror'
import { terminalsMirror } from '../../state/agents/terminals-mirror'
import { focusedTerminal, knownView } from './terminal-views'

/** Makes the terminals' commands known until disposed. */
export function registerTerminalCommands(): Disposable {
  const hasTerminal = () => activeTerminal() !== null
  /** The terminal that has the focus, else the one shown. */
  const chosen = (): string | null => focusedTerminal() ?? activeTerminal()?.id ?? null
  const onChosen = (run: (id: string) => void) => () => {
    const id = chosen()
    if (id !== null) run(id)
  }
  return registerCommands([
    {
      id: 'terminal.newShell',
      title: 'New terminal: Shell',
      menu: ['terminal', 1],
      run: () => void openTerminal('shell'),
    },
    {
      id: 'terminal.newClaude',
      title: 'New terminal: Claude Code',
      menu: ['terminal', 1],
      run: () => void openTerminal('claude'),
    },
    {
      id: 'terminal.newGemini',
      title: 'New terminal: Gemini CLI',
      menu: ['terminal', 1],
      run: () => void openTerminal('gemini'),
    },
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
      title: 'Go to the terminal',
      menu: ['go', 1],
      when: hasTerminal,
      run: () => void focusTerminal(),
    },
    {
      id: 'terminal.find',
      title: 'Find in the terminal',
      menu: ['terminal', 2],
      when: hasTerminal,
      run: onChosen((id) => finding.setState({ terminal: id })),
    },
    {
      id: 'terminal.copy',
      title: "Copy the terminal's selection",
      keys: ['Mod+Shift+C'],
      scope: 'terminal',
      fromTerminal: true,
      run: onChosen((id) => knownView(id)?.copy()),
    },
    {
      id: 'terminal.clear',
      title: "Clear the terminal's scrollback in this page",
      menu: ['terminal', 2],
      when: hasTerminal,
      run: onChosen((id) => knownView(id)?.terminal.clear()),
    },
    {
      id: 'terminal.rename',
      title: 'Rename terminal',
      menu: ['terminal', 3],
      when: hasTerminal,
      run: onChosen((id) => renaming.setState({ terminal: id })),
    },
    {
      id: 'terminal.restart',
      title: 'Restart terminal',
      menu: ['terminal', 3],
      when: hasTerminal,
      run: onChosen((id) => void ask('terminals.restart', { id })),
    },
    {
      id: 'terminal.close',
      title: 'Close terminal',
      menu: ['terminal', 3],
      when: hasTerminal,
      run: onChosen((id) => send('terminals.close', { id })),
    },
    {
      id: 'terminal.screenReader',
      title: 'Terminals: text for screen readers, on or off',
      run: () => screenReader.set(!screenReader.get()),
    },
  ])
}

/** Puts the focus into the terminal that is shown. False when none is open. */
export function focusTerminal(): boolean {
  const view = knownView(activeTerminal()?.id ?? null)
  view?.focus()
  return view !== null
}
