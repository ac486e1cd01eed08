import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { succeed } from '../../../shared/result'
import { attempt, ask } from '../../state/host/calls'
import { conversationLayout, draftOf } from '../../state/sessions/conversation-layout'
import { useConnections } from '../../state/agents/connections-mirror'
import { frameLayout } from '../../state/window/frame-layout'
import { useMirror } from '../../state/host/mirror'
import { openFile } from '../../state/tabs/wanted-file'
import { reviewsMirror } from '../../state/reviews/reviews-mirror'
import { type SessionShown, type SessionView, useSessionView } from '../../state/sessions/session-view'
import { resumeSession, titleOf, useSession } from '../../state/sessions/sessions-mirror'
import { showReview } from '../../state/reviews/shown-review'
import { useSetting } from '../../state/settings/settings-mirror'
import { openAddress } from '../../state/window/window-actions'
import { type LinkTarget, linkTarget } from '../../ui/wording/link-target'
import { Skeleton } from '../../ui/layout/skeleton'
import { WebLinkDialog } from '../../ui/overlays/web-link-dialog'
import { restsNow } from './activity'
import { askedReviews } from './asked-reviews'
import type {
  AskedReview,
  ConversationActions,
  ConversationState,
  DrawDiff,
  HistoryState,
  RestoreRequest,
  Sending,
} from './conversation'
import { ConversationView } from './conversation-view'
import { useReveal } from './reveal'
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
  const mayResume = useSetting('sessionsResume')
  const density = conversationLayout.density.use()
  const [web, setWeb] = useState<string | null>(null)
  const draft = useMemo(() => draftOf(session), [session])
  const actions = useMemo(() => actionsOf(view, session, setWeb), [view, session])
  const { transcript, revision } = shown
  const asked = useAskedReviews(summary)
  const state: ConversationState = {
    id: session,
    title: summary?.title ?? transcript.facts.title ?? 'Session',
    agent,
    transcript,
    revision,
    history: historyOf(shown),
    gaps: shown.gaps,
    sending: sendingOf(shown, summary, mayResume, asked),
    density,
    isAtRest: restsNow(summary, shown.isGone),
    isAsking: !shown.isGone && (summary?.state === 'asking' || asked.length > 0),
    asked,
  }
  const reveal = useReveal(view, session)
  return (
    <>
      <ConversationView
        state={state}
        draft={draft}
        actions={actions}
        drawDiff={drawDiff}
        active={active}
        reveal={reveal}
      />
      <WebLinkDialog url={web} onOpen={openAddress} onClose={() => setWeb(null)} />
    </>
  )
}

function useAskedReviews(summary: SessionSummary | undefined): readonly AskedReview[] {
  const connections = useConnections()?.connections
  // As text, so that a step of a draft makes nothing new of the same reviews.
  const asked = useMirror(reviewsMirror, (state) =>
    JSON.stringify(askedReviews(summary, state?.reviews ?? [], connections ?? [])),
  )
  return useMemo(() => JSON.parse(asked) as AskedReview[], [asked])
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
  mayResume: boolean,
  [review]: readonly AskedReview[] = [],
): Sending {
  if (isGone) {
    return {
      kind: 'read-only',
      reason: 'Its file is gone. What was read of it stays here until you close it.',
      canResume: false,
    }
  }
  if (!summary) return { kind: 'ready' }
  if (summary.state === 'none') {
    return mayResume
      ? { kind: 'ready', resumes: true }
      : { kind: 'read-only', reason: `${agent} does not run in this session.`, canResume: true }
  }
  if (summary.terminal === null) {
    return {
      kind: 'read-only',
      reason: 'This session runs in another terminal. Type there, or go on here with a copy of it.',
      canResume: true,
    }
  }
  if (review) {
    return {
      kind: 'read-only',
      reason: `${agent} waits for your review of ${review.name}.`,
      canResume: false,
      review: review.id,
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

/** `askWeb`: the person is asked whether an address shall be opened in the browser. */
function actionsOf(view: SessionView, id: string, askWeb: (url: string) => void): ConversationActions {
  const openPlace = (place: string) => {
    const { path, line } = readPlace(place, view.store.getState().transcript.facts.folder)
    showPlace(path, line)
  }
  return {
    earlier: () => void view.loadEarlier(),
    choose: (item) => view.choose(item),
    later: (after) => void view.loadLater(after),
    followAgent: (name) => view.agents.follow(name),
    earlierOfAgent: (name) => view.agents.earlier(name),
    moreOfAgent: (name) => void view.agents.loadEarlier(name),
    openFile: (path, line) => showPlace(path, line),
    openPlace,
    openLink: (href) => {
      const target = readLink(href, view.store.getState().transcript.facts.folder)
      if (target.kind === 'web') askWeb(target.url)
      else if (target.kind === 'file') openPlace(target.path)
    },
    restore: ({ call, offset }: RestoreRequest) => attempt('sessions.restore', { id, call, offset }),
    send: async (text) => {
      const sent = await attempt('sessions.send', { id, text })
      return sent.ok ? succeed({}) : sent
    },
    openReview: (review) => {
      frameLayout.narrowView.set('main')
      showReview(review, true)
    },
    stop: () => void ask('sessions.stop', { id }),
    resume: () => void resumeSession(id),
    setDensity: (density) => conversationLayout.density.set(density),
    exportAs: (format) => {
      const title = titleOf(id) ?? view.store.getState().transcript.facts.title
      void exportSession(id, format, { agent, title })
    },
  }
}

function showPlace(path: string, line: number | null): void {
  const at = line === null ? undefined : { line: line - 1, character: 0 }
  void openFile(path, { preview: true, focus: true, at })
}

/** Where a link in a message leads: paths count from the session's folder, and lead nowhere where that is unknown. */
export function readLink(href: string, folder: string | null): LinkTarget {
  const target = linkTarget(folder === null ? '' : `${folder}/message`, href)
  return target.kind === 'file' && folder === null && !href.startsWith('/') ? { kind: 'none' } : target
}

/** A place as agents write it: a path, perhaps from the session's folder, perhaps with a line that counts from 1. */
export function readPlace(place: string, folder: string | null): { path: string; line: number | null } {
  const [, name = place, line] = /^(.+?)(?::(\d+)(?:[:-]\d+)?)?$/s.exec(place) ?? []
  const isWhole = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(name)
  const path = isWhole || folder === null ? name : `${folder}/${name.replace(/^\.\//, '')}`
  return { path, line: line === undefined ? null : Math.max(1, Number(line)) }
}
