import type { ReviewDesk } from '../../core/review/desk'
import { describePlace } from '../folder-names'
import type { WindowFolders } from '../window-folders'
import type { PageHandlers } from './page-handlers'

/** A piece of an export ends with the line that makes it longer than this, in UTF-16 units. */
const pieceLength = 4 * 1024 * 1024

const week = 7 * 24 * 60 * 60 * 1000

interface RecordSources {
  desk: ReviewDesk
  folders: WindowFolders
  home: string
}

/** The record of writes as one window's page sees it. */
export function recordHandlers({
  desk,
  folders,
  home,
}: RecordSources): PageHandlers<'record', 'record' | 'letThrough'> {
  let count = 0
  const letThrough = () =>
    [...desk.letThrough(Date.now() - week, (path) => folders.hold(path))].map(([pattern, count]) => ({
      ...{ pattern, count },
    }))
  return {
    calls: {
      'record.page': async (query) => {
        const { entries, ...rest } = await desk.writes.page(query)
        const placed = entries.map((entry) => ({
          ...entry,
          folder: describePlace(folders.named, entry.path, home).folder,
        }))
        return { entries: placed, ...rest }
      },
      'record.lines': async (query) => {
        let lines = ''
        for await (const { line, mark } of desk.writes.lines(query)) {
          lines += `${line}\n`
          if (lines.length > pieceLength) return { lines, next: mark }
        }
        return { lines, next: null }
      },
    },
    topics: {
      letThrough: (_params, sink) => {
        sink.snapshot(letThrough())
        return desk.onChange(({ kind }) => {
          if (kind === 'decided') sink.delta(letThrough())
        })
      },
      record: (_params, sink) => {
        sink.snapshot({ count })
        return desk.onChange(({ kind }) => {
          if (kind === 'decided') sink.delta({ count: ++count })
        })
      },
    },
  }
}
