import { useLayoutEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { exportMarkdown, exportName } from '../../../../shared/conversation/transcript-export'
import type { LiveConversationState } from '../../../../shared/contract/conversations'
import { type Result, succeed } from '../../../../shared/result'
import { isAsked, kindWords } from '../../../../shared/approval/approval'
import { plainText } from '../../../../shared/text/plain-text'
import { showApproval, useApprovals } from '../../../state/approvals/approvals-mirror'
import { ask, attempt } from '../../../state/host/calls'
import { conversationLayout } from '../../../state/sessions/conversation-layout'
import { type LiveShown, type LiveView, useLiveView } from '../../../state/sessions/live-view'
import { wantedConversation } from '../../../state/sessions/conversation-requests'
import { useMirror } from '../../../state/host/mirror'
import { reviewsMirror } from '../../../state/reviews/reviews-mirror'
import { showReview } from '../../../state/reviews/shown-review'
import { frameLayout } from '../../../state/window/frame-layout'
import { tell } from '../../../state/window/notices-mirror'
import { download } from '../../../ui/browser/download'
import { Skeleton } from '../../../ui/layout/skeleton'
import {
  historyOf,
  type AskedApproval,
  type AskedReview,
  type ConversationActions,
  type ConversationState,
  type DrawDiff,
  type DrivenActions,
  type DrivenFacts,
  type Sending,
} from '../conversation-state'
import { ConversationView } from '../conversation-view'
import { itemsOf } from '../list/rows'
import { reviewsAskedIn } from './asked-reviews'
import { renameDraft, sharedSources as sources, useMessageDraft } from './composer-sources'
import { useFolderPlaces } from './folder-places'

/** A conversation that Greenlight runs, in a tab. */
export function LiveTab(props: { conversation: string; active: boolean; drawDiff: DrawDiff }) {
  const view = useLiveView(props.conversation)
  return view ? <Followed key={props.conversation} view={view} {...props} /> : <Skeleton lines={8} />
}

function Followed({
  view,
  conversation: id,
  active,
  drawDiff,
}: {
  view: LiveView
  conversation: string
  active: boolean
  drawDiff: DrawDiff
}) {
  const shown = useStore(view.store)
  const density = conversationLayout.density.use()
  // The agent's session outlives this conversation, and so does what was written for it.
  const name = shown.conversation?.session ?? id
  const draft = useMessageDraft(name, active)
  const formerName = useRef(id)
  useLayoutEffect(() => {
    renameDraft(formerName.current, name)
    formerName.current = name
  }, [name])
  const { places, dialog } = useFolderPlaces(() => view.store.getState().conversation?.folder ?? null)
  const actions = useMemo(() => ({ ...actionsOf(view, id), ...places }), [view, id, places])
  const approvals = useApprovalsOf(id)
  const { conversation, transcript, revision } = shown
  const driven = useDrivenFacts(conversation)
  const asked = useReviewsOf(id)
  const state: ConversationState = {
    id,
    title: conversation?.title ?? 'Conversation',
    agent: conversation?.agent ?? 'Agent',
    transcript,
    revision,
    history: historyOf(shown, 'This conversation is over. Start a new one.'),
    sending: sendingOf(shown),
    queue: conversation?.queue ?? [],
    isQueueHeld: conversation?.isQueueHeld ?? false,
    controls: conversation?.controls ?? [],
    ...(conversation ? { process: conversation.process } : {}),
    density,
    commands: conversation?.commands ?? [],
    approvals,
    asked,
    isAsking: approvals.length > 0 || asked.length > 0,
    ...(driven ? { driven } : {}),
  }
  return (
    <>
      <ConversationView
        state={state}
        draft={draft}
        sources={sources}
        actions={actions}
        drawDiff={drawDiff}
        active={active}
      />
      {dialog}
    </>
  )
}

/** The reviews that its agent waits for, followed. */
function useReviewsOf(id: string): readonly AskedReview[] {
  // As text, so that a step of a draft makes nothing new of the same reviews.
  const asked = useMirror(reviewsMirror, (state) => JSON.stringify(reviewsAskedIn(id, state?.reviews ?? [])))
  return useMemo(() => JSON.parse(asked) as AskedReview[], [asked])
}

/** The same object as long as none of it changes. */
function useDrivenFacts(conversation: LiveConversationState | null): DrivenFacts | null {
  const { switches, parts, tasks, context, isUnresponsive, abilities } = conversation ?? {}
  return useMemo(
    () =>
      switches && parts && tasks && abilities
        ? {
            switches,
            parts,
            tasks,
            abilities,
            context: context ?? null,
            isUnresponsive: isUnresponsive === true,
          }
        : null,
    [switches, parts, tasks, context, isUnresponsive, abilities],
  )
}

/** What is asked in a conversation, followed. */
function useApprovalsOf(id: string): AskedApproval[] {
  const approvals = useApprovals()
  return useMemo(
    () =>
      approvals
        .filter((approval) => isAsked(approval) && approval.question.requester.conversation === id)
        .map(({ id, question: { kind, subject } }) => ({
          ...{ id, wants: kindWords[kind], subject: plainText(subject) },
        })),
    [approvals, id],
  )
}

/** Reads all that was said and gives it to the person as a file. */
async function exportLive(view: LiveView, format: 'md' | 'jsonl'): Promise<void> {
  if (!(await view.loadAll()))
    return tell('error', 'Not all of this conversation could be read, so nothing was exported. Try again.')
  const { transcript, conversation } = view.store.getState()
  const { facts } = transcript
  const items = itemsOf(transcript)
  const name = exportName(facts.title, format)
  if (format === 'md') {
    const agent = conversation?.agent ?? 'Agent'
    download(name, [...exportMarkdown(items, { agent, facts })], 'text/markdown')
  } else {
    const lines = items.map((item) => `${JSON.stringify(item)}\n`)
    download(name, lines, 'application/x-ndjson')
  }
}

function sendingOf({ conversation, phase }: LiveShown): Sending {
  // Why not stands above already, with what can be done.
  if (phase === 'refused' || (conversation && conversation.process.phase !== 'running'))
    return { kind: 'read-only', reason: '', canResume: false }
  return { kind: 'ready' }
}

function drivenActions(id: string): DrivenActions {
  return {
    end: () => attempt('conversation.end', { id }),
    switch: (name, on) => told(attempt('conversation.switch', { id, switch: name, on })),
    act: (part, entry, act) => attempt('conversation.act', { id, part, entry, act }),
    stopTask: (task) => told(attempt('conversation.stopTask', { id, task })),
    fork: async (before, message) => {
      const forked = await attempt('conversation.fork', { id, before, ...message })
      if (forked.ok) wantedConversation.make(forked.value.id)
      return forked.ok ? succeed({}) : forked
    },
    rewind: async (before) => {
      const rewound = await told(attempt('conversation.rewind', { id, before }))
      if (!rewound.ok) return rewound
      const { files } = rewound.value
      if (files === 0) tell('info', 'The files are as they were before this message.')
      return succeed({})
    },
    figures: () => attempt('conversation.figures', { id }),
  }
}

/** Shows a failure as a notice, for what has no place of its own to say it. */
async function told<T>(doing: Promise<Result<T>>): Promise<Result<T>> {
  const done = await doing
  if (!done.ok) tell('error', done.failure.message)
  return done
}

function actionsOf(
  view: LiveView,
  id: string,
): Omit<ConversationActions, 'openFile' | 'openPlace' | 'openLink'> {
  return {
    earlier: () => void view.loadEarlier(),
    openApproval: (approval) => showApproval(approval, true),
    openReview: (review) => {
      frameLayout.narrowView.set('main')
      showReview(review, true)
    },
    send: (message) => attempt('conversation.send', { id, ...message }),
    stop: () => void ask('conversation.stop', { id }),
    restart: () => void ask('conversation.restart', { id }),
    setControl: (control, value) => void ask('conversation.choose', { id, control, value }),
    queue: {
      edit: (message, text) => attempt('conversation.edit', { id, message, text }),
      move: (message, to) => attempt('conversation.move', { id, message, to }),
      withdraw: (message) => attempt('conversation.withdraw', { id, message }),
      give: (message) => attempt('conversation.give', { id, message }),
    },
    driven: drivenActions(id),
    setDensity: (density) => conversationLayout.density.set(density),
    exportAs: (format) => void exportLive(view, format),
  }
}
