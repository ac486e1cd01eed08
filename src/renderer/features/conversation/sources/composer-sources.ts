import { useEffect, useMemo } from 'react'
import { attempt } from '../../../state/host/calls'
import { client } from '../../../state/host/client'
import { link, useLink } from '../../../state/host/link'
import { contextMirror } from '../../../state/agents/context-mirror'
import { useMirror } from '../../../state/host/mirror'
import { picturesOf, savePicturesNow } from '../../../state/sessions/added-pictures'
import { draftOf } from '../../../state/sessions/conversation-layout'
import { openSymbols } from '../../../state/tabs/open-documents'
import { saveLayoutNow } from '../../../state/window/kept-layout'
import { describePlaceIn } from '../../../ui/wording/line-places'
import { countOf } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'
import { addToDraft, type ComposerSources, type MessageDraft } from '../conversation-state'

/** What is being written for a conversation, kept by its name; once it is in front, with what no agent has read of it. */
export function useMessageDraft(name: string, active: boolean): Required<MessageDraft> {
  const draft = useMemo(() => messageDraft(name), [name])
  const isLive = useLink().state === 'live'
  useEffect(() => {
    if (active && isLive) void takeUnsent(name)
  }, [name, active, isLive])
  return draft
}

function messageDraft(name: string): Required<MessageDraft> {
  return { ...draftOf(name), own: draftOf(`own/${name}`), pictures: picturesOf(name) }
}

/** The ids of what this page has taken, by its name: each is added to the draft once, however often it is given. */
const taken = new Map<string, Set<string>>()
// Another page goes on from what is kept, and this one after it.
link.subscribe(({ state }) => {
  if (state === 'elsewhere') taken.clear()
})

/** Takes what is kept on the host, which lets go of it once it is told that it has come. */
async function takeUnsent(name: string): Promise<void> {
  const had = taken.get(name) ?? new Set<string>()
  taken.set(name, had)
  // Otherwise one that was removed while the link was lost would come back.
  savePicturesNow(name)
  const { kept } = await client
    .call('conversation.takeUnsent', { draft: name, had: [...had] })
    .catch(() => ({ kept: [] }))
  const fresh = kept.filter(({ id }) => !had.has(id))
  if (fresh.length === 0) return
  // A page that was there when the app ended has its pictures still.
  const has = (data: string) =>
    picturesOf(name)
      .get()
      .some((picture) => picture.data === data)
  for (const { id, messages } of fresh) {
    had.add(id)
    for (const { text, pictures } of messages)
      addToDraft(messageDraft(name), { text, pictures: pictures.filter(({ data }) => !has(data)) })
  }
  // The host has the draft before it lets go of what the draft now holds.
  saveLayoutNow()
  return takeUnsent(name)
}

/** A conversation is known by another name from now on: what is being written goes along. */
export function renameDraft(before: string, now: string): void {
  if (before === now) return
  const [from, to] = [messageDraft(before), messageDraft(now)]
  addToDraft(to, { text: from.get(), pictures: from.pictures.get() })
  if (from.own.get() !== '') to.own.set(from.own.get())
  from.own.set('')
  from.set('')
  if (from.pictures.get().length > 0) from.pictures.set([])
}

/** How long a list of files is good enough before it is made anew, in milliseconds. */
const listAge = 30_000
let listedAt = Number.NEGATIVE_INFINITY

/** Files and names that can be mentioned. */
export const plainSources: ComposerSources = {
  files: async (typed) => {
    const refresh = performance.now() - listedAt > listAge
    if (refresh) listedAt = performance.now()
    const found = await attempt('search.files', { typed, withIgnored: false, refresh })
    return found.ok ? found.value.files : []
  },
  symbols: openSymbols,
}

/** The same, and what of the editor goes with a message. */
export const sharedSources: ComposerSources = {
  ...plainSources,
  useShared: () => {
    // As a text, so that nothing is drawn anew as long as it says the same.
    const words = useMirror(contextMirror, (context) => {
      if (!context?.sharing.all) return ''
      const files = context.files.filter(({ withheld }) => withheld === null)
      const { latest } = context
      const selected =
        latest && latest.withheld === null && latest.length > 0
          ? `${plainName(latest.name)}, ${describePlaceIn(latest)}`
          : null
      const open = files.length === 0 ? null : countOf(files.length, 'open file')
      return [selected, open].filter((part) => part !== null).join(' · ')
    })
    return words === '' ? null : { words, all: `Goes with your message: ${words}` }
  },
}
