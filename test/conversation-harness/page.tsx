import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { dispatchKeys } from '../../src/renderer/commands/dispatch'
import { ConversationView } from '../../src/renderer/features/conversation/conversation-view'
import { registerConversationCommands } from '../../src/renderer/features/conversation/conversation-commands'
import type { Density } from '../../src/renderer/state/sessions/conversation-layout'
import { TextDiff } from '../../src/renderer/features/review/text/text-diff'
import { LiveRegion } from '../../src/renderer/ui/browser/live-region'
import { applyTheme } from '../../src/renderer/ui/theme/theme'
import { TooltipProvider } from '../../src/renderer/ui/overlays/tooltip'
import { hardSession, longSession, richSession } from './scenes'
import { SessionWriter, text } from './session-writer'
import { ConversationStage, type StageOptions } from './stage'
import '../../src/renderer/ui/theme/base.css'

/** A conversation alone on a page, for tests and for looking at. `?scene=` names what is in it; with `held`, pages in front wait. */
const query = new URLSearchParams(location.search)
const theme = query.get('theme')
applyTheme(theme === 'dark' ? 'dark' : theme === 'high-contrast' ? 'high-contrast' : 'light')
const items = Number(query.get('items') ?? 2000)
const usual: StageOptions = {
  writer: richSession(),
  title: 'Keep the heating from flickering',
  density: (query.get('density') ?? 'normal') as Density,
  firstLines: 1_000_000,
  page: 60,
  sending: { kind: 'ready' },
}
const scenes: Record<string, () => Partial<StageOptions>> = {
  rich: () => ({}),
  hard: () => ({
    writer: hardSession(),
    title: 'A title that is rather long, longer than there is room for in most windows',
  }),
  empty: () => ({ writer: new SessionWriter(0), title: 'New session' }),
  loading: () => ({ writer: new SessionWriter(0), history: { kind: 'loading' } }),
  failed: () => ({
    writer: new SessionWriter(0),
    history: {
      kind: 'failed',
      message: 'The session’s file cannot be read. Check its rights and open it again.',
    },
  }),
  foreign: () => ({
    sending: {
      kind: 'read-only',
      reason: 'This session runs in another terminal. You can read along.',
      canResume: true,
    },
  }),
  long: () => ({ writer: longSession(items), title: `${items} messages` }),
  paged: () => ({
    writer: longSession(items),
    title: `${items} messages`,
    firstLines: Number(query.get('first') ?? 60),
  }),
  'tall-end': () => {
    const writer = longSession(items)
    writer.reply('tall', text('A long last answer, higher than the view. '.repeat(400)))
    return { writer, title: 'A tall last message', firstLines: Number(query.get('first') ?? 60) }
  },
}
const stage = new ConversationStage({ ...usual, ...scenes[query.get('scene') ?? 'rich']?.() })
stage.isHeld = query.has('held')
Object.assign(window, { stage })
dispatchKeys(window, false)
registerConversationCommands()

function Page() {
  const state = useStore(stage.store)
  return (
    <main style={{ height: '100%' }}>
      <ConversationView
        state={state}
        draft={stage.draft}
        sources={stage.sources}
        actions={stage.actions}
        drawDiff={(diff) => <TextDiff {...diff} />}
        active
      />
      <LiveRegion />
    </main>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <TooltipProvider>
      <Page />
    </TooltipProvider>,
  )
}
