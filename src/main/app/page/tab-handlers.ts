import { basename } from 'node:path'
import type { OwnView, Reveal, Tab, TabsState } from '../../../shared/contract/tabs'
import { DisposableStack, type Emitter } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { Context } from '../../core/context/context'
import type { Conversations } from '../../core/conversation/conversations'
import type { Documents } from '../../core/editing/documents'
import type { EditorTab } from '../../core/editing/editor-tab'
import type { FileWaits } from '../../core/editing/file-waits'
import type { Tabs } from '../../core/editing/tabs'
import { statOf } from '../../core/files/read-file'
import { resolveRealPath } from '../../core/files/real-path'
import { type Selections, selectionIn } from '../../core/editing/selection'
import type { ReviewDesk } from '../../core/review/desk'
import type { Mention } from '../../protocols/kit/connection'
import type { DocumentHolds } from '../document-holds'
import type { WindowFolders } from '../window-folders'
import type { History } from '../wiring/history'
import { sessionOfTab, tabOfSession } from './session-handlers'
import { describeWithheld } from '../wiring/context-of-window'
import type { PageFlush } from './page-flush'
import type { PageHandlers } from './page-handlers'

/** What the tab with all reviews is called among a window's own pages. */
export const allReviews = 'reviews'
/** What the tab with approvals is called among a window's own pages. */
export const approvalsPage = 'approvals'
const viewNames: Record<OwnView, string> = {
  settings: 'Settings',
  keys: 'Keyboard shortcuts',
  welcome: 'Welcome',
}

function isOwnView(name: string): name is OwnView {
  return Object.hasOwn(viewNames, name)
}

const nothingBeside = 'There’s no other tab to show beside it. Open another file first.'

/** What tabs show, and where their names come from. */
interface TabSources {
  tabs: Tabs
  folders: WindowFolders
  documents: Documents
  waits: FileWaits
  history: History
  conversations: Conversations
}

/** What else the calls of tabs and selection act on. */
interface TabTargets {
  holds: DocumentHolds
  selections: Selections
  context: Context
  desk: ReviewDesk
  reveals: Emitter<Reveal>
  flush: PageFlush
  /** Puts a mention into prompts; gives how many took it. */
  mention(mention: Mention, connection?: string): number
}

/** Tabs and selection of a window. */
export function tabHandlers(
  sources: TabSources,
  targets: TabTargets,
): PageHandlers<'tabs' | 'selection', 'tabs'> {
  const { tabs, folders, documents, waits, history } = sources
  const { holds, selections, context, desk, reveals, flush, mention } = targets
  return {
    calls: {
      'tabs.openFile': async ({ path, preview, at, until }) => {
        const real = await resolveRealPath(path).catch(() => path)
        context.addName(path, real)
        tabs.openFile(real, { preview })
        if (at) {
          await holds.open.get(real)
          reveals.emit({ path: real, selection: { start: at, end: until ?? at }, focus: true })
        }
        return succeed({})
      },
      'tabs.openReview': ({ review }) => {
        const summary = desk.summary(review)
        if (!summary) return fail('gone', 'This review has ended. Check the list of reviews.')
        tabs.openReview(review, summary.path)
        return succeed({})
      },
      'tabs.openReviews': () => void tabs.openOther(allReviews),
      'tabs.openSession': ({ session }) => void tabs.openOther(tabOfSession(session)),
      'tabs.openView': ({ view }) => void tabs.openOther(view),
      'tabs.activate': ({ id }) => void tabs.activate(id),
      'tabs.workOn': ({ side }) => tabs.workOn(side),
      'tabs.step': ({ by }) => tabs.step(by),
      'tabs.keep': ({ id }) => tabs.keep(id),
      'tabs.move': ({ id, to }) => tabs.move(id, to),
      'tabs.moveToSide': ({ id, side, to }) =>
        tabs.moveToSide(id, side, to) ? succeed({}) : fail('alone', nothingBeside),
      'tabs.pin': ({ id, pinned }) => tabs.pin(id, pinned),
      'tabs.split': ({ id }) => (tabs.split(id) === null ? fail('alone', nothingBeside) : succeed({})),
      'tabs.reopen': async () => {
        for (let last = tabs.takeClosed(); last; last = tabs.takeClosed()) {
          const found = await statOf(last.path).catch(() => undefined)
          if (!found?.isFile()) continue
          tabs.openClosed(last)
          return succeed({})
        }
        return fail('none', 'No recently closed files. Open one from the file list.')
      },
      'tabs.openRendered': ({ path }) => void tabs.openRendered(path),
      'tabs.openCompared': ({ path, against }) => void tabs.openCompared(path, against),
      'tabs.close': async ({ id, unsaved }) => {
        const tab = tabs.find(id)
        const isShownTwice = tabs.state.tabs.some(
          (other) =>
            tab?.kind === 'file' && other.kind === 'file' && other.path === tab.path && other !== tab,
        )
        // Nothing is lost while another tab shows the same text.
        if (tab?.kind === 'file' && (!isShownTwice || unsaved === 'save')) {
          const { path } = tab
          const stays = fail('unsaved', `${basename(path)} has unsaved changes.`)
          if (await isUnsaved(documents, path)) {
            if (unsaved === 'ask') return stays
            const done = unsaved === 'save' ? await documents.save(path) : await documents.revert(path)
            if (!done.ok) return done
            // The save may have been long: what was typed meanwhile counts.
            if (unsaved === 'save' && !isShownTwice && (await isUnsaved(documents, path))) return stays
          }
        }
        tabs.close(id)
        return succeed({})
      },
      'tabs.flushed': ({ token }) => flush.flushed(token),
      'selection.set': ({ selection }) => {
        const state = selection ? documents.get(selection.path) : undefined
        if (!selection || state?.kind !== 'text') {
          selections.set(null)
          return {}
        }
        selections.set(selectionIn(state.text, { ...selection, path: state.meta.path }))
        return {}
      },
      'selection.mention': async ({ path, lines, connection }) => {
        await context.learn(path)
        const withheld = context.whyUntold(path)
        if (withheld) {
          const why = describeWithheld(withheld)
          return fail('withheld', `${basename(path)} can’t be mentioned: ${why}`)
        }
        const told = mention(lines ? { path, lines } : { path }, connection)
        return told > 0
          ? succeed({ told })
          : fail('nobody', 'No agent is connected. Start Claude Code in a terminal, then try again.')
      },
    },
    topics: {
      tabs: (_params, sink) => {
        const state = (): TabsState => {
          const { active, shown, tabs: all } = tabs.state
          return { tabs: all.flatMap((tab) => pageTab(sources, tab) ?? []), active, shown }
        }
        sink.snapshot(state())
        // Restored tabs of sessions get their names from the list of sessions.
        if (tabs.state.tabs.some((tab) => tab.kind === 'other' && sessionOfTab(tab.name) !== null)) {
          void history.start()
        }
        const tell = () => sink.delta({ kind: 'state', state: state() })
        return new DisposableStack(
          tabs.on((event) => event.kind === 'changed' && tell()),
          documents.on((event) => event.kind === 'meta' && tabs.findFile(event.path) && tell()),
          waits.onChange(tell),
          sources.conversations.onTitle(tell),
          history.list.onChange(({ changed }) => {
            if (changed.some(({ id }) => isSessionShown(tabs, id))) tell()
          }),
          folders.onChange(tell),
          waits.onCame((path) => sink.delta({ kind: 'waited', path })),
          reveals.on((place) => sink.delta({ kind: 'reveal', ...place })),
          flush.attach((token) => sink.delta({ kind: 'flush', token })),
        )
      },
    },
  }
}

/** Whether a file has unsaved text, with what was typed last. */
async function isUnsaved(documents: Documents, path: string): Promise<boolean> {
  await documents.settle(path)
  const state = documents.get(path)
  return state?.kind === 'text' && state.meta.dirty
}

/** Whether a session has a tab, whose name may have to change. */
function isSessionShown(tabs: Tabs, session: string): boolean {
  return tabs.state.tabs.some((tab) => tab.kind === 'other' && sessionOfTab(tab.name) === session)
}

/** A tab as the page gets it; undefined for one of the app's own pages that it doesn't know. */
function pageTab(
  { folders, documents, waits, history, conversations }: TabSources,
  tab: EditorTab,
): Tab | undefined {
  const { id, side, pinned } = tab
  if (tab.kind === 'other') {
    const session = sessionOfTab(tab.name)
    if (session !== null) {
      const known = conversations.get(session)?.state ?? history.list.get(session)
      const name = known?.title ?? 'Session'
      return { id, side, pinned, kind: 'session', session, name }
    }
    if (tab.name === allReviews) return { id, side, pinned, kind: 'reviews', name: 'Reviews' }
    if (tab.name === approvalsPage) return { id, side, pinned, kind: 'approvals', name: 'Approvals' }
    return isOwnView(tab.name)
      ? { id, side, pinned, kind: 'view', view: tab.name, name: viewNames[tab.name] }
      : undefined
  }
  const { path } = tab
  const name = basename(path)
  switch (tab.kind) {
    case 'review':
      return { id, side, pinned, kind: 'review', review: tab.proposal, path, name }
    case 'rendered':
      return { id, side, pinned, kind: 'rendered', path, name: `Preview of ${name}` }
    case 'compared':
      return { id, side, pinned, kind: 'compared', path, against: tab.against, name: `${name} compared` }
    case 'file': {
      const document = documents.get(path)
      const dirty = document?.kind === 'text' && document.meta.dirty
      const waited = waits.has(path)
      const outside = !folders.hold(path)
      const { preview } = tab
      return { id, side, pinned, kind: 'file', path, name, preview, dirty, waited, outside }
    }
  }
}
