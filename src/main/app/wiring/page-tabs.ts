import { basename } from 'node:path'
import type { Tab, TabsState } from '../../../shared/contract/tabs'
import { DisposableStack } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import { resolveRealPath } from '../../core/files/real-path'
import { selectionIn } from '../../core/editing/selection'
import { isInside } from '../folders'
import type { WindowHost } from '../window-host'
import { describeWithheld } from './context-of-window'
import type { PageHandlers } from './page-handlers'

/** What the tab with all reviews is called among a window's own pages. */
const allReviews = 'reviews'

/** Tabs and selection of a window. */
export function tabHandlers(
  window: WindowHost,
): PageHandlers<
  | 'tabs.openFile'
  | 'tabs.openReview'
  | 'tabs.openReviews'
  | 'tabs.activate'
  | 'tabs.keep'
  | 'tabs.move'
  | 'tabs.close'
  | 'tabs.flushed'
  | 'selection.set'
  | 'selection.mention',
  'tabs'
> {
  const { tabs, selections, parts } = window
  const { documents, desk } = parts
  return {
    calls: {
      'tabs.openFile': async ({ path, preview, at, until }) => {
        const real = await resolveRealPath(path).catch(() => path)
        window.context.addName(path, real)
        tabs.openFile(real, { preview })
        if (at) {
          await window.openDocuments.get(real)
          window.reveal({ path: real, selection: { start: at, end: until ?? at }, focus: true })
        }
        return succeed({})
      },
      'tabs.openReview': ({ review }) => {
        const summary = desk.summary(review)
        if (!summary) return fail('gone', 'This review is over. Look at the list of reviews.')
        tabs.openReview(review, summary.path)
        return succeed({})
      },
      'tabs.openReviews': () => {
        tabs.openOther(allReviews)
        return {}
      },
      'tabs.activate': ({ id }) => {
        tabs.activate(id)
        return {}
      },
      'tabs.keep': ({ id }) => {
        tabs.keep(id)
        return {}
      },
      'tabs.move': ({ id, to }) => {
        tabs.move(id, to)
        return {}
      },
      'tabs.close': async ({ id, unsaved }) => {
        const tab = tabs.find(id)
        if (tab?.kind === 'file') {
          await documents.settle(tab.path)
          const state = documents.get(tab.path)
          if (state?.kind === 'text' && state.meta.dirty) {
            if (unsaved === 'ask') return fail('unsaved', `${basename(tab.path)} has unsaved changes.`)
            const done =
              unsaved === 'save' ? await documents.save(tab.path) : await documents.revert(tab.path)
            if (!done.ok) return done
          }
        }
        tabs.close(id)
        return succeed({})
      },
      'tabs.flushed': ({ token }) => {
        window.pageFlush.flushed(token)
        return {}
      },
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
        await window.context.learn(path)
        const withheld = window.context.whyUntold(path)
        if (withheld) {
          const why = describeWithheld(withheld)
          return fail('withheld', `${basename(path)} cannot be mentioned: ${why}`)
        }
        const told = window.claudeIde.mention(lines ? { path, lines } : { path }, connection)
        return told > 0
          ? succeed({ told })
          : fail('nobody', 'No agent is connected. Start Claude Code in a terminal, then mention again.')
      },
    },
    topics: {
      tabs: (_params, sink) => {
        const state = (): TabsState => ({
          tabs: tabs.state.tabs.flatMap((tab): Tab[] => {
            if (tab.kind === 'other') {
              return tab.name === allReviews ? [{ id: tab.id, kind: 'reviews', name: 'Reviews' }] : []
            }
            const name = basename(tab.path)
            if (tab.kind === 'review') {
              return [{ id: tab.id, kind: 'review', review: tab.proposal, path: tab.path, name }]
            }
            const document = documents.get(tab.path)
            const dirty = document?.kind === 'text' && document.meta.dirty
            const waited = window.waits.has(tab.path)
            const outside = !window.folders.some((folder) => isInside(folder, tab.path))
            const { id, path, preview } = tab
            return [{ id, kind: 'file', path, name, preview, dirty, waited, outside }]
          }),
          active: tabs.state.active,
        })
        sink.snapshot(state())
        const listening = new DisposableStack()
        const tell = () => sink.delta({ kind: 'state', state: state() })
        listening.add(tabs.on((event) => event.kind === 'changed' && tell()))
        listening.add(documents.on((event) => event.kind === 'meta' && tabs.findFile(event.path) && tell()))
        listening.add(window.waits.onChange(tell))
        listening.add(window.onFolders(tell))
        listening.add(window.onWaited((path) => sink.delta({ kind: 'waited', path })))
        listening.add(window.onReveal((reveal) => sink.delta({ kind: 'reveal', ...reveal })))
        listening.add(window.pageFlush.attach((token) => sink.delta({ kind: 'flush', token })))
        return listening
      },
    },
  }
}
