import { basename } from 'node:path'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { plainText } from '../../../shared/plain-text'
import type { Waiting } from '../../core/notices/attention'
import type { WindowHost } from '../window-host'
import { groupsThatWait, tellGroups } from './groups-of-window'

/** Milliseconds between a change and the look at all that waits. */
const gathering = 50

/**
 * Keeps a window's attention told of all that waits in it: reviews that an agent has asked for, groups of files that
 * were written at once, terminals whose program has called, files that a command waits for. Calls go to the system where the shell can show them.
 */
export function followAttention(window: WindowHost): Disposable {
  const { attention, parts, terminals, waits } = window
  const { abilities } = parts.options
  const owned = new DisposableStack()
  let timer: NodeJS.Timeout | undefined
  const lookNow = () => {
    timer = undefined
    const all = [reviews, groupsThatWait, terminalsThatWait, files].flatMap((waiting) => waiting(window))
    attention.update(all.map(inPlainWords))
  }
  // Every key press in a review is a change of it.
  const look = () => void (timer ??= setTimeout(lookNow, gathering))
  owned.add(disposable(() => clearTimeout(timer)))
  owned.add(parts.desk.onChange(look))
  owned.add(terminals.onChange(look))
  owned.add(waits.onChange(look))
  owned.add(parts.changes.groups.onChange(look))
  owned.add(tellGroups(window))
  owned.add(
    attention.onCall(({ title, body, target }) => {
      const told =
        parts.options.settingsStore.get().attentionNotify &&
        abilities.notify(window.id, title, body, () => {
          window.requestFocus()
          attention.tell({ kind: 'show', target })
        })
      attention.tell({ kind: 'called', title, body, target, told })
    }),
  )
  owned.add(attention.onCount((count) => abilities.setWaiting(window.id, count)))
  lookNow()
  return owned
}

/** Names of files, terminals and agents are others' words: the system's notifications would show them as they are. */
function inPlainWords(waiting: Waiting): Waiting {
  return { ...waiting, title: plainText(waiting.title), body: plainText(waiting.body) }
}

function reviews({ parts, id }: WindowHost): Waiting[] {
  return parts.desk.summaries().flatMap((review) => {
    // What is written already, or cannot be answered any more, keeps nobody waiting.
    if (review.phase !== 'open' || review.effect === 'written') return []
    if (parts.desk.placeOf(review.id)?.window !== id) return []
    const target = { kind: 'review', review: review.id } as const
    const body = review.folder === '' ? review.name : `${review.name} in ${review.folder}`
    return [
      { id: `review ${review.id}`, title: `${review.agents ?? review.agent} waits for you`, body, target },
    ]
  })
}

function terminalsThatWait({ terminals }: WindowHost): Waiting[] {
  return terminals.snapshot().flatMap(({ id, title, bell, note }) => {
    if (!bell) return []
    const target = { kind: 'terminal', terminal: id } as const
    return [{ id: `terminal ${id}`, title: `${title} waits for you`, body: note, target }]
  })
}

function files({ tabs, waits }: WindowHost): Waiting[] {
  return tabs.state.tabs.flatMap((tab) => {
    if (tab.kind !== 'file' || !waits.has(tab.path)) return []
    const target = { kind: 'file', path: tab.path } as const
    return [{ id: `file ${tab.path}`, title: 'A command waits for a file', body: basename(tab.path), target }]
  })
}
