import type { Disposable } from '../../../shared/lifetime'
import type { Sharing } from '../../../shared/agent-view'
import { onFile } from '../../commands/on-tab'
import { registerCommands } from '../../commands/registry'
import { ask } from '../../state/host/calls'
import { readSharing, share } from '../../state/agents/context-mirror'
import { tell } from '../../state/window/notices-mirror'
import { plainName } from '../../ui/wording/plain-name'

/** Registers the commands on what agents see until disposed. */
export function registerContextCommands(): Disposable {
  return registerCommands([
    {
      id: 'context.toggleAll',
      title: 'Toggle sharing with agents',
      menu: ['edit', 2],
      run: () => flip('all', 'Sharing with agents is on.', 'Sharing with agents is off.'),
    },
    {
      id: 'context.toggleSelection',
      title: 'Toggle sharing the selection',
      run: () => flip('selection', 'The selection is shared.', 'The selection is no longer shared.'),
    },
    {
      id: 'context.toggleFiles',
      title: 'Toggle sharing open files',
      run: () => flip('files', 'Open files are shared.', 'Open files are no longer shared.'),
    },
    {
      id: 'context.neverShareFile',
      title: 'Never share this file with agents',
      menu: ['edit', 2],
      ...onFile((tab) => void neverShareFile(tab)),
    },
  ])
}

function flip(name: keyof Sharing, on: string, off: string): void {
  const sharing = readSharing()
  if (!sharing) return
  share({ [name]: !sharing[name] })
  tell('info', sharing[name] ? off : on)
}

async function neverShareFile({ path, name }: { path: string; name: string }): Promise<void> {
  const excluded = await ask('context.exclude', { path })
  if (excluded) tell('info', `${plainName(name)} is never shared. Its pattern is in the Context panel.`)
}
