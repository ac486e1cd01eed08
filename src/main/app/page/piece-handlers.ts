import { fail, succeed } from '../../../shared/result'
import { readPiece, readStretch } from '../../core/files/file-pieces'
import { LineCount } from '../../core/files/line-count'
import { withFile } from '../../core/files/regular-file'
import type { Tabs } from '../../core/editing/tabs'
import type { PageHandlers } from './page-handlers'

/** Bytes of a picture in one answer. */
const bytesAtOnce = 384 * 1024

/** The line counts of each window: they outlive its pages. */
const countsOf = new WeakMap<Tabs, Map<string, LineCount>>()

function isShown(tabs: Tabs, path: string): boolean {
  return tabs.state.tabs.some((tab) => 'path' in tab && tab.path === path)
}

function countsIn(tabs: Tabs): Map<string, LineCount> {
  const known = countsOf.get(tabs)
  if (known) return known
  const counts = new Map<string, LineCount>()
  countsOf.set(tabs, counts)
  // Ends with the window's tabs.
  tabs.on(() => {
    for (const [path, count] of counts) {
      if (isShown(tabs, path)) continue
      count.dispose()
      counts.delete(path)
    }
  })
  return counts
}

/** Long files and pictures, read in pieces; only those that a tab of the window shows. */
export function pieceHandlers(tabs: Tabs): PageHandlers<'pieces'> {
  const counts = countsIn(tabs)
  const countOf = (path: string): LineCount => {
    const known = counts.get(path) ?? new LineCount(path)
    counts.set(path, known)
    return known
  }
  const notShown = (path: string) => fail('not-open', `${path} is no longer open. Open it again.`)
  const unreadable = (path: string) => fail('failed', `${path} can no longer be read. Open it again.`)
  return {
    calls: {
      'pieces.read': async ({ path, at, before }) =>
        isShown(tabs, path) ? readPiece(path, at, before) : notShown(path),
      'pieces.line': async ({ path, at }) => {
        if (!isShown(tabs, path)) return notShown(path)
        const line = await countOf(path).lineAt(at)
        return line === null ? unreadable(path) : succeed({ line })
      },
      'pieces.offset': async ({ path, line }) => {
        if (!isShown(tabs, path)) return notShown(path)
        const at = await countOf(path).offsetOf(line)
        return at === null ? unreadable(path) : succeed({ at })
      },
      'pieces.bytes': async ({ path, from }) => {
        if (!isShown(tabs, path)) return notShown(path)
        try {
          const bytes = await withFile(path, (file) => readStretch(file, from, from + bytesAtOnce))
          return succeed({ base64: bytes.toString('base64'), done: bytes.length < bytesAtOnce })
        } catch {
          return unreadable(path)
        }
      },
    },
    topics: {},
  }
}
