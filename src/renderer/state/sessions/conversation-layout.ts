import { textEntriesOf } from '../../../shared/json'
import { type LayoutValue, defineLayoutValue } from '../window/kept-layout'

type Drafts = Readonly<Record<string, string>>
/** How much is shown: `summary` what was said, `normal` also tools as lines, `verbose` everything. */
export type Density = 'summary' | 'normal' | 'verbose'

/** How many sessions' drafts are kept; the oldest is dropped first. */
const mostDrafts = 50

/** What the page keeps about conversations: how much is shown, and unsent drafts. */
export const conversationLayout = {
  density: defineLayoutValue<Density>('conversation.density', (stored) =>
    stored === 'summary' || stored === 'verbose' ? stored : 'normal',
  ),
  /** The agent that a conversation was begun with last; empty: none yet. */
  agent: defineLayoutValue<string>('conversation.agent', (stored) =>
    typeof stored === 'string' ? stored : '',
  ),
  drafts: defineLayoutValue<Drafts>(
    'conversation.drafts',
    (stored) => Object.fromEntries(textEntriesOf(stored)),
    joinDrafts,
  ),
}

function joinDrafts(mine: Drafts, theirs: Drafts): Drafts {
  const joined = { ...theirs }
  for (const [session, text] of Object.entries(mine)) {
    const other = theirs[session] ?? ''
    if (other.includes(text)) continue
    joined[session] = other === '' || text.includes(other) ? text : `${other}\n${text}`
  }
  return joined
}

/** A session's unsent draft. */
export function draftOf(session: string): LayoutValue<string> {
  const { drafts } = conversationLayout
  return {
    get: () => drafts.get()[session] ?? '',
    set: (text) => keepDraft(session, text),
    use: () => drafts.use()[session] ?? '',
  }
}

/** Keeps a session's draft; an empty text removes it. */
function keepDraft(session: string, text: string): void {
  const { [session]: before, ...others } = conversationLayout.drafts.get()
  if ((before ?? '') === text) return
  const kept = Object.entries(others).slice(
    text === '' ? 0 : Math.max(0, Object.keys(others).length - mostDrafts + 1),
  )
  conversationLayout.drafts.set(Object.fromEntries(text === '' ? kept : [...kept, [session, text]]))
}
