import { basename } from 'node:path'
import { fail, succeed } from '../../../shared/result'
import type { Context } from '../../core/context/context'
import { languageIdOf } from '../../core/editing/language-id'
import { resolveRealPath } from '../../core/files/real-path'
import type { DiagnosticsPort, EditorPort } from '../../protocols/claude-ide/ports'
import type { EditorRooms } from '../dialect-kit/dialect'

/**
 * No language server runs yet, so nothing is known of any file. What one finds has to go through `context.whyUntold`,
 * like everything that an agent gets.
 */
export const diagnostics: DiagnosticsPort = {
  diagnostics: (path) => Promise.resolve(path === undefined ? [] : [{ path, diagnostics: [] }]),
}

/** The editor of a window, as far as agents may see it. */
export function editorPort({ tabs, documents, holds, reveals }: EditorRooms, context: Context): EditorPort {
  /** The path of an open file, as far as agents may see it. */
  const seenPath = (path: string): string | undefined => {
    const state = documents.get(path)
    const real = state?.kind === 'text' ? state.meta.path : undefined
    return real !== undefined && context.seen.files.some((file) => file.path === real) ? real : undefined
  }
  return {
    async open({ path, preview, makeFrontmost, find }) {
      const real = await resolveRealPath(path).catch(() => path)
      context.addName(path, real)
      const wasOpen = tabs.findFile(real) !== undefined
      const id = tabs.openFile(real, { preview, activate: false })
      // Whether it comes to the front, the page decides: it knows where the person is typing.
      if (makeFrontmost) reveals.emit({ path: real, selection: null, focus: false, toFront: true })
      const document = await holds.open.get(real)
      const state = document?.state()
      // A picture or a long file is shown; of its text there is nothing to tell.
      if (state?.kind === 'image' || state?.kind === 'large') return succeed(null)
      if (state?.kind !== 'text') {
        if (!wasOpen) tabs.close(id)
        const message =
          state?.kind === 'failed' ? state.failure.message : `${path} isn’t a text file. Open another file.`
        return fail('not-a-text', message)
      }
      const selection = find?.(state.text.toString()) ?? null
      if (selection) {
        reveals.emit({ path: real, selection, focus: false })
      }
      if (seenPath(real) === undefined) return succeed(null)
      return succeed({ languageId: languageIdOf(real), lineCount: state.text.lines })
    },
    dirtyState(path) {
      const state = documents.get(seenPath(path) ?? '')
      return state?.kind === 'text' ? { isDirty: state.meta.dirty, isUntitled: false } : undefined
    },
    save(path) {
      if (seenPath(path) === undefined) return undefined
      return documents
        .settle(path)
        .then(() => documents.save(path))
        .then((saved) => (saved.ok ? succeed(undefined) : saved))
    },
    closeTab(label) {
      for (const tab of tabs.state.tabs) {
        if (tab.kind !== 'file' || basename(tab.path) !== label || !seenPath(tab.path)) continue
        const state = documents.get(tab.path)
        if (state?.kind !== 'text' || !state.meta.dirty) tabs.close(tab.id)
      }
      return Promise.resolve()
    },
  }
}
