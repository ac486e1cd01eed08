import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { DisposableStack } from '../../../../shared/lifetime'
import {
  hasAllWords,
  markPattern,
  readQuery,
  type SessionQuery,
} from '../../../../shared/conversation/session-query'
import type { SessionTranscript } from '../../../../shared/conversation/session-transcript'
import { toolsOf, type Item } from '../../../../shared/conversation/transcript'
import type { Density } from '../../../state/sessions/conversation-layout'
import { tell } from '../../../state/window/notices-mirror'
import { type WantedMessage, wantedMessage } from '../../../state/sessions/session-reveal'
import type { SessionView } from '../../../state/sessions/session-view'
import { matchesIn, partId, partsOf, type FindMatch } from './find'

/** An item to bring into sight, with what to mark in it. Another object each time. */
export interface MessageReveal {
  item: string
  /**
   * Where it is in what sub-agents said: for each, the fold of the tool that started it, and its own item; the innermost
   * last.
   */
  inside: readonly { fold: string; agent: string; item: string }[]
  query: SessionQuery | null
  /** It was found in a tool of the item. */
  isTool: boolean
}

/** The place in a found item: the part that has all words. */
export function placeOfReveal(
  item: Item,
  { query, isTool }: Pick<MessageReveal, 'query' | 'isTool'>,
  density: Density,
): FindMatch {
  const parts = partsOf(item, density).filter(({ text }) => query !== null && hasAllWords(text, query))
  const tools = new Set(item.kind === 'reply' ? toolsOf(item.blocks).map(({ id }) => `${item.id}/${id}`) : [])
  const part = parts.find(({ id }) => tools.has(id) === isTool) ?? parts[0]
  const [first] = query ? matchesIn(item, markPattern(query), density) : []
  if (part) return { item: item.id, part: part.id, nth: 0 }
  return first ?? { item: item.id, part: item.id, nth: 0 }
}

/** Takes a requested message of this session, reads as far back as needed, and gives its item. */
export function useMessageReveal(view: SessionView, session: string): MessageReveal | null {
  const [reveal, setReveal] = useState<MessageReveal | null>(null)
  const message = useStore(wantedMessage, (state) =>
    state.message?.session === session ? state.message : null,
  )
  const isHere = useStore(view.store, ({ phase }) => phase === 'here')
  const looking = useRef(new DisposableStack())
  useEffect(() => () => looking.current.dispose(), [view])
  useEffect(() => {
    if (!message || !isHere) return
    wantedMessage.setState({ message: null })
    looking.current.dispose()
    // Sub-agents are followed until something else is requested.
    const own = (looking.current = new DisposableStack())
    void findItem(view, message, own).then((found) => {
      if (found === null || own !== looking.current) return
      setReveal({ ...found, query: readQuery(message.typed), isTool: message.isTool })
    })
  }, [view, message, isHere])
  return reveal
}

async function findItem(
  view: SessionView,
  message: WantedMessage,
  followed: DisposableStack,
): Promise<Pick<MessageReveal, 'item' | 'inside'> | null> {
  const transcript = () => view.store.getState().transcript
  if (!(await view.reach(message.offset))) {
    tell('info', 'That message can’t be read: its file was replaced. Search again.')
    return null
  }
  const item = itemOf(transcript(), message)
  if (item === null) {
    tell('info', 'That message is no longer in this session. Search again.')
    return null
  }
  // It is on another way of the conversation, which is chosen.
  if (transcript().indexOf(item.id) < 0) view.choose(item.id)
  const inside: MessageReveal['inside'][number][] = []
  let around: Item = item
  for (const { agent, ...place } of message.inside) {
    const fold = await foldOfAgent(view, around.id, agent)
    if (fold === null) break
    followed.add(view.agents.follow(agent))
    await view.agents.reach(agent, place.offset)
    const inner = itemOf(transcript().agent(agent), place)
    if (inner === null) break
    inside.push({ fold, agent, item: inner.id })
    around = inner
  }
  if (inside.length < message.inside.length)
    tell('info', 'That sub-agent message can no longer be read. This is the tool that started it.')
  return { item: item.id, inside }
}

/** How long to wait until it is known which sub-agent a tool has started, in milliseconds. */
const patience = 5000

/** The fold of the tool that started a sub-agent, in an item of the session or of another sub-agent. */
async function foldOfAgent(view: SessionView, item: string, agent: string): Promise<string | null> {
  const look = () => {
    const { transcript } = view.store.getState()
    const found = transcript.withId(item)
    const calls = found?.kind === 'reply' ? toolsOf(found.blocks) : []
    const call = calls.find((one) => one.agent === agent)
    return call ? partId(item, { kind: 'tool', call }, 0) : null
  }
  return new Promise((resolve) => {
    const end = (fold: string | null) => {
      stop()
      clearTimeout(timer)
      resolve(fold)
    }
    const hear = () => {
      const fold = look()
      if (fold !== null) end(fold)
    }
    const stop = view.store.subscribe(hear)
    const timer = setTimeout(() => end(null), patience)
    hear()
  })
}

/** The item that shows a line: by its name, else by its place. */
function itemOf(
  transcript: SessionTranscript,
  { uuid, offset }: Pick<WantedMessage, 'uuid' | 'offset'>,
): Item | null {
  const named = uuid === null ? null : transcript.itemWith(uuid)
  if (named) return named
  let before: Item | null = null
  for (let index = 0; index < transcript.length; index++) {
    const item = transcript.at(index)
    if (!item || item.offset > offset) break
    before = item
  }
  return before
}
