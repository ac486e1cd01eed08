import type { DocumentState as PageDocument } from '../../../shared/contract/documents'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { succeed } from '../../../shared/result'
import type { DocumentState } from '../../core/editing/document-state'
import type { Documents } from '../../core/editing/documents'
import type { TextHandles } from '../text-handles'
import type { PageHandlers } from './page-handlers'

/** Open files as the page edits them. */
export function documentHandlers({
  documents,
  texts,
}: {
  documents: Documents
  texts: TextHandles
}): PageHandlers<
  | 'documents.push'
  | 'documents.save'
  | 'documents.resolve'
  | 'documents.revert'
  | 'documents.reformat'
  | 'documents.reopen',
  'document'
> {
  const forPage = (state: DocumentState): PageDocument => {
    switch (state.kind) {
      case 'text':
        return {
          ...state,
          clients: Object.fromEntries(state.clients),
          text: texts.refer(state.text.toString()),
        }
      case 'binary':
        return { kind: 'binary', size: state.size, meta: { path: state.path } }
      case 'large':
        return { kind: 'large', size: state.size, meta: { path: state.path } }
      case 'image': {
        const { size, type, stamp } = state
        return { kind: 'image', size, type, stamp, meta: { path: state.path } }
      }
      case 'failed':
        return { kind: 'failed', failure: state.failure }
    }
  }
  return {
    calls: {
      'documents.push': ({ path, version, updates }) => {
        const status = documents.push(path, version, updates)
        // Changes that do not fit the text are cured like missing ones: by taking it anew.
        return { status: status === 'invalid' ? 'gone' : status }
      },
      'documents.save': async ({ path }) => {
        const saved = await documents.save(path)
        return saved.ok ? succeed({}) : saved
      },
      'documents.resolve': ({ path, how }) => documents.resolve(path, how),
      'documents.reformat': ({ path, eol, encoding, bom }) => {
        const format = { ...(eol ? { eol } : {}), ...(encoding ? { encoding } : {}) }
        const done = documents.reformat(path, { ...format, ...(bom === undefined ? {} : { bom }) })
        return done.ok ? succeed({}) : done
      },
      'documents.reopen': async ({ path, encoding }) => {
        const reopened = await documents.reopen(path, encoding)
        return reopened.ok ? succeed({}) : reopened
      },
      'documents.revert': async ({ path }) => {
        const reverted = await documents.revert(path)
        return reverted.ok ? succeed({}) : reverted
      },
    },
    topics: {
      document: ({ path }, sink) => {
        let isEnded = false
        const held: Disposable[] = []
        void documents.open(path).then((open) => {
          if (isEnded) return open.dispose()
          held.push(open)
          sink.snapshot(forPage(open.state()))
          held.push(
            documents.on((event) => {
              if (event.path !== open.path) return
              if (event.kind === 'updates') {
                sink.delta({ kind: 'updates', version: event.version, updates: jsonUpdates(event.updates) })
              } else if (event.kind === 'meta') sink.delta({ kind: 'meta', meta: event.meta })
              else if (event.kind === 'state') sink.delta({ kind: 'state', state: forPage(event.state) })
            }),
          )
        })
        return disposable(() => {
          isEnded = true
          for (const item of held.reverse()) item.dispose()
        })
      },
    },
  }
}

function jsonUpdates(updates: readonly { clientID: string; changes: unknown }[]) {
  return updates.map(({ clientID, changes }) => ({ clientID, changes: changes as unknown[] }))
}
