import { EyeOff, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import type { ContextState } from '../../../shared/contract/context'
import { useConnections } from '../../state/agents/connections-mirror'
import { share, useAgentContext } from '../../state/agents/context-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { PaneHeader } from '../../ui/layout/pane-header'
import { Skeleton, useLongWait } from '../../ui/layout/skeleton'
import { Toggle } from '../../ui/controls/toggle'
import { ContextSection } from './context-section'
import { NeverShared } from './never-shared'
import { SentList } from './sent-list'
import { FilesSection, SelectionSection } from './shared-items'
import './context-panel.css'

/** What agents see of this window, who got what and when, and the switches for it. */
export function ContextPanel() {
  const context = useAgentContext()
  const isLong = useLongWait(context === null)
  return (
    <section className="fills" aria-label="Context">
      <PaneHeader title="What agents see" />
      {context === null ? isLong ? <Skeleton lines={6} /> : null : <Body context={context} />}
    </section>
  )
}

function Body({ context }: { context: ContextState }) {
  const { sharing, problems, sent } = context
  const connections = useConnections()?.connections
  const home = useWindow()?.homeDirectory ?? ''
  const connected = useMemo(() => new Set(connections?.map(({ id }) => id)), [connections])
  return (
    <div className="scrolls">
      <div className="context-section column">
        <Toggle label="Share with agents" checked={sharing.all} onCheckedChange={(all) => share({ all })} />
        {sharing.all ? null : (
          <p className="icon-line">
            <EyeOff aria-hidden="true" />
            Agents can’t see what’s open or selected here.
          </p>
        )}
        {problems.map((problem) => (
          <p key={problem} className="icon-line waiting">
            <TriangleAlert aria-hidden="true" />
            {problem}
          </p>
        ))}
      </div>
      <SelectionSection context={context} connected={connected} home={home} />
      <FilesSection context={context} connected={connected} home={home} />
      <ContextSection title="Mentions">
        <SentList
          sent={sent.filter(({ item }) => item.kind === 'mention')}
          empty="None yet. Press Alt+K in the editor to mention the selection."
        />
      </ContextSection>
      <ContextSection title="Diagnostics">
        <SentList
          sent={sent.filter(({ item }) => item.kind === 'diagnostics')}
          empty="None shared yet. Agents get them only when they ask."
        />
      </ContextSection>
      <NeverShared denyRules={context.denyRules} home={home} />
      <ContextSection title="Everything sent">
        <SentList sent={sent} empty="Nothing sent yet." />
      </ContextSection>
      <p className="context-note aside">
        This is what Greenlight shares. An agent in a terminal can still read any file on disk, and it keeps
        what it has already been sent.
      </p>
    </div>
  )
}
