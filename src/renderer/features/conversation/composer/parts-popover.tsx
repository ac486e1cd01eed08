import { Blocks, ChevronRight } from 'lucide-react'
import { memo, useId, useState } from 'react'
import type { AgentPart } from '../../../../shared/contract/conversations'
import { escapeSigns } from '../../../../shared/text/plain-text'
import type { Done } from '../../../../shared/result'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'
import { Popover } from '../../../ui/overlays/popover'
import { countOf, formatNumber } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'
import './parts-popover.css'

type Act = (part: string, entry: string, act: string) => Promise<Done>
type Entry = AgentPart['entries'][number]

/** What the agent has and obeys: tools, MCP servers, skills, rules; and what can be done with them. */
export const PartsPopover = memo(function PartsPopover({
  parts,
  act,
}: {
  parts: readonly AgentPart[]
  act: Act
}) {
  const bad = parts.flatMap(({ entries }) => entries).filter(({ state }) => state === 'bad').length
  const label = bad === 0 ? 'Tools and servers' : `Tools and servers, ${countOf(bad, 'problem')}`
  return (
    <Popover
      label="Tools and servers"
      trigger={
        <button
          type="button"
          className="composer-foot-button row"
          aria-label={label}
          title="Tools and servers"
        >
          <Blocks aria-hidden="true" />
          {bad === 0 ? null : <span className="parts-bad number">{bad}</span>}
        </button>
      }
    >
      <div className="popover-body" tabIndex={-1}>
        {parts.map((part) => (
          <Part key={part.id} part={part} act={act} />
        ))}
      </div>
    </Popover>
  )
})

/** One list. It stands open at first if there is something to do in it. */
function Part({ part: { id, label, entries }, act }: { part: AgentPart; act: Act }) {
  const listId = useId()
  const [isOpen, setOpen] = useState(() =>
    entries.some(({ state, acts }) => state === 'bad' || acts.length > 0),
  )
  return (
    <section className="part">
      <h3>
        <button
          type="button"
          className="part-heading row"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight aria-hidden="true" />
          {plainName(label)}
          <span className="number aside">{formatNumber(entries.length)}</span>
        </button>
      </h3>
      <div id={listId} hidden={!isOpen}>
        {entries.length === 0 ? <p className="part-none aside">None</p> : null}
        {isOpen ? (
          <ul aria-label={plainName(label)}>
            {entries.map((entry, index) => (
              <EntryRow key={`${index} ${entry.name}`} part={id} entry={entry} act={act} />
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  )
}

const stateWords: Record<Entry['state'], string> = { plain: '', good: 'works', off: 'off', bad: 'problem' }

function EntryRow({ part, entry, act }: { part: string; entry: Entry; act: Act }) {
  const [doing, setDoing] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const run = async (id: string) => {
    if (doing !== null) return
    setDoing(id)
    setFault(null)
    const done = await act(part, entry.name, id)
    setDoing(null)
    if (done.ok) return
    setFault(done.failure.message)
    announce(done.failure.message)
  }
  return (
    <li className={`part-entry row part-${entry.state}`}>
      <span className="part-words column">
        <bdi className="part-name">
          {escapeSigns(entry.name)}
          {stateWords[entry.state] === '' ? null : (
            <span className="unseen">, {stateWords[entry.state]}</span>
          )}
        </bdi>
        {entry.detail === '' ? null : <bdi className="part-detail aside">{escapeSigns(entry.detail)}</bdi>}
        {fault === null ? null : <span className="part-fault aside">{fault}</span>}
      </span>
      {entry.acts.map(({ id, label }) => (
        <Button
          key={id}
          size="small"
          aria-label={`${label}: ${entry.name}`}
          aria-disabled={doing !== null}
          onClick={() => void run(id)}
        >
          {doing === id ? `${label} …` : label}
        </Button>
      ))}
    </li>
  )
}
