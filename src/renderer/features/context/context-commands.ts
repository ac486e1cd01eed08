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
      title: 'Stop or resume sharing with agents',
      menu: ['edit', 2],
      run: () =>
        flip('all', {
          on: 'Agents are told what is open and selected again.',
          off: 'Agents are told nothing of what is open or selected from now on.',
        }),
    },
    {
      id: 'context.toggleSelection',
      title: 'Share the selection with agents, or not',
      run: () =>
        flip('selection', { on: 'The selection is shared.', off: 'The selection is not shared any more.' }),
    },
    {
      id: 'context.toggleFiles',
      title: 'Share open files with agents, or not',
      run: () => flip('files', { on: 'Open files are shared.', off: 'Open files are not shared any more.' }),
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
  if (excluded) tell('info', `${plainName(tab.name)} is never shared. The Context panel has its pattern.`)
}
