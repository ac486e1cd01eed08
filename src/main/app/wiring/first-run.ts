import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { findNeededPrograms } from '../../core/agents/needed-programs'
import { Tour } from '../../core/tour/tour'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** The folder of the sample file, as a review names it. */
export const sampleFolderName = 'Sample folder'

/** Whether the person has opened no folder in a window; the tour's own does not count. */
export function isUnused({ folders, parts }: Pick<WindowHost, 'folders' | 'parts'>): boolean {
  return folders.every((folder) => folder === parts.sampleFolder)
}

/** The tour of a window, on the real desk. Its sample agent has the window's own id as its connection. */
export function tourOf(window: WindowHost): Tour {
  const { desk, sampleFolder } = window.parts
  return new Tour({
    folder: sampleFolder,
    connection: window.id,
    open: (proposal, signal) => desk.open(proposal, signal),
    reviewOf: (path) =>
      desk.summaries().find((one) => one.path === path && one.dialect === 'sample' && one.phase === 'open')
        ?.id ?? null,
    draft(review) {
      const content = desk.content(review)?.content
      return content?.kind === 'text' ? content.draft : null
    },
    onDesk: (listener): Disposable => {
      const listening = new DisposableStack()
      listening.add(desk.onChange(() => listener()))
      listening.add(desk.onDelta(() => listener()))
      return listening
    },
    onFolderOpened: (listener) => {
      let had = window.folders
      return window.onFolders(() => {
        const { folders } = window
        const isOpened = folders.some((folder) => folder !== sampleFolder && !had.includes(folder))
        had = folders
        if (isOpened) listener()
      })
    },
    show: (review, path) => void window.tabs.openReview(review, path),
    reject: (review) => desk.closeTab(review),
  })
}

/** What a person meets first: which programs are there, and the tour. */
export function firstRunHandlers(
  window: WindowHost,
): PageHandlers<'machine.programs' | 'tour.start' | 'tour.leave', 'tour'> {
  const { tour, parts } = window
  return {
    calls: {
      'machine.programs': async () => ({
        programs: await findNeededPrograms(await parts.personEnvironment()),
      }),
      'tour.start': async () => {
        const begun = await tour.start()
        const isOpen = parts.windows().some(({ folders }) => folders.includes(parts.sampleFolder))
        // A window without a folder shows the sample's, so that the file is where files are.
        if (!begun.ok || window.folders.length > 0 || isOpen) return begun
        const opened = await parts.openFolder(parts.sampleFolder, window)
        return opened.ok ? begun : opened
      },
      'tour.leave': async () => {
        tour.leave()
        // As it was before; a folder that the person has opened meanwhile stays.
        if (isUnused(window) && window.folders.length > 0) {
          await parts.removeFolder(parts.sampleFolder, window)
        }
        return {}
      },
    },
    topics: {
      tour: (_params, sink) => {
        sink.snapshot({ tour: tour.state })
        return tour.onChange(() => sink.delta({ tour: tour.state }))
      },
    },
  }
}
