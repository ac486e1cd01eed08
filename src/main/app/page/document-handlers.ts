import type { DocumentState as PageDocument } from '../../../shared/contract/documents'
import { DisposableStack, disposable } from '../../../shared/lifetime'
import { withoutValue } from '../../../shared/result'
import type { DocumentState } from '../../core/editing/document-state'
import type { Documents, OpenDocument } from '../../core/editing/documents'
import type { TextHandles } from '../text-handles'
import { type PageHandlers, definedOnly } from './page-handlers'

/** Open files as the page edits them. */
export function documentHandlers({
  documents,
  texts,
  report,
}: {
  documents: Documents
  texts: TextHandles
  /** Of bugs. */
  report(error: unknown): void
}): PageHandlers<'documents', 'document'> {
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
        // The page recovers from changes that don't fit as from missing ones: it takes the text again.
        return { status: status === 'invalid' ? 'gone' : status }
      },
      'documents.save': async ({ path }) => withoutValue(await documents.save(path)),
      'documents.resolve': ({ path, how }) => documents.resolve(path, how),
      'documents.reformat': ({ path, ...format }) =>
        withoutValue(documents.reformat(path, definedOnly(format))),
      'documents.reopen': async ({ path, encoding }) => withoutValue(await documents.reopen(path, encoding)),
      'documents.revert': async ({ path }) => withoutValue(await documents.revert(path)),
    },
    topics: {
      document: ({ path }, sink) => {
        let isEnded = false
        const held = new DisposableStack(disposable(() => (isEnded = true)))
        const follow = (open: OpenDocument) => {
          held.add(open)
          if (isEnded) return
          sink.snapshot(forPage(open.state()))
          held.add(
            documents.on((event) => {
              if (event.path !== open.path) return
              if (event.kind === 'updates') {
                sink.delta({ kind: 'updates', version: event.version, updates: jsonUpdates(event.updates) })
              } else if (event.kind === 'meta') sink.delta({ kind: 'meta', meta: event.meta })
              else if (event.kind === 'state') sink.delta({ kind: 'state', state: forPage(event.state) })
            }),
          )
        }
        documents
          .open(path)
          .then(follow)
          .catch((error: unknown) => {
            report(error)
            sink.snapshot({
              kind: 'failed',
              failure: { code: 'failed', message: `${path} can’t be opened. Try again.` },
            })
          })
        return held
      },
    },
  }
}

function jsonUpdates(updates: readonly { clientID: string; changes: unknown }[]) {
  return updates.map(({ clientID, changes }) => ({ clientID, changes: changes as unknown[] }))
}
