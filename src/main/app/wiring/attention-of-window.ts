import { basename } from 'node:path'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { plainText } from '../../../shared/text/plain-text'
import { isAsked, kindWords } from '../../../shared/approval/approval'
import { isWaiting } from '../../../shared/review/waiting'
import type { Changes } from '../../core/changes/changes'
import type { FileWaits } from '../../core/editing/file-waits'
import type { Tabs } from '../../core/editing/tabs'
import type { Attention, Waiting } from '../../core/notices/attention'
import type { Notices } from '../../core/notices/notices'
import type { ReviewDesk } from '../../core/review/desk'
import type { SettingsStore } from '../../core/settings/settings-store'
import type { Terminals } from '../../core/terminal/terminals'
import type { HostAbilities } from '../host-abilities'
import type { WindowFolders } from '../window-folders'
import type { WindowApprovals } from './approvals-to-windows'
import { groupsThatWait, tellGroups } from './groups-of-window'

/** What may wait in a window. */
interface WaitingPlaces {
  desk: ReviewDesk
  approvals: WindowApprovals
  changes: Changes
  folders: WindowFolders
  terminals: Terminals
  tabs: Tabs
  waits: FileWaits
}

/** How the person is called. */
interface Calling {
  /** The window's id. */
  window: string
  attention: Attention
  notices: Notices
  abilities: HostAbilities
  settings: SettingsStore
  /** Asks the frame to bring the window to the front. */
  requestFocus(): void
}

/** Milliseconds between a change and the look at all that waits. */
const gathering = 50

/**
 * Keeps a window's attention up to date with all that waits in it: reviews that an agent has asked for, groups of files
 * that were written at once, questions of agents, terminals whose program has called, files that a command waits for.
 * Calls go to the system where the frame can show them.
 */
export function followAttention(places: WaitingPlaces, calling: Calling): Disposable {
  const { desk, approvals, changes, folders, terminals, waits } = places
  const { window, attention, notices, abilities, settings, requestFocus } = calling
  let timer: NodeJS.Timeout | undefined
  const lookNow = () => {
    timer = undefined
    const all = [
      ...reviews(desk, window),
      ...approvalsThatWait(approvals),
      ...groupsThatWait(changes, folders),
      ...terminalsThatWait(terminals),
      ...files(places),
    ]
    attention.update(all.map(inPlainWords))
  }
  // Every key press in a review is a change of it.
  const look = () => void (timer ??= setTimeout(lookNow, gathering))
  const owned = new DisposableStack(
    disposable(() => clearTimeout(timer)),
    desk.onChange(look),
    approvals.onChange(look),
    terminals.onChange(look),
    waits.onChange(look),
    changes.groups.onChange(look),
    tellGroups(changes, folders, notices),
    attention.onCall(({ title, body, target }) => {
      const told =
        settings.get().attentionNotify &&
        abilities.notify(window, title, body, () => {
          requestFocus()
          attention.tell({ kind: 'show', target })
        })
      attention.tell({ kind: 'called', title, body, target, told })
    }),
    attention.onCount((count) => abilities.setWaiting(window, count)),
  )
  lookNow()
  return owned
}

/** Names of files, terminals and agents are others' words: the system's notifications would show them as they are. */
function inPlainWords(waiting: Waiting): Waiting {
  return { ...waiting, title: plainText(waiting.title), body: plainText(waiting.body) }
}

function reviews(desk: ReviewDesk, window: string): Waiting[] {
  return desk.summaries().flatMap((review) => {
    if (!isWaiting(review) || desk.placeOf(review.id)?.window !== window) return []
    const target = { kind: 'review', review: review.id } as const
    const body = review.folder === '' ? review.name : `${review.name} in ${review.folder}`
    return [
      { id: `review ${review.id}`, title: `${review.agents ?? review.agent} waits for you`, body, target },
    ]
  })
}

function approvalsThatWait(approvals: WindowApprovals): Waiting[] {
  return approvals
    .list()
    .filter(isAsked)
    .map(({ id, question }) => {
      const target = { kind: 'approval', approval: id } as const
      const title = `${question.requester.agent} wants to ${kindWords[question.kind]}`
      // Of the command itself nothing: a notification of the system may be seen on a locked screen.
      return { id: `approval ${id}`, title, body: question.title, target }
    })
}

function terminalsThatWait(terminals: Terminals): Waiting[] {
  return terminals.snapshot().flatMap(({ id, title, bell, note }) => {
    if (!bell) return []
    const target = { kind: 'terminal', terminal: id } as const
    return [{ id: `terminal ${id}`, title: `${title} waits for you`, body: note, target }]
  })
}

function files({ tabs, waits }: WaitingPlaces): Waiting[] {
  return tabs.state.tabs.flatMap((tab) => {
    if (tab.kind !== 'file' || !waits.has(tab.path)) return []
    const target = { kind: 'file', path: tab.path } as const
    return [
      { id: `file ${tab.path}`, title: 'A command is waiting for a file', body: basename(tab.path), target },
    ]
  })
}
