import { Transaction } from '@codemirror/state'
import type { Tab } from '../../../shared/contract/tabs'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { send } from '../../state/calls'
import { editorStatus } from '../../state/editor-status'
import { link } from '../../state/link'
import { readMirror } from '../../state/mirror'
import { flushDocuments } from '../../state/open-documents'
import { takeWantedFocus, wantedFocus } from '../../state/open-file'
import { activeTab, tabsMirror } from '../../state/tabs'
import { EditorSession } from './editor-session'
import { SelectionReport } from './selection-report'

type FileTab = Extract<Tab, { kind: 'file' }>

const sessions = new Map<string, { session: EditorSession; owned: DisposableStack }>()

/** The session of a file's tab, made when it is first shown. */
export function sessionOf(tab: Pick<FileTab, 'path' | 'name'>): EditorSession {
  const known = sessions.get(tab.path)
  if (known) return known.session
  const session = new EditorSession(tab.path, tab.name)
  const owned = new DisposableStack()
  owned.add(session)
  owned.add(
    session.onUpdate((update) => {
      // Scrolling alone has no transaction; a language that has come has.
      if (update.transactions.length === 0 || activeSession() !== session) return
      if (update.docChanged || update.selectionSet) report.changed()
      if (update.transactions.some((transaction) => isTyped(transaction))) keepPreview()
      showStatus()
    }),
  )
  owned.add(session.sync.onSettled(() => report.changed()))
  owned.add(disposable(session.sync.view.subscribe(showStatus)))
  sessions.set(tab.path, { session, owned })
  return session
}

/** Makes a session anew, after a failure. */
export function renewSession(path: string): void {
  const known = sessions.get(path)
  sessions.delete(path)
  known?.owned.dispose()
}

/** The session of the tab that is shown, if that is a file's. */
export function activeSession(): EditorSession | null {
  const tab = activeTab()
  return tab?.kind === 'file' ? (sessions.get(tab.path)?.session ?? null) : null
}

const report = new SelectionReport(
  () => {
    if (activeTab()?.kind !== 'file') return null
    return activeSession()?.selection() ?? undefined
  },
  (selection) => send('selection.set', { selection }),
)

/**
 * Follows the window's tabs: ends the sessions of closed ones, goes where the host says, brings over what is unsent
 * when a tool asks, and tells the host what is selected. Runs until disposed; once per page.
 */
export function runEditors(): Disposable {
  const owned = new DisposableStack()
  owned.add(disposable(tabsMirror.store.subscribe(followTabs)))
  owned.add(
    tabsMirror.onDelta((delta) => {
      switch (delta.kind) {
        case 'state':
        case 'waited':
          return
        case 'reveal':
          sessionOf({ path: delta.path, name: nameOf(delta.path) }).reveal(delta.selection, delta.focus)
          return
        case 'flush':
          void flushFor(delta.token)
      }
    }),
  )
  owned.add(
    disposable(
      link.subscribe((now, before) => {
        if (now.state === 'live' && before.state !== 'live') report.forget()
      }),
    ),
  )
  owned.add(
    disposable(
      wantedFocus.subscribe(({ path }) => {
        if (path !== null && activeSession()?.path === path) giveFocus(path)
      }),
    ),
  )
  const warn = (event: BeforeUnloadEvent) => {
    if (link.getState().state === 'live') return
    if ([...sessions.values()].some(({ session }) => hasUnsent(session))) event.preventDefault()
  }
  window.addEventListener('beforeunload', warn)
  owned.add(disposable(() => window.removeEventListener('beforeunload', warn)))
  owned.add(
    disposable(() => {
      for (const path of [...sessions.keys()]) renewSession(path)
    }),
  )
  return owned
}

function isTyped(transaction: Transaction): boolean {
  return transaction.docChanged && transaction.annotation(Transaction.remote) !== true
}

/** A preview that is worked in stays: the next file must not take its place. */
function keepPreview(): void {
  const tab = activeTab()
  if (tab?.kind === 'file' && tab.preview) send('tabs.keep', { id: tab.id })
}

function hasUnsent(session: EditorSession): boolean {
  return session.view.getState().view !== null && !session.sync.position.confirmed
}

function followTabs(): void {
  const state = readMirror(tabsMirror)
  if (!state) return
  const open = new Set(state.tabs.flatMap((tab) => (tab.kind === 'file' ? [tab.path] : [])))
  for (const path of [...sessions.keys()]) if (!open.has(path)) renewSession(path)
  const tab = activeTab()
  if (tab?.kind === 'file') {
    sessionOf(tab)
    giveFocus(tab.path)
  }
  report.changed()
  showStatus()
}

function giveFocus(path: string): void {
  if (!takeWantedFocus(path)) return
  sessions.get(path)?.session.reveal(null, true)
}

async function flushFor(token: string): Promise<void> {
  await flushDocuments()
  report.now()
  send('tabs.flushed', { token })
}

function showStatus(): void {
  const session = activeSession()
  const view = session?.view.getState().view
  const document = session?.sync.view.getState()
  if (!session || !view || document?.kind !== 'text') {
    if (editorStatus.getState().status) editorStatus.setState({ status: null })
    return
  }
  const { selection, doc } = view.state
  const line = doc.lineAt(selection.main.head)
  const selected = selection.ranges.reduce((sum, range) => sum + range.to - range.from, 0)
  const { eol, encoding, bom } = document.meta
  editorStatus.setState({
    status: {
      path: session.path,
      line: line.number,
      column: selection.main.head - line.from + 1,
      selected,
      eol,
      encoding,
      bom,
      language: session.language,
    },
  })
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
