import type { Disposable } from '../../../shared/lifetime'
import type { Sharing } from '../../../shared/agent-view'
import type { Tab } from '../../../shared/contract/tabs'
import { registerCommands } from '../../commands/registry'
import { ask } from '../../state/host/calls'
import { readSharing, share } from '../../state/agents/context-mirror'
import { tell } from '../../state/window/notices-mirror'
import { tabAt } from '../../state/tabs/tabs-mirror'
import { plainName } from '../../ui/wording/plain-name'

/** Makes the commands on what agents see known until disposed. */
export function registerContextCommands(): Disposable {
  return registerCommands([
    {
      id: 'context.toggleAll',
      title: 'Toggle sharing with agents',
      menu: ['edit', 2],
      run: () =>
        flip('all', {
          on: 'Sharing with agents is on.',
          off: 'Sharing with agents is off.',
        }),
    },
    {
      id: 'context.toggleSelection',
      title: 'Toggle sharing the selection',
      run: () =>
        flip('selection', { on: 'The selection is shared.', off: 'The selection is no longer shared.' }),
    },
    {
      id: 'context.toggleFiles',
      title: 'Toggle sharing open files',
      run: () => flip('files', { on: 'Open files are shared.', off: 'Open files are no longer shared.' }),
    },
    {
      id: 'context.neverShareFile',
      title: 'Never share this file with agents',
      menu: ['edit', 2],
      when: (target) => tabAt(target)?.kind === 'file',
      run: (target) => void neverShareFile(tabAt(target)),
    },
  ])
}

function flip(name: keyof Sharing, words: { on: string; off: string }): void {
  const sharing = readSharing()
  if (!sharing) return
  share({ [name]: !sharing[name] })
  tell('info', sharing[name] ? words.off : words.on)
}

async function neverShareFile(tab: Tab | null): Promise<void> {
  if (tab?.kind !== 'file') return
  const excluded = await ask('context.exclude', { path: tab.path })
  if (excluded) tell('info', `${plainName(tab.name)} is never shared. Its pattern is in the Context panel.`)
}
