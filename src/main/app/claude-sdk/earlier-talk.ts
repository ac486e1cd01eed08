import { objectOf, stringOf } from '../../../shared/json'
import { agentOf, parentOf, typeOf } from '../../../shared/conversation/session-record'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import type { Item } from '../../../shared/conversation/transcript'
import type { SessionFile } from '../../core/history/session-file'
import type { Resumption } from '../../protocols/claude-sdk/launch-arguments'
import type { EarlierTalk } from '../../protocols/claude-sdk/sdk-conversation'

/** So many messages of a session are shown when it goes on; earlier ones are in its record. */
const mostMessages = 400

const nothing: EarlierTalk = { items: [], before: [], last: null }

/** What was said in a session, as far as it goes on from there. */
export async function earlierTalk(
  open: (session: string) => Promise<SessionFile | null>,
  { session, upTo }: Resumption,
): Promise<EarlierTalk> {
  const file = await open(session)
  const page = await file?.readLast(mostMessages)
  if (!page?.ok) return nothing
  const transcript = new SessionTranscript()
  const before: [string, string | null][] = []
  /** Of each record, the message that it is or follows: null before the first of all, undefined if it isn’t here. */
  const places = new Map<string, string | null | undefined>()
  let last: string | null = null
  for (const { bytes, offset, record } of page.value.lines) {
    transcript.add([{ bytes, offset, record }])
    const message = objectOf(record)
    const uuid = stringOf(message?.['uuid'])
    if (!message || uuid === null || agentOf(message) !== null) continue
    const parent = parentOf(message)
    const followed = typeof parent === 'string' ? places.get(parent) : parent
    const type = typeOf(message)
    const isSaid = type === 'user' || type === 'assistant'
    places.set(uuid, isSaid ? uuid : followed)
    if (!isSaid) continue
    if (type === 'user' && followed !== undefined) before.push([`u:${uuid}`, followed])
    last = uuid
    if (uuid === upTo) break
  }
  const items = transcript.items().map(stopped)
  return { items: page.value.from > 0 ? [more, ...items] : items, before, last }
}

/** What has no result gets none any more: the program that it ran in has ended, or goes on elsewhere. */
function stopped(item: Item): Item {
  if (item.kind === 'notice') return item
  const blocks = item.blocks.map((block) =>
    block.kind === 'tool' && block.call.state === 'open'
      ? { ...block, call: { ...block.call, state: 'stopped' as const } }
      : block,
  )
  return { ...item, blocks }
}

const more: Item = {
  ...{
    kind: 'notice',
    what: 'information',
    id: 'earlier',
    offset: 0,
    at: null,
    branches: null,
    record: null,
  },
  text: 'What was said before this is in the session’s record, in the list of sessions.',
}
