import { DisposableStack } from '../../../shared/lifetime'
import { findNeededPrograms } from '../../core/agents/needed-programs'
import type { Tabs } from '../../core/editing/tabs'
import type { Environment } from '../../core/platform/environment'
import type { ReviewDesk } from '../../core/review/desk'
import { Tour } from '../../core/tour/tour'
import type { FolderChoice } from '../page/window-handlers'
import type { WindowFolders } from '../window-folders'
import { type PageHandlers, sendWhole } from '../page/page-handlers'

/** The folder of the sample file, as a review names it. */
export const sampleFolderName = 'Sample folder'

/** Whether the person has opened no folder in a window; the tour's own does not count. */
export function isUnused(folders: WindowFolders, sampleFolder: string): boolean {
  return folders.paths.every((folder) => folder === sampleFolder)
}

/** The tour of a window, on the real desk. Its sample agent has the window's own id as its connection. */
export function tourOf({
  window,
  folders,
  tabs,
  desk,
  sampleFolder,
}: {
  /** The window's id. */
  window: string
  folders: WindowFolders
  tabs: Tabs
  desk: ReviewDesk
  sampleFolder: string
}): Tour {
  return new Tour({
    folder: sampleFolder,
    connection: window,
    open: (proposal, signal) => desk.open(proposal, signal),
    reviewOf: (path) =>
      desk.summaries().find((one) => one.path === path && one.dialect === 'sample' && one.phase === 'open')
        ?.id ?? null,
    draft(review) {
      const content = desk.content(review)?.content
      return content?.kind === 'text' ? content.draft : null
    },
    onDesk: (listener) =>
      new DisposableStack(
        desk.onChange(() => listener()),
        desk.onDelta(() => listener()),
      ),
    onFolderOpened: (listener) => {
      let had = folders.paths
      return folders.onChange(() => {
        const isOpened = folders.paths.some((folder) => folder !== sampleFolder && !had.includes(folder))
        had = folders.paths
        if (isOpened) listener()
      })
    },
    show: (review, path) => void tabs.openReview(review, path),
    reject: (review) => desk.closeTab(review),
  })
}

/** What a person meets first: which programs are there, and the tour. */
export function firstRunHandlers({
  tour,
  folders,
  choice,
  sampleFolder,
  environment,
  isSampleOpen,
}: {
  tour: Tour
  folders: WindowFolders
  choice: FolderChoice
  sampleFolder: string
  environment(): Promise<Environment>
  /** Whether some window shows the sample's folder. */
  isSampleOpen(): boolean
}): PageHandlers<'machine' | 'tour', 'tour'> {
  return {
    calls: {
      'machine.programs': async () => ({
        programs: await findNeededPrograms(await environment()),
      }),
      'tour.start': async () => {
        const begun = await tour.start()
        // A window without a folder shows the sample's, so that the file is where files are.
        if (!begun.ok || folders.paths.length > 0 || isSampleOpen()) return begun
        const opened = await choice.open(sampleFolder)
        return opened.ok ? begun : opened
      },
      'tour.leave': async () => {
        tour.leave()
        // As it was before; a folder that the person has opened meanwhile stays.
        if (isUnused(folders, sampleFolder) && folders.paths.length > 0) {
          await choice.remove(sampleFolder)
        }
        return {}
      },
    },
    topics: { tour: sendWhole(() => ({ tour: tour.state }), tour.onChange) },
  }
}
