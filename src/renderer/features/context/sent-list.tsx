import { useState } from 'react'
import type { SentEntry } from '../../../shared/contract/context'
import { AgentDot } from '../../ui/labels/agent-dot'
import { Button } from '../../ui/controls/button'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { TextPreview } from './context-section'
import { describeItem } from './context-words'
import { SentAgo } from './received'

/** At most this many entries are shown until the person asks for the rest. */
const mostAtFirst = 8

/** What was sent, the newest first: to whom, when, and what exactly. */
export function SentList({ sent, empty }: { sent: readonly SentEntry[]; empty: string }) {
  const [isWhole, setWhole] = useState(false)
  const newest = sent.toReversed()
  const shown = isWhole ? newest : newest.slice(0, mostAtFirst)
  if (shown.length === 0) return <p className="context-fact aside">{empty}</p>
  return (
    <>
      <ul className="context-sent">
        {shown.map((entry) => (
          <SentRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {shown.length < newest.length ? (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          Show {countOf(newest.length - shown.length, 'older entry', 'older entries')}
        </Button>
      ) : null}
    </>
  )
}

function SentRow({ entry }: { entry: SentEntry }) {
  const { agent, at, how, item } = entry
  return (
    <li>
      <p className="context-item row">
        <AgentDot agent={agent} />
        <span className="name">{plainName(agent)}</span>
        <span className="context-fact aside">{how === 'asked' ? 'asked for' : 'was told'}</span>
        <span className="context-fact aside context-when">
          <SentAgo at={at} />
        </span>
      </p>
      <p className="context-what">{describeItem(item)}</p>
      {item.kind === 'selection' ? (
        <details>
          <summary className="aside">The text</summary>
          <TextPreview label="Text that was sent" text={item.text} length={item.length} />
        </details>
      ) : null}
    </li>
  )
}
