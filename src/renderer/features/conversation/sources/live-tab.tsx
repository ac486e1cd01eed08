import { useMemo } from 'react'
import { useStore } from 'zustand'
import { exportMarkdown, exportName } from '../../../../shared/conversation/transcript-export'
import { fail } from '../../../../shared/result'
import { isAsked, kindWords } from '../../../../shared/approval/approval'
import { plainText } from '../../../../shared/text/plain-text'
import { showApproval, useApprovals } from '../../../state/approvals/approvals-mirror'
import { ask, attempt } from '../../../state/host/calls'
import { conversationLayout, draftOf } from '../../../state/sessions/conversation-layout'
import { type LiveShown, type LiveView, useLiveView } from '../../../state/sessions/live-view'
import { download } from '../../../ui/browser/download'
import { Skeleton } from '../../../ui/layout/skeleton'
import {
  historyOf,
  type AskedApproval,
  type ConversationActions,
  type ConversationState,
  type DrawDiff,
  type Sending,
} from '../conversation'
import { ConversationView } from '../conversation-view'
import { itemsOf } from '../list/rows'
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
  const draft = useMemo(() => draftOf(id), [id])
  const { places, dialog } = useFolderPlaces(() => view.store.getState().conversation?.folder ?? null)
  const actions = useMemo(() => ({ ...actionsOf(view, id), ...places }), [view, id, places])
  const approvals = useApprovalsOf(id)
  const { conversation, transcript, revision } = shown
  const state: ConversationState = {
    id,
    title: conversation?.title ?? 'Conversation',
    agent: conversation?.agent ?? 'Agent',
    transcript,
    revision,
    history: historyOf(shown, 'This conversation is over. Begin a new one.'),
    sending: sendingOf(shown),
    queue: conversation?.queue ?? [],
    isQueueHeld: conversation?.isQueueHeld ?? false,
    controls: conversation?.controls ?? [],
    ...(conversation ? { process: conversation.process } : {}),
    density,
    commands: conversation?.commands ?? [],
    approvals,
    isAsking: approvals.length > 0,
  }
  return (
    <>
      <ConversationView state={state} draft={draft} actions={actions} drawDiff={drawDiff} active={active} />
      {dialog}
    </>
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

const notKept = fail(
  'not-kept',
  'What the file held before is not kept in this conversation. Take the change back in the file.',
)

/** Reads all that was said and gives it to the person as a file. */
async function exportLive(view: LiveView, format: 'md' | 'jsonl'): Promise<void> {
  while (await view.loadEarlier());
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

function actionsOf(
  view: LiveView,
  id: string,
): Omit<ConversationActions, 'openFile' | 'openPlace' | 'openLink'> {
  return {
    earlier: () => void view.loadEarlier(),
    restore: () => Promise.resolve(notKept),
    openApproval: (approval) => showApproval(approval, true),
    send: (text) => attempt('conversation.send', { id, text, pictures: [], withContext: true }),
    stop: () => void ask('conversation.stop', { id }),
    restart: () => void ask('conversation.restart', { id }),
    setControl: (control, value) => void ask('conversation.choose', { id, control, value }),
    queue: {
      edit: (message, text) => attempt('conversation.edit', { id, message, text }),
      move: (message, to) => attempt('conversation.move', { id, message, to }),
      withdraw: (message) => attempt('conversation.withdraw', { id, message }),
    },
    setDensity: (density) => conversationLayout.density.set(density),
    exportAs: (format) => void exportLive(view, format),
  }
}
