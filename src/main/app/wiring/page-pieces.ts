import { open } from 'node:fs/promises'
import { fail, succeed } from '../../../shared/result'
import { readPiece, readStretch } from '../../core/files/file-pieces'
import { LineCount } from '../../core/files/line-count'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** Bytes of a picture in one answer. */
const bytesAtOnce = 384 * 1024

/** Long files and pictures, read in pieces; only those that a tab of the window shows. */
export function pieceHandlers(
  window: WindowHost,
): PageHandlers<'pieces.read' | 'pieces.line' | 'pieces.offset' | 'pieces.bytes', never> {
  const counts = new Map<string, LineCount>()
  const isShown = (path: string) => window.tabs.state.tabs.some((tab) => 'path' in tab && tab.path === path)
  window.tabs.on((event) => {
    if (event.kind !== 'closed' || !('path' in event.tab) || isShown(event.tab.path)) return
    counts.get(event.tab.path)?.dispose()
    counts.delete(event.tab.path)
  })
  const countOf = (path: string): LineCount => {
    const known = counts.get(path) ?? new LineCount(path)
    counts.set(path, known)
    return known
  }
  const notShown = (path: string) => fail('not-open', `${path} is not open any more. Open it again.`)
  const unreadable = (path: string) => fail('failed', `${path} cannot be read any more. Open it again.`)
  return {
    calls: {
      'pieces.read': async ({ path, at, before }) =>
        isShown(path) ? readPiece(path, at, before) : notShown(path),
      'pieces.line': async ({ path, at }) => {
        if (!isShown(path)) return notShown(path)
        const line = await countOf(path).lineAt(at)
        return line === null ? unreadable(path) : succeed({ line })
      },
      'pieces.offset': async ({ path, line }) => {
        if (!isShown(path)) return notShown(path)
        const at = await countOf(path).offsetOf(line)
        return at === null ? unreadable(path) : succeed({ at })
      },
      'pieces.bytes': async ({ path, from }) => {
        if (!isShown(path)) return notShown(path)
        try {
          const file = await open(path, 'r')
          try {
            const bytes = await readStretch(file, from, from + bytesAtOnce)
            return succeed({ base64: bytes.toString('base64'), done: bytes.length < bytesAtOnce })
          } finally {
            await file.close()
          }
        } catch {
          return unreadable(path)
        }
      },
    },
    topics: {},
  }
}
