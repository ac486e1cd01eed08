import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { attempt, ask } from '../../state/calls'
import { conversationLayout, keepDraft } from '../../state/conversation-layout'
import { showTerminal } from '../../state/frame-layout'
import { openFile } from '../../state/open-file'
import { type SessionShown, type SessionView, useSessionView } from '../../state/session-view'
import { useSession } from '../../state/sessions'
import { Skeleton } from '../../ui/skeleton'
import type {
  ConversationActions,
  ConversationState,
  DrawDiff,
  HistoryState,
  RestoreRequest,
  Sending,
} from './conversation'
import { ConversationView } from './conversation-view'
import { exportSession } from './session-export'

/** A recorded session in a tab: read and followed while the tab stands, and typed into where that is possible. */
export function SessionTab(props: { session: string; active: boolean; drawDiff: DrawDiff }) {
  const view = useSessionView(props.session)
  // Another session is another view, with folds and a search of its own.
  return view ? <Followed key={props.session} view={view} {...props} /> : <Skeleton lines={8} />
}

const agent = 'Claude'

function Followed({
  view,
  session,
  active,
  drawDiff,
}: {
  view: SessionView
  session: string
  active: boolean
  drawDiff: DrawDiff
}) {
  const shown = useStore(view.store)
  const summary = useSession(session)
  const drafts = conversationLayout.drafts.use()
  const density = conversationLayout.density.use()
  const actions = useMemo(() => actionsOf(view, session), [view, session])
  const { transcript, revision } = shown
  const state: ConversationState = {
    id: session,
    title: summary?.title ?? transcript.facts.title ?? 'Session',
    agent,
    transcript,
    revision,
    history: historyOf(shown),
    sending: sendingOf(shown, summary),
    draft: drafts[session] ?? '',
    density,
  }
  return <ConversationView state={state} actions={actions} drawDiff={drawDiff} active={active} />
}

function historyOf({ phase, hasEarlier, isLoading }: SessionShown): HistoryState {
  switch (phase) {
    case 'waiting':
      return { kind: 'loading' }
    case 'refused':
      return {
        kind: 'failed',
        message:
          'This session cannot be read: its file is not there, or not readable. Look at the list again.',
      }
    case 'here':
      return { kind: 'here', earlier: isLoading ? 'loading' : hasEarlier ? 'some' : 'none' }
  }
}

/** Who can be typed to: an agent in a terminal of the app, or one that a message may bring back. */
export function sendingOf(
  { isGone }: Pick<SessionShown, 'isGone'>,
  summary: SessionSummary | undefined,
): Sending {
  if (isGone) {
    return {
      kind: 'read-only',
      reason: 'Its file is gone. What was read of it stays here until you close it.',
      canResume: false,
    }
  }
  if (!summary || summary.state === 'none') return { kind: 'ready' }
  if (summary.terminal === null) {
    return {
      kind: 'read-only',
      reason: 'This session runs in another terminal. You can read along here, and type there.',
      canResume: false,
    }
  }
  if (summary.state === 'asking') {
    return {
      kind: 'read-only',
      reason: `${agent} asks something in its terminal. Answer there.`,
      canResume: false,
    }
  }
  return { kind: 'ready' }
}

function actionsOf(view: SessionView, id: string): ConversationActions {
  return {
    earlier: () => void view.loadEarlier(),
    choose: (item) => view.choose(item),
    readAgent: (name) => void view.loadAgent(name),
    openFile: (path, line) => showPlace(path, line),
    openPlace: (place) => {
      const { path, line } = readPlace(place, view.store.getState().transcript.facts.folder)
      showPlace(path, line)
    },
    openLink: (url) => void ask('window.openExternal', { url }),
    restore: ({ call, offset }: RestoreRequest) => attempt('sessions.restore', { id, call, offset }),
    setDraft: (text) => keepDraft(id, text),
    send: async (text) => {
      const sent = await attempt('sessions.send', { id, text })
      if (!sent.ok) return sent
      keepDraft(id, '')
      return { ok: true, value: {} }
    },
    stop: () => void ask('sessions.stop', { id }),
    resume: () => {
      void ask('sessions.resume', { id }).then((resumed) => {
        if (resumed) showTerminal()
      })
    },
    setDensity: (density) => conversationLayout.density.set(density),
    exportAs: (format) => {
      const { title } = view.store.getState().transcript.facts
      void exportSession(id, format, { agent, title })
    },
  }
}

function showPlace(path: string, line: number | null): void {
  const at = line === null ? undefined : { line: line - 1, character: 0 }
  void openFile(path, { preview: true, focus: true, at })
}

/** A place as agents write it: a path, perhaps from the session's folder, perhaps with a line that counts from 1. */
export function readPlace(place: string, folder: string | null): { path: string; line: number | null } {
  const [, name = place, line] = /^(.+?)(?::(\d+)(?:[:-]\d+)?)?$/s.exec(place) ?? []
  const isWhole = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(name)
  const path = isWhole || folder === null ? name : `${folder}/${name.replace(/^\.\//, '')}`
  return { path, line: line === undefined ? null : Math.max(1, Number(line)) }
}
