import {
  Bot,
  Brain,
  CircleHelp,
  FilePen,
  FilePlus,
  FileSearch,
  FileText,
  Globe,
  ListChecks,
  Map as MapIcon,
  SquareTerminal,
  Wrench,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { readTool, type ToolBody } from '../../../../shared/conversation/tool-reading'
import type { ToolCall, ToolKind } from '../../../../shared/conversation/transcript'
import { LineCounts } from '../../../ui/labels/line-counts'
import { countOf } from '../../../ui/wording/number-format'
import { FoldRow } from '../message/fold-row'
import { OpenReview } from './open-review'
import { useSurroundings } from '../surroundings'
import { ToolBodyView } from './tool-body'
import { formatSpan } from '../message/turn-words'

/** A change of at most this many lines is unfolded at first. */
const smallChange = 16
/** A tool that took longer than this says so, in milliseconds. */
const longSpan = 2000

/** A tool as one line, which unfolds to what it was asked and its result. */
export function ToolCard({ id, call }: { id: string; call: ToolCall }) {
  const { density, isWorking, isAsking, asked, folder, actions } = useSurroundings()
  const reading = useMemo(() => readTool(call), [call])
  const review = call.state === 'open' ? asked.find(({ path }) => path === reading.path) : undefined
  const isWaiting = call.state === 'open' && (isWorking || isAsking)
  const state = review ? 'waits for you' : stateWords(call, isWorking, isAsking)
  const subject = reading.subject === reading.path ? within(reading.subject, folder) : reading.subject
  const facts = factsOf(reading.body)
  const words = [reading.name, subject, facts?.words, state].filter(Boolean).join(', ')
  const line = (
    <FoldRow
      id={id}
      isOpenAtFirst={density !== 'summary' && isOpenAtFirst(reading.body, call)}
      icon={iconOf(reading.body, call.kind)}
      title={reading.name}
      subject={subject}
      label={words}
      tone={call.state === 'failed' ? 'failed' : isWaiting || review ? 'waiting' : 'plain'}
      facts={
        <>
          {facts?.drawn}
          {state === '' ? null : <span className={`tool-state tool-${call.state}`}>{state}</span>}
          {call.state === 'open' && isWorking ? <span className="tool-pulse" aria-hidden="true" /> : null}
          <ToolTime call={call} isWorking={isWorking} />
        </>
      }
    >
      {() => <ToolBodyView call={call} reading={reading} />}
    </FoldRow>
  )
  if (!review) return line
  return (
    <>
      {line}
      <div className="tool-asked">
        <OpenReview id={review.id} actions={actions} />
      </div>
    </>
  )
}

/** A path, relative to the session's folder if it lies inside. */
function within(path: string, folder: string | null): string {
  const next = folder === null ? undefined : path[folder.length]
  return folder !== null && path.startsWith(folder) && (next === '/' || next === '\\')
    ? path.slice(folder.length + 1)
    : path
}

function isOpenAtFirst(body: ToolBody, call: ToolCall): boolean {
  switch (body.kind) {
    case 'edit':
      return call.state === 'done' && body.change.added + (body.change.removed ?? 0) <= smallChange
    case 'plan':
    case 'ask':
      return true
    default:
      return false
  }
}

function stateWords(call: ToolCall, isWorking: boolean, isAsking: boolean): string {
  if (call.state === 'done') return ''
  if (call.state !== 'open') return call.state
  if (isWorking && typeof call.input === 'string') return 'being written'
  return isWorking ? 'running' : isAsking ? 'waiting' : 'no result'
}

function factsOf(body: ToolBody) {
  if (body.kind === 'edit') {
    const { added, removed } = body.change
    if (removed === null) {
      const words = countOf(added, 'line')
      return { words, drawn: <span className="number">{words}</span> }
    }
    return {
      words: `${countOf(added, 'line')} added, ${countOf(removed, 'line')} removed`,
      drawn: <LineCounts added={added} removed={removed} />,
    }
  }
  if (body.kind === 'search' && body.files !== null) {
    const words = countOf(body.files, 'file')
    return { words, drawn: <span>{words}</span> }
  }
  return null
}

/** How long it took, or has taken until now. */
function ToolTime({ call, isWorking }: { call: ToolCall; isWorking: boolean }) {
  const { startedAt, endedAt, state } = call
  const isRunning = state === 'open' && isWorking && startedAt !== null
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  if (startedAt === null) return null
  const span = (isRunning ? now : (endedAt ?? startedAt)) - startedAt
  return span < longSpan ? null : <span className="number">{formatSpan(span)}</span>
}

function iconOf(body: ToolBody, kind: ToolKind) {
  switch (body.kind) {
    case 'run':
      return <SquareTerminal />
    case 'edit':
      return body.change.isNew ? <FilePlus /> : <FilePen />
    case 'read':
      return <FileText />
    case 'search':
      return <FileSearch />
    case 'task':
      return <Bot />
    case 'think':
      return <Brain />
    case 'fetch':
      return <Globe />
    case 'plan':
      return body.todos === null ? <MapIcon /> : <ListChecks />
    case 'ask':
      return <CircleHelp />
    case 'other':
      return <Wrench />
    case 'begun':
      return begunIcons[kind] ?? <Wrench />
  }
}

/** While what it asks for is still being written. */
const begunIcons: Partial<Record<ToolKind, ReactNode>> = {
  run: <SquareTerminal />,
  edit: <FilePen />,
  read: <FileText />,
  search: <FileSearch />,
  task: <Bot />,
  fetch: <Globe />,
  plan: <ListChecks />,
  ask: <CircleHelp />,
}
