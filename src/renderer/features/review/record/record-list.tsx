import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { WriteEntry } from '../../../../shared/contract/write-record'
import { howDecided } from '../../../../shared/review/decided-words'
import { send } from '../../../state/host/calls'
import { useFollowed } from '../../../state/host/mirror'
import { RecordView, readRecord } from '../../../state/reviews/shown-record'
import { showMiddle } from '../../../state/window/frame-layout'
import { useSession } from '../../../state/sessions/sessions-mirror'
import { download } from '../../../ui/browser/download'
import { keepFocusIn } from '../../../ui/browser/kept-focus'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { AgentDot } from '../../../ui/labels/agent-dot'
import { LineCounts } from '../../../ui/labels/line-counts'
import { TimeText } from '../../../ui/labels/time-text'
import { EmptyState } from '../../../ui/layout/empty-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Menu, MenuItem } from '../../../ui/overlays/menu'
import { plainName } from '../../../ui/wording/plain-name'
import { useFailureLine } from '../list/failure-line'
import { TakingBack } from '../list/taking-back'
import { byDay, contentWords, outcomeWords } from './record-days'
import './record-list.css'

const viewOfRecord = () => new RecordView()

/** What agents wrote or asked to write, by day, the latest first; searched, taken back and exported. */
export function WriteRecord() {
  const view = useFollowed('record', viewOfRecord)
  return view ? <ShownRecord view={view} /> : null
}

function ShownRecord({ view }: { view: RecordView }) {
  const part = useStore(view.store)
  const [text, setText] = useState('')
  const search = (words: string) => {
    setText(words)
    view.search(words)
  }
  const [failure, fail] = useFailureLine()
  const region = useRef<HTMLElement>(null)
  useEffect(() => (region.current ? keepFocusIn(region.current, () => region.current) : undefined), [])
  const isSearched = part.text.trim() !== ''
  return (
    <section ref={region} className="gl-record" aria-label="Record of writes" tabIndex={-1}>
      <div className="gl-record-head row">
        <input
          className="field field-small"
          type="search"
          aria-label="Search the record"
          placeholder="Search paths and texts"
          spellCheck={false}
          maxLength={1000}
          value={text}
          onChange={(event) => search(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.nativeEvent.isComposing || text === '') return
            search('')
            event.preventDefault()
          }}
        />
        <Export onFailure={fail} />
      </div>
      {failure}
      {part.problem ? <p className="gl-pending-failure">{part.problem}</p> : null}
      {part.entries === null ? <Skeleton lines={4} /> : null}
      {part.entries?.length === 0 ? (
        <EmptyState title={isSearched ? 'Nothing on record has these words' : 'Nothing on record yet'}>
          {isSearched ? null : 'What agents write or ask to write is kept here for 7 days.'}
        </EmptyState>
      ) : null}
      {byDay(part.entries ?? [], Date.now()).map(({ label, entries }) => (
        <Day key={label} label={label}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} onFailure={fail} />
          ))}
        </Day>
      ))}
      {part.more ? (
        <Button size="small" variant="quiet" className="gl-record-older" onClick={() => view.more()}>
          Show older
        </Button>
      ) : null}
    </section>
  )
}

function Day({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <>
      <h3 id={id} className="gl-record-day aside">
        {label}
      </h3>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  )
}

function Export({ onFailure }: { onFailure: (sentence: string) => void }) {
  const [isBusy, setBusy] = useState(false)
  const run = async (texts: boolean) => {
    setBusy(true)
    const read = await readRecord(texts)
    setBusy(false)
    if (read.ok) download('record-of-writes.jsonl', read.value, 'application/x-ndjson')
    else onFailure(read.failure.message)
  }
  return (
    <Menu
      align="end"
      trigger={<IconButton label="Export the record" icon={<Download />} disabled={isBusy} />}
    >
      <MenuItem note="JSON lines" onSelect={() => void run(false)}>
        Without texts
      </MenuItem>
      <MenuItem note="may hold secrets" onSelect={() => void run(true)}>
        With texts
      </MenuItem>
    </Menu>
  )
}

function Entry({ entry, onFailure }: { entry: WriteEntry; onFailure: (sentence: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const { name, agent, folder } = entry
  const how = howDecided(entry)
  return (
    <li aria-label={`${plainName(name)}, ${agent}, ${how}`}>
      <button
        type="button"
        className="gl-pending-open"
        aria-expanded={isOpen}
        title={entry.path}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="gl-pending-line row">
          <AgentDot agent={agent} hollow />
          <span className="name gl-pending-name" dir="auto">
            {plainName(name)}
          </span>
          {entry.addedLines === undefined || entry.removedLines === undefined ? null : (
            <LineCounts added={entry.addedLines} removed={entry.removedLines} />
          )}
        </span>
        <span className="gl-pending-line row gl-pending-more aside">
          <span className="name">{how}</span>
          {folder === '' ? null : <span className="name gl-pending-folder">{folder}</span>}
          <TimeText at={entry.at} />
        </span>
      </button>
      {isOpen ? <Details entry={entry} onFailure={onFailure} /> : null}
    </li>
  )
}

function Details({ entry, onFailure }: { entry: WriteEntry; onFailure: (sentence: string) => void }) {
  const { id, path, name, written, takenBack } = entry
  const session = useSession(entry.session ?? '')
  const compare = (side: 'proposed' | 'written') => {
    send('tabs.openCompared', { path, against: { kind: 'record', entry: id, side } })
    showMiddle()
  }
  const facts = [entry.agent, entry.mode === undefined ? null : `in mode ${entry.mode}`].filter(Boolean)
  return (
    <div className="gl-record-details column">
      <p className="aside">
        {facts.join(', ')}. {outcomeWords(entry)}
        {takenBack === undefined ? null : (
          <>
            {' '}
            Taken back <TimeText at={takenBack} />.
          </>
        )}
      </p>
      <span className="gl-pending-buttons">
        {entry.hasTexts ? (
          <Button
            size="small"
            aria-label={`Show what was proposed for ${name}`}
            onClick={() => compare('proposed')}
          >
            Proposed
          </Button>
        ) : (
          <span className="aside">{contentWords(entry)}</span>
        )}
        {entry.hasTexts && written === 'otherwise' ? (
          <Button
            size="small"
            aria-label={`Show what was written to ${name}`}
            onClick={() => compare('written')}
          >
            Written
          </Button>
        ) : null}
        <TakingBack decided={entry} words="Put back" label={`Put back ${name}`} onFailure={onFailure} />
        {session ? (
          <Button
            size="small"
            variant="quiet"
            aria-label={`Show the session that wrote ${name}`}
            onClick={() => {
              send('tabs.openSession', { session: session.id })
              showMiddle()
            }}
          >
            Session
          </Button>
        ) : null}
      </span>
    </div>
  )
}
