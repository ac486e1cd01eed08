import { MessageSquare, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { markPattern } from '../../../shared/conversation/session-query'
import { type Item, type Prompt, type ReadTranscript, textOf } from '../../../shared/conversation/transcript'
import { wantedConversation } from '../../state/sessions/conversation-requests'
import { EmptyState } from '../../ui/layout/empty-state'
import { announce } from '../../ui/browser/live-region'
import { keepFocusIn } from '../../ui/browser/kept-focus'
import { Skeleton } from '../../ui/layout/skeleton'
import { isAtWork } from './activity'
import { Blocks } from './message/blocks'
import { Composer, type EditedPrompt } from './composer/composer'
import { createDraft } from './composer/memory-draft'
import { isPictureType } from './composer/pictures'
import { windowAround } from './tools/agent-window'
import {
  addToDraft,
  type AskedReview,
  type ComposerSources,
  type ConversationActions,
  type ConversationState,
  type DrawDiff,
  type MessageDraft,
} from './conversation-state'
import { shownConversations } from './conversation-commands'
import { ConversationHeader } from './conversation-header'
import type { FindMatch } from './find/find'
import { FindBar } from './find/find-bar'
import { useFindMarks } from './find/find-marks'
import { createFolds, FoldsContext, setAgentWindow, setFold, workFold, type Folds } from './message/folds'
import { MessageList, type ListHandle } from './list/message-list'
import { NoticeWords } from './message/notice-words'
import { ReplyAnnouncer } from './message/reply-announcer'
import { placeOfReveal, type MessageReveal } from './find/reveal'
import { layOutRows } from './list/rows'
import {
  RevisionContext,
  SurroundingsContext,
  type PromptActs,
  type ConversationSurroundings,
} from './surroundings'
import './conversation.css'
import './tools/tool-card.css'

const noSources: ComposerSources = {}
const noReviews: readonly AskedReview[] = []

/**
 * A conversation to read and, where possible, to take part in. It shows what it is given and asks for the rest; another
 * session needs another key. `active`: it is in sight.
 */
export function ConversationView({
  state,
  draft,
  sources = noSources,
  actions,
  drawDiff,
  active,
  reveal = null,
}: {
  state: ConversationState
  draft: MessageDraft
  /** The same object for the same session. */
  sources?: ComposerSources
  /** The same object for the same session. */
  actions: ConversationActions
  /** The same function each time: another one draws everything anew. */
  drawDiff: DrawDiff
  active: boolean
  /** An item to bring into sight once. */
  reveal?: MessageReveal | null
}) {
  const { transcript, revision, density, history, agent, gaps, isAsking = false, asked = noReviews } = state
  const region = useRef<HTMLElement>(null)
  const list = useRef<ListHandle>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [folds] = useState(createFolds)
  // A changed transcript is the same object: only the revision tells.
  const { rows } = useMemo(
    () => ({ revision, rows: layOutRows(transcript, density, gaps) }),
    [transcript, density, gaps, revision],
  )
  const isWorking = isAtWork(state)
  const isList = history.kind === 'here' && (rows.length > 0 || history.earlier !== 'none')
  const { folder } = transcript.facts
  const [edited, setEdited] = useState<EditedPrompt | null>(null)
  /** What earlier messages were changed to and not sent, by their items. */
  const [edits] = useState(() => new Map<string, MessageDraft>())
  const { forks = false, rewinds = false } = state.driven?.abilities ?? {}
  const promptActs = useMemo<PromptActs>(
    () => ({
      edit: forks
        ? (prompt) => {
            const draft = edits.get(prompt.id) ?? draftOfPrompt(prompt)
            edits.set(prompt.id, draft)
            setEdited({ item: prompt.id, draft })
            field.current?.focus()
          }
        : null,
      rewind: rewinds ? ({ id }) => void actions.driven?.rewind(id) : null,
    }),
    [forks, rewinds, actions, edits],
  )
  const around = useMemo<ConversationSurroundings>(
    () => ({
      ...{ agent, folder, density, actions, transcript, drawDiff, drawItem, isWorking, isAsking, asked },
      promptActs,
    }),
    [agent, folder, density, actions, transcript, drawDiff, isWorking, isAsking, asked, promptActs],
  )
  useAnnouncements(state, active)
  useEffect(() => (region.current ? keepFocusIn(region.current, () => field.current) : undefined), [])
  const isWanted = useStore(wantedConversation.store, ({ wanted }) => wanted === state.id)
  useEffect(() => {
    if (active && isWanted && wantedConversation.take((id) => id === state.id)) field.current?.focus()
  }, [active, isWanted, state.id])
  const [revisions] = useState(() => createStore(() => revision))
  useLayoutEffect(() => revisions.setState(revision), [revisions, revision])

  const [isFinding, setFinding] = useState(false)
  const [pattern, setPattern] = useState<RegExp | null>(null)
  const [shown, setShown] = useState<FindMatch | null>(null)
  const [revealed, setRevealed] = useState<RegExp | null>(null)
  useFindMarks(list, isFinding ? pattern : revealed, shown)
  const find = useCallback(() => {
    setRevealed(null)
    setFinding(true)
  }, [])
  const show = (match: FindMatch | null) => {
    setShown(match)
    if (match === null) return
    setFold(folds, match.part, true)
    const row = rows.rowOf(transcript.indexOf(match.item))
    if (row >= 0) list.current?.show(row)
  }
  const broughtIntoSight = useRef<MessageReveal | null>(null)
  const bringIntoSight = useEffectEvent((wanted: MessageReveal) => {
    const index = transcript.indexOf(wanted.item)
    const item = transcript.at(index)
    if (!item || broughtIntoSight.current === wanted) return
    broughtIntoSight.current = wanted
    setFinding(false)
    setRevealed(wanted.query && markPattern(wanted.query))
    const row = rows.at(rows.rowOf(index))
    if (row?.kind === 'work') setFold(folds, row.key, true)
    const innermost = openAgents(wanted, { transcript, folds })
    // In a summary the tools of a reply are folded.
    if (innermost || wanted.isTool) setFold(folds, workFold(item.id), true)
    const place = placeOfReveal(innermost ?? item, wanted, density === 'verbose' ? 'verbose' : 'normal')
    show({ ...place, item: item.id })
  })
  useEffect(() => {
    // A hidden conversation waits until it is in sight.
    if (reveal && active) bringIntoSight(reveal)
  }, [reveal, active, transcript])
  useEffect(() => {
    const element = region.current
    if (!element) return
    shownConversations.set(element, {
      find: () => {
        setRevealed(null)
        setFinding(true)
        region.current?.querySelector<HTMLInputElement>('.conversation-find input')?.select()
      },
      toNewest: () => list.current?.toNewest(),
      write: () => field.current?.focus(),
      converse: actions.converse,
    })
    return () => void shownConversations.delete(element)
  }, [actions])

  return (
    <SurroundingsContext value={around}>
      <FoldsContext value={folds}>
        <RevisionContext value={revisions}>
          <section
            ref={region}
            className="conversation fills"
            aria-label={`Conversation: ${state.title}`}
            data-scope="conversation"
            inert={!active}
            onKeyDown={({ key }) => {
              if (key === 'Escape') setRevealed(null)
            }}
          >
            <ConversationHeader
              title={state.title}
              agent={agent}
              isReadOnly={state.sending.kind === 'read-only'}
              facts={transcript.facts}
              density={density}
              driven={state.driven ?? null}
              actions={actions}
              onFind={find}
            />
            {isFinding ? (
              <FindBar
                state={state}
                shown={shown}
                onPattern={setPattern}
                onShow={show}
                onClose={() => {
                  setFinding(false)
                  setShown(null)
                  list.current?.focus()
                }}
              />
            ) : null}
            {isList ? (
              <MessageList ref={list} state={state} rows={rows} active={active} onEarlier={actions.earlier} />
            ) : (
              <div className="messages column">{insteadOfList(state)}</div>
            )}
            <Composer
              field={field}
              state={state}
              draft={draft}
              sources={sources}
              actions={actions}
              edited={edited}
              onEditEnd={(over, isSent) => {
                setEdited((now) => (now?.item === over.item ? null : now))
                if (!isSent) return field.current?.focus()
                edits.delete(over.item)
                // What was written while it was on its way.
                addToDraft(draft, { text: over.draft.own.get(), pictures: [] })
                addToDraft(draft, { text: over.draft.get(), pictures: over.draft.pictures?.get() ?? [] })
              }}
            />
          </section>
        </RevisionContext>
      </FoldsContext>
    </SurroundingsContext>
  )
}

/** What a prompt says, to be changed. */
function draftOfPrompt({ blocks }: Prompt): MessageDraft {
  const pictures = blocks.flatMap((block) =>
    block.kind === 'image' && block.data !== '' && isPictureType(block.mediaType)
      ? [{ name: '', mediaType: block.mediaType, data: block.data }]
      : [],
  )
  return createDraft(textOf(blocks), pictures)
}

function insteadOfList({ history, agent }: ConversationState) {
  switch (history.kind) {
    case 'loading':
      return <Skeleton lines={8} />
    case 'failed':
      return <EmptyState icon={<TriangleAlert />} title={history.message} />
    case 'here':
      return (
        <EmptyState icon={<MessageSquare />} title="No messages yet">
          Messages between you and {agent} appear here.
        </EmptyState>
      )
  }
}

/** Unfolds the sub-agents on the way to what was found. Returns the innermost one's item; null without sub-agents. */
function openAgents(
  { inside }: MessageReveal,
  { transcript, folds }: { transcript: ReadTranscript; folds: Folds },
): Item | null {
  let innermost: Item | null = null
  for (const { fold, agent, item } of inside) {
    const items = transcript.agentItems(agent)
    const ids = items.map(({ id }) => id)
    setFold(folds, fold, true)
    setAgentWindow(folds, agent, windowAround(ids, item))
    innermost = items[ids.indexOf(item)] ?? null
  }
  return innermost
}

/** What a sub-agent said, or a step of the agent's work, inside another row. */
function drawItem(item: Item) {
  return item.kind === 'notice' ? (
    <NoticeWords notice={item} />
  ) : (
    <Blocks item={item.id} blocks={item.blocks} isPlain={item.kind === 'prompt'} />
  )
}

/** Announces each reply once it is finished, but none that was there before. */
function useAnnouncements(
  { transcript, agent, history, revision }: ConversationState,
  active: boolean,
): void {
  const announcer = useRef<ReplyAnnouncer | null>(null)
  useEffect(() => {
    announcer.current = new ReplyAnnouncer()
  }, [transcript])
  useEffect(() => {
    const words = announcer.current?.hear(transcript, agent, history.kind !== 'here') ?? null
    if (words !== null && active) announce(words)
  }, [transcript, agent, history.kind, revision, active])
}
