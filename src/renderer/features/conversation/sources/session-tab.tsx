import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../../shared/contract/sessions'
import type { QueuedMessage } from '../../../../shared/contract/conversations'
import type { QueuedPrompt } from '../../../../shared/conversation/transcript'
import { attempt, ask } from '../../../state/host/calls'
import { conversationLayout } from '../../../state/sessions/conversation-layout'
import { useConnections } from '../../../state/agents/connections-mirror'
import { frameLayout } from '../../../state/window/frame-layout'
import { useMirror } from '../../../state/host/mirror'
import { reviewsMirror } from '../../../state/reviews/reviews-mirror'
import { type SessionShown, type SessionView, useSessionView } from '../../../state/sessions/session-view'
import {
  resumeAsConversation,
  resumeSession,
  titleOf,
  useSession,
} from '../../../state/sessions/sessions-mirror'
import { showReview } from '../../../state/reviews/shown-review'
import { useSetting } from '../../../state/settings/settings-mirror'
import { Skeleton } from '../../../ui/layout/skeleton'
import { restsNow } from '../activity'
import { askedReviews } from './asked-reviews'
import {
  historyOf,
  type AskedReview,
  type ConversationActions,
  type ConversationState,
  type DrawDiff,
  type Sending,
} from '../conversation-state'
import { ConversationView } from '../conversation-view'
import { plainSources as sources, useMessageDraft } from './composer-sources'
import { useFolderPlaces } from './folder-places'
import { useMessageReveal } from '../find/reveal'
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
  const draft = useMessageDraft(session, active)
  const { places, dialog } = useFolderPlaces(() => view.store.getState().transcript.facts.folder)
  const actions = useMemo(() => ({ ...actionsOf(view, session), ...places }), [view, session, places])
  const { transcript, revision } = shown
  const asked = useAskedReviews(summary)
  const state: ConversationState = {
    id: session,
    title: summary?.title ?? transcript.facts.title ?? 'Session',
    agent,
    transcript,
    revision,
    history: historyOf(
      shown,
      'This session can’t be read: its file is missing or unreadable. Check the list.',
    ),
    gaps: shown.gaps,
    sending: sendingOf(shown, summary, mayResume, asked),
    queue: queueOf(transcript.queue),
    density,
    isAtRest: restsNow(summary, shown.isGone),
    isAsking: !shown.isGone && (summary?.state === 'asking' || asked.length > 0),
    asked,
  }
  const reveal = useMessageReveal(view, session)
  return (
    <>
      <ConversationView
        state={state}
        draft={draft}
        sources={sources}
        actions={actions}
        drawDiff={drawDiff}
        active={active}
        reveal={reveal}
      />
      {dialog}
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

/** The messages that wait in an agent's own queue, which only it can change. */
function queueOf(queue: readonly QueuedPrompt[]): readonly QueuedMessage[] {
  return queue.map(({ text }, index) => ({ id: String(index), text, pictures: 0, isGiven: true }))
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
      reason: 'Its file is gone. What has been loaded stays here until you close it.',
      canResume: false,
    }
  }
  if (!summary) return { kind: 'ready' }
  if (summary.state === 'none') {
    return mayResume
      ? { kind: 'ready', resumes: true }
      : { kind: 'read-only', reason: `${agent} isn’t running in this session.`, canResume: true }
  }
  if (summary.isDriven) {
    return {
      kind: 'read-only',
      reason: 'This session is in a conversation here. Write there.',
      canResume: false,
      isDriven: true,
    }
  }
  if (summary.terminal === null) {
    return {
      kind: 'read-only',
      reason: 'This session runs in another terminal. Type there, or continue here with a copy.',
      canResume: true,
    }
  }
  if (review) {
    return {
      kind: 'read-only',
      reason: `${agent} is waiting for your review of ${review.name}.`,
      canResume: false,
      review: review.id,
    }
  }
  if (summary.state === 'asking') {
    return {
      kind: 'read-only',
      reason: `${agent} is waiting for an answer in its terminal.`,
      canResume: false,
    }
  }
  return { kind: 'ready' }
}

function actionsOf(
  view: SessionView,
  id: string,
): Omit<ConversationActions, 'openFile' | 'openPlace' | 'openLink'> {
  return {
    earlier: () => void view.loadEarlier(),
    choose: (item) => view.choose(item),
    later: (after) => void view.loadLater(after),
    agents: view.agents,
    restore: ({ call, offset }) => attempt('sessions.restore', { id, call, offset }),
    // An agent in a terminal is told of the editor by its own connection.
    send: (message) => attempt('conversation.send', { id, ...message, withContext: false }),
    openReview: (review) => {
      frameLayout.narrowView.set('main')
      showReview(review, true)
    },
    stop: () => void ask('conversation.stop', { id }),
    resume: () => void resumeSession(id),
    converse: () => void resumeAsConversation(id),
    restart: () => void resumeSession(id),
    queue: null,
    setDensity: (density) => conversationLayout.density.set(density),
    exportAs: (format) => {
      const title = titleOf(id) ?? view.store.getState().transcript.facts.title
      void exportSession(id, format, { agent, title })
    },
  }
}
