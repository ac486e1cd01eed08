import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { hasAllWords, markPattern, readQuery, type SessionQuery } from '../../../shared/session-query'
import type { SessionTranscript } from '../../../shared/session-transcript'
import { toolsOf, type Item } from '../../../shared/transcript'
import type { Density } from '../../state/conversation-layout'
import { tell } from '../../state/notices'
import { type WantedMessage, wantedMessage } from '../../state/session-reveal'
import type { SessionView } from '../../state/session-view'
import { matchesIn, partsOf, type Match } from './find'

/** An item that is to be brought into sight, with what is to be marked in it. Another object each time. */
export interface Reveal {
  item: string
  query: SessionQuery | null
  /** It was found in a tool of the item. */
  isTool: boolean
}

/** The place in an item that was found: in the part that has all words. */
export function placeOfReveal(item: Item, { query, isTool }: Reveal, density: Density): Match {
  const parts = partsOf(item, density).filter(({ text }) => query !== null && hasAllWords(text, query))
  const tools = new Set(item.kind === 'reply' ? toolsOf(item.blocks).map(({ id }) => `${item.id}/${id}`) : [])
  const part = parts.find(({ id }) => tools.has(id) === isTool) ?? parts[0]
  const [first] = query ? matchesIn(item, markPattern(query), density) : []
  if (part) return { item: item.id, part: part.id, nth: 0 }
  return first ?? { item: item.id, part: item.id, nth: 0 }
}

/** Takes a message of this session that was asked for, reads as far back as it stands, and gives its item. */
export function useReveal(view: SessionView, session: string): Reveal | null {
  const [reveal, setReveal] = useState<Reveal | null>(null)
  const message = useStore(wantedMessage, (state) =>
    state.message?.session === session ? state.message : null,
  )
  const isHere = useStore(view.store, ({ phase }) => phase === 'here')
  useEffect(() => {
    if (!message || !isHere) return
    wantedMessage.setState({ message: null })
    void findItem(view, message).then((item) => {
      if (item === null) return
      setReveal({ item, query: readQuery(message.typed), isTool: message.isTool })
    })
  }, [view, message, isHere])
  return reveal
}

async function findItem(view: SessionView, message: WantedMessage): Promise<string | null> {
  if (!(await view.reach(message.offset))) {
    tell('info', 'That message is too far back to be shown at once. Scroll up for what stands before.')
    return null
  }
  const item = itemOf(view.store.getState().transcript, message)
  if (item === null) {
    tell('info', 'That message is not in this session any more. Search again.')
    return null
  }
  // On another way of the conversation: that one is taken.
  if (view.store.getState().transcript.indexOf(item) < 0) view.choose(item)
  return item
}

function itemOf(transcript: SessionTranscript, { uuid, offset }: WantedMessage): string | null {
  const named = uuid === null ? null : transcript.itemWith(uuid)
  if (named) return named.id
  let before: string | null = null
  for (let index = 0; index < transcript.length; index++) {
    const item = transcript.at(index)
    if (!item || item.offset > offset) break
    before = item.id
  }
  return before
}
