import { addCursorAbove, addCursorBelow, cursorMatchingBracket } from '@codemirror/commands'
import { foldAll, foldCode, unfoldAll, unfoldCode } from '@codemirror/language'
import { openSearchPanel, selectNextOccurrence } from '@codemirror/search'
import type { Command as EditorCommand } from '@codemirror/view'
import type { Disposable } from '../../../shared/lifetime'
import { onFile } from '../../commands/on-tab'
import { type Command, registerCommands } from '../../commands/registry'
import { ask } from '../../state/host/calls'
import { connectionsMirror } from '../../state/agents/connections-mirror'
import { readMirror } from '../../state/host/mirror'
import { tell } from '../../state/window/notices-mirror'
import { tabAt } from '../../state/tabs/tabs-mirror'
import { countOf } from '../../ui/wording/number-format'
import { saveDocument } from './document/document-saving'
import type { EditorSession } from './editor-session'
import { sessionAt, sessionOf } from './editor-sessions'
import { goingToLine } from './go-to-line'
import { describeMention, mentionedLines } from './mention'

/** Registers the editor's commands until disposed. */
export function registerEditorCommands(): Disposable {
  const sessionFor = (target: Element | null) => sessionAt(tabAt(target))
  const hasEditor = (target: Element | null) => sessionFor(target)?.view.getState().view != null
  /** A command of CodeMirror's, on the view that the target belongs to. */
  const inEditor = (command: EditorCommand): Pick<Command, 'when' | 'run'> => ({
    when: hasEditor,
    run: (target) => {
      const view = sessionFor(target)?.view.getState().view
      if (view) command(view)
    },
  })
  return registerCommands([
    {
      id: 'file.save',
      title: 'Save',
      menu: ['file', 2],
      keys: ['Mod+S'],
      ...onFile(({ path }) => void saveDocument(path)),
    },
    {
      id: 'file.revert',
      title: 'Discard unsaved changes',
      menu: ['file', 2],
      ...onFile(
        (tab) => void sessionOf(tab).sync.replace(() => ask('documents.revert', { path: tab.path })),
        ({ dirty }) => dirty,
      ),
    },
    {
      id: 'editor.mention',
      title: 'Mention the selection to the agent',
      menu: ['edit', 2],
      keys: ['Alt+K'],
      when: hasEditor,
      run: (target) => void mention(sessionFor(target)),
    },
    { id: 'editor.find', title: 'Find in this file', menu: ['edit', 1], ...inEditor(openSearchPanel) },
    {
      id: 'editor.goToLine',
      title: 'Go to line …',
      menu: ['go', 3],
      keys: ['Mod+G'],
      ...inEditor((view) => {
        goingToLine.setState({ view })
        return true
      }),
    },
    { id: 'editor.fold', title: 'Fold here', menu: ['view', 3], ...inEditor(foldCode) },
    { id: 'editor.unfold', title: 'Unfold here', menu: ['view', 3], ...inEditor(unfoldCode) },
    {
      id: 'editor.addCursorAbove',
      title: 'Add cursor above',
      menu: ['edit', 4],
      ...inEditor(addCursorAbove),
    },
    {
      id: 'editor.addCursorBelow',
      title: 'Add cursor below',
      menu: ['edit', 4],
      ...inEditor(addCursorBelow),
    },
    {
      id: 'editor.selectNextOccurrence',
      title: 'Select next occurrence',
      menu: ['edit', 4],
      ...inEditor(selectNextOccurrence),
    },
    {
      id: 'editor.goToBracket',
      title: 'Go to matching bracket',
      menu: ['go', 3],
      ...inEditor(cursorMatchingBracket),
    },
    { id: 'editor.foldAll', title: 'Fold all', menu: ['view', 3], ...inEditor(foldAll) },
    { id: 'editor.unfoldAll', title: 'Unfold all', menu: ['view', 3], ...inEditor(unfoldAll) },
    {
      id: 'editor.focus',
      title: 'Go to editor',
      menu: ['go', 1],
      when: hasEditor,
      run: (target) => sessionFor(target)?.reveal(null, true),
    },
  ])
}

async function mention(session: EditorSession | null): Promise<void> {
  const view = session?.view.getState().view
  if (!session || !view) return
  const lines = mentionedLines(view.state)
  await session.sync.flush()
  const answer = await ask('selection.mention', { path: session.path, ...(lines ? { lines } : {}) })
  if (!answer) return
  const agents = (readMirror(connectionsMirror)?.connections ?? []).map((connection) => connection.agent)
  // The host tells only how many got it, so they are named only where all did.
  const heard = answer.told === agents.length ? agents : [countOf(answer.told, 'agent')]
  const told = answer.told === 0 ? [] : heard
  tell(answer.told === 0 ? 'warning' : 'info', describeMention(session.name, lines, told))
}
