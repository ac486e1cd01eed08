import { foldAll, unfoldAll } from '@codemirror/language'
import { gotoLine, openSearchPanel } from '@codemirror/search'
import type { Command as EditorCommand } from '@codemirror/view'
import type { Disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'
import { ask } from '../../state/calls'
import { connectionsMirror } from '../../state/connections'
import { readMirror } from '../../state/mirror'
import { tell } from '../../state/notices'
import { activeTab } from '../../state/tabs'
import { countOf } from '../../ui/number-format'
import { saveDocument } from './document-saving'
import { activeSession } from './editor-sessions'
import { describeMention, mentionedLines } from './mention'

/** Makes the editor's commands known until disposed. */
export function registerEditorCommands(): Disposable {
  const hasEditor = () => activeSession()?.view.getState().view != null
  const inEditor = (run: EditorCommand) => () => {
    const view = activeSession()?.view.getState().view
    if (view) run(view)
  }
  return registerCommands([
    {
      id: 'file.save',
      title: 'Save',
      keys: ['Mod+S'],
      when: () => activeTab()?.kind === 'file',
      run: () => {
        const tab = activeTab()
        if (tab?.kind === 'file') void saveDocument(tab.path)
      },
    },
    {
      id: 'file.revert',
      title: 'Forget unsaved changes',
      when: () => {
        const tab = activeTab()
        return tab?.kind === 'file' && tab.dirty
      },
      run: () => {
        const tab = activeTab()
        if (tab?.kind === 'file') void ask('documents.revert', { path: tab.path })
      },
    },
    {
      id: 'editor.mention',
      title: 'Mention the selection to the agent',
      keys: ['Alt+K'],
      when: hasEditor,
      run: () => void mention(),
    },
    { id: 'editor.find', title: 'Find in this file', when: hasEditor, run: inEditor(openSearchPanel) },
    { id: 'editor.goToLine', title: 'Go to line …', when: hasEditor, run: inEditor(gotoLine) },
    { id: 'editor.foldAll', title: 'Fold all', when: hasEditor, run: inEditor(foldAll) },
    { id: 'editor.unfoldAll', title: 'Unfold all', when: hasEditor, run: inEditor(unfoldAll) },
    {
      id: 'editor.focus',
      title: 'Go to the editor',
      when: hasEditor,
      run: () => activeSession()?.reveal(null, true),
    },
  ])
}

async function mention(): Promise<void> {
  const session = activeSession()
  const view = session?.view.getState().view
  if (!session || !view) return
  const lines = mentionedLines(view.state)
  await session.sync.flush()
  const answer = await ask('selection.mention', { path: session.path, ...(lines ? { lines } : {}) })
  if (!answer) return
  const agents = (readMirror(connectionsMirror)?.connections ?? []).map((connection) => connection.agent)
  // Which ones heard it is only known when all did.
  const heard = answer.told === agents.length ? agents : [countOf(answer.told, 'agent')]
  const told = answer.told === 0 ? [] : heard
  tell(answer.told === 0 ? 'warning' : 'info', describeMention(session.name, lines, told))
}
