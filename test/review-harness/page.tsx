import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { client } from '../../src/renderer/state/host/client'
import { dispatchKeys } from '../../src/renderer/commands/dispatch'
import { AllReviews } from '../../src/renderer/features/review/cards/all-reviews'
import { PendingReviews } from '../../src/renderer/features/review/list/pending-reviews'
import { registerReviewCommands } from '../../src/renderer/features/review/review-commands'
import { ReviewView } from '../../src/renderer/features/review/review-view'
import { LiveRegion } from '../../src/renderer/ui/browser/live-region'
import { applyTheme } from '../../src/renderer/ui/theme/theme'
import { TooltipProvider } from '../../src/renderer/ui/overlays/tooltip'
import type { Settings } from '../../src/shared/contract/settings'
import { FakeHost } from './fake-host'
import { commandLines, samples } from './samples'
import '../../src/renderer/ui/theme/base.css'

/** The review alone on a page with a host of its own, for tests and for looking at. `?state=` names a sample. */
const query = new URLSearchParams(location.search)
const state = query.get('state') ?? 'open'
const settings: Partial<Settings> = {
  theme: (query.get('theme') ?? 'light') as Settings['theme'],
  reviewLayout: (query.get('layout') ?? 'unified') as Settings['reviewLayout'],
  reviewWrap: query.has('wrap'),
  reviewFoldUnchanged: !query.has('unfolded'),
  reviewIgnoreWhitespace: query.has('nospace'),
}
applyTheme(settings.theme ?? 'light')
const host = new FakeHost(client, samples[state]?.() ?? [], settings)
if (state === 'open') {
  host.decided = [
    {
      id: 'd1',
      path: '/home/ada/project/src/tax.ts',
      name: 'tax.ts',
      folder: 'src',
      agent: 'Claude',
      decidedAt: Date.now() - 60_000,
      how: 'accepted',
      canUndo: true,
    },
    {
      id: 'd2',
      path: '/home/ada/project/src/vat.ts',
      name: 'vat.ts',
      folder: 'src',
      agent: 'Gemini',
      decidedAt: Date.now() - 600_000,
      how: 'rejected',
      canUndo: false,
    },
  ]
}
if (state === 'nothing') {
  host.decided = Array.from({ length: 50 }, (_, index) => ({
    id: `d${index}`,
    path: `/home/ada/project/src/part${index}/tax.ts`,
    name: 'tax.ts',
    folder: `src/part${index}`,
    agent: 'Claude',
    decidedAt: Date.now() - 60_000 * index,
    how: 'accepted' as const,
    canUndo: index < 5,
  }))
}
if (state === 'two-clis') Object.assign(host, commandLines)
dispatchKeys(window, false)
registerReviewCommands()
Object.assign(window, { reviewHost: host })
if (!query.has('offline')) host.connect()

function Page() {
  const first = [...host.reviews.keys()][0] ?? null
  const [shown, setShown] = useState<string | null>(query.has('hidden') ? null : first)
  const [isActive, setActive] = useState(true)
  const [isAll, setAll] = useState(query.has('all'))
  useEffect(() => {
    Object.assign(window, { show: setShown, activate: setActive })
  }, [])
  return (
    <div style={{ display: 'flex', height: '100%' }}>
      <aside
        style={{
          width: query.has('bare') ? 0 : 260,
          flex: 'none',
          overflow: 'hidden',
          borderRight: '1px solid var(--border)',
          background: 'var(--surface-bar)',
        }}
      >
        <PendingReviews
          onOpen={(id) => {
            setShown(id)
            setAll(false)
          }}
          onOpenAll={() => setAll(true)}
          isAllShown={isAll}
          current={isAll ? null : shown}
        />
      </aside>
      <main style={{ flex: '1 1 0', minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <div style={{ flex: '1 1 0', minHeight: 0, display: isActive ? 'block' : 'none' }}>
          {isAll ? (
            <AllReviews active={isActive} />
          ) : shown === null ? null : (
            <ReviewView reviewId={shown} active={isActive} />
          )}
        </div>
        <textarea
          aria-label="Terminal"
          style={{ flex: 'none', height: query.has('bare') ? 0 : 60, padding: 0 }}
        />
      </main>
      <LiveRegion />
    </div>
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
