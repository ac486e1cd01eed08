import type { Tab } from '../../shared/contract/tabs'
import { tabAt } from '../state/tabs/tabs-mirror'
import type { Command } from './registry'

type FileTab = Extract<Tab, { kind: 'file' }>

/** What a command on a tab does, and when: on the tab of the element that has the focus, if it fits. */
export function onTab(
  run: (tab: Tab) => void,
  fits: (tab: Tab) => boolean = () => true,
): Pick<Command, 'when' | 'run'> {
  return {
    when: (target) => {
      const tab = tabAt(target)
      return tab !== null && fits(tab)
    },
    run: (target) => {
      const tab = tabAt(target)
      if (tab && fits(tab)) run(tab)
    },
  }
}

/** The same for a file's tab. */
export function onFile(
  run: (tab: FileTab) => void,
  fits: (tab: FileTab) => boolean = () => true,
): Pick<Command, 'when' | 'run'> {
  return onTab(
    (tab) => tab.kind === 'file' && run(tab),
    (tab) => tab.kind === 'file' && fits(tab),
  )
}
