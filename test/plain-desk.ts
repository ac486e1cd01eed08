import { join } from 'node:path'
import { FileSwapper } from '../src/main/core/files/compare-and-swap'
import { Ledger } from '../src/main/core/files/ledger'
import type { FileWatcher } from '../src/main/core/files/watcher'
import { ReviewDesk } from '../src/main/core/review/desk'
import type { DeskOptions } from '../src/main/core/review/desk-events'
import { ReviewJournal } from '../src/main/core/review/journal'
import { acceptedContentOf } from '../src/main/core/review/review-content'
import type { ReviewRecord } from '../src/main/core/review/stored-review'
import type { Draft } from '../src/shared/review/draft'

/** A log that says nothing. */
export const silent = { info() {}, warn() {}, error() {} }

/** A review desk with its journal in FOLDER/data, in a house of one window in which nothing is typed, unless told otherwise. */
export function startPlainDesk(
  folder: string,
  watcher: FileWatcher,
  more: Partial<DeskOptions> = {},
): ReviewDesk {
  return new ReviewDesk({
    journal: new ReviewJournal(join(folder, 'data'), silent),
    ledger: new Ledger(),
    swapper: new FileSwapper(),
    watch: (path, listener) => watcher.watchFile(path, listener),
    placeOf: () => ({ window: 'w', folder: '', isOutside: false }),
    typeNote: () => false,
    ...more,
  })
}

/**
 * An open review's result, with undecided changes as proposed and the file's own line endings; null if it is over.
 */
export function draftText(desk: ReviewDesk, id: string): string | null {
  const found = desk.content(id)
  return found && acceptedContentOf(found.content).text
}

/** Resolves when `find` gives something, looking again whenever the desk changes. */
export function untilDesk<T>(desk: ReviewDesk, find: () => T | null | undefined | false): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const found = find()
      if (!found) return
      heard.dispose()
      resolve(found)
    }
    const heard = desk.onChange(() => queueMicrotask(look))
    look()
  })
}

/** What the journal keeps of a proposal for FOLDER/a.txt. */
export function recordOf(id: string, folder: string, draft: Draft): ReviewRecord {
  return {
    id,
    askedAt: 1,
    origin: { dialect: 'claude-ide', connection: 'c', agent: 'Claude', call: '1' },
    path: join(folder, 'a.txt'),
    realPath: join(folder, 'a.txt'),
    title: '',
    effect: 'agent',
    base: 'x',
    proposed: 'y',
    facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
    content: { kind: 'text', draft, lineEnds: null },
  }
}
