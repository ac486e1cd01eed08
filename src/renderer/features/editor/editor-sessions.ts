import { Transaction } from '@codemirror/state'
import type { Range } from '../../../shared/contract/define'
import type { Tab, TabsDelta } from '../../../shared/contract/tabs'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { send } from '../../state/host/calls'
import { editorStatus } from '../../state/tabs/editor-status'
import { link } from '../../state/host/link'
import { readMirror } from '../../state/host/mirror'
import { flushDocuments } from '../../state/tabs/open-documents'
import { wantedFile } from '../../state/tabs/wanted-file'
import { activeTab, tabsMirror } from '../../state/tabs/tabs-mirror'
import { EditorSession } from './editor-session'
import { SelectionReport } from './selection-report'

type FileTab = Extract<Tab, { kind: 'file' }>

/** By the id of their tab. */
const sessions = new Map<string, { session: EditorSession; owned: DisposableStack }>()

/** The session of a file's tab, made when it is first shown; it stays when the file is renamed. */
export function sessionOf(tab: Pick<FileTab, 'id' | 'path' | 'name'>): EditorSession {
  const known = sessions.get(tab.id)
  if (known) {
    known.session.rename(tab.path, tab.name)
    return known.session
  }
  const session = new EditorSession(tab.path, tab.name)
  const owned = new DisposableStack()
  owned.add(session)
  owned.add(
    session.onUpdate((update) => {
      // Scrolling alone has no transaction; a loaded language has one.
      if (update.transactions.length === 0 || activeSession() !== session) return
      if (update.docChanged || update.selectionSet) report.changed()
      if (update.transactions.some((transaction) => isTyped(transaction))) keepPreview()
      showStatus()
    }),
  )
  owned.add(session.sync.onSettled(() => report.changed()))
  owned.add(disposable(session.sync.view.subscribe(showStatus)))
  sessions.set(tab.id, { session, owned })
  return session
}

function endSession(id: string): void {
  const known = sessions.get(id)
  sessions.delete(id)
  known?.owned.dispose()
}

/** The session of the tab that is shown, if that is a file's. */
function activeSession(): EditorSession | null {
  return sessionAt(activeTab())
}

/** The session of a tab that has one already. */
export function sessionAt(tab: Tab | null): EditorSession | null {
  return tab?.kind === 'file' ? (sessions.get(tab.id)?.session ?? null) : null
}

const report = new SelectionReport(
  () => {
    if (activeTab()?.kind !== 'file') return null
    return activeSession()?.selection() ?? undefined
  },
  (selection) => send('selection.set', { selection }),
)

/**
 * Follows the window's tabs, as they are now and until disposed: ends the sessions of closed ones, gives the focus where it
 * is wanted, and tells the host what is selected. Once per page.
 */
export function runEditors(): Disposable {
  const owned = new DisposableStack()
  owned.add(disposable(tabsMirror.store.subscribe(followTabs)))
  owned.add(
    disposable(
      link.subscribe((now, before) => {
        if (now.state === 'live' && before.state !== 'live') report.forget()
      }),
    ),
  )
  owned.add(
    disposable(
      wantedFile.store.subscribe(() => {
        const tab = activeTab()
        if (tab?.kind === 'file') giveFocus(tab)
      }),
    ),
  )
  const warn = (event: BeforeUnloadEvent) => {
    const isCut = link.getState().state !== 'live'
    if ([...sessions.values()].some(({ session }) => isOnlyHere(session, isCut))) event.preventDefault()
  }
  window.addEventListener('beforeunload', warn)
  owned.add(disposable(() => window.removeEventListener('beforeunload', warn)))
  owned.add(
    disposable(() => {
      for (const id of [...sessions.keys()]) endSession(id)
    }),
  )
  // The time that the editors took to load doesn't count.
  const { wanted } = wantedFile.store.getState()
  if (wanted !== null) wantedFile.make(wanted)
  followTabs()
  return owned
}

/** Does what the host asks of the tabs: goes to a place, or sends unsent text. */
export function answerTabs(asked: Extract<TabsDelta, { kind: 'reveal' | 'flush' }>): void {
  if (asked.kind === 'reveal') revealIn(asked.path, asked.selection, asked.focus)
  else void flushFor(asked.token)
}

function isTyped(transaction: Transaction): boolean {
  return transaction.docChanged && transaction.annotation(Transaction.remote) !== true
}

/** Keeps a preview that is edited: the next file must not replace it. */
function keepPreview(): void {
  const tab = activeTab()
  if (tab?.kind === 'file' && tab.preview) send('tabs.keep', { id: tab.id })
}

/** Whether a session has text that isn't about to reach the host. */
function isOnlyHere({ view, sync }: EditorSession, isCut: boolean): boolean {
  if (sync.view.getState().kind === 'unsent') return true
  return isCut && view.getState().view !== null && !sync.position.confirmed
}

function followTabs(): void {
  const state = readMirror(tabsMirror)
  if (!state) return
  const open = new Set(state.tabs.flatMap((tab) => (tab.kind === 'file' ? [tab.id] : [])))
  for (const id of [...sessions.keys()]) if (!open.has(id)) endSession(id)
  const tab = activeTab()
  if (tab?.kind === 'file') {
    sessionOf(tab)
    giveFocus(tab)
  }
  report.changed()
  showStatus()
}

function giveFocus(tab: FileTab): void {
  if (wantedFile.take((path) => path === tab.path)) sessionOf(tab).reveal(null, true)
}

/** Goes to a place in a file: in the active editor, else in a shown one, else in the first. */
function revealIn(path: string, range: Range | null, focus: boolean): void {
  const { tabs = [], active, shown } = readMirror(tabsMirror) ?? {}
  const found = tabs.filter((tab): tab is FileTab => tab.kind === 'file' && tab.path === path)
  const tab =
    found.find(({ id }) => id === active) ??
    found.find(({ id }) => id === shown?.left || id === shown?.right) ??
    found[0]
  if (tab) sessionOf(tab).reveal(range, focus)
}

async function flushFor(token: string): Promise<void> {
  await flushDocuments()
  report.changed()
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
  const { eol, encoding, bom, guessed, dirty } = document.meta
  editorStatus.setState({
    status: {
      path: session.path,
      line: line.number,
      column: selection.main.head - line.from + 1,
      selected,
      eol,
      encoding,
      bom,
      guessed,
      dirty,
      indentation: session.indentation,
      setIndentation: (indentation) => {
        session.indentWith(indentation)
        showStatus()
      },
      language: session.language,
    },
  })
}
