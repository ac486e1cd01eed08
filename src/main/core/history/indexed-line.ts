import { readLine } from '../../../shared/conversation/session-item'
import { agentOf } from '../../../shared/conversation/session-record'
import type { SourceLine } from '../../../shared/conversation/transcript'
import type { AppendedFile } from './appended-file'
import { searchableTexts } from './searchable-text'
import { type SessionTally, stepOf, type ShownPlace, type TallyStep } from './session-tally'
import type { TallyWriter } from './tally-log'
import { textHeader, type AgentPlace } from './text-records'

/** What is counted of a file. */
export interface Tallied {
  tally: SessionTally
  /** The last step that was taken. */
  last: TallyStep | null
  /** So much is written of its steps. */
  tallyBytes: number
}

/** What a line goes into. */
export interface IndexedInto {
  tallied: Tallied
  writer: TallyWriter
  steps: AppendedFile
  texts: AppendedFile
}

/** Whose record a line stands in, when it is a sub-agent's: its id, and the way to the tool that started it. */
export interface AgentRecord {
  agent: string
  card: ShownPlace
  above: readonly AgentPlace[]
}

/**
 * Takes one line into the tally and the texts of a session. `record`: null for the session's own file, in which lines
 * of sub-agents, as old versions write them there, are not its words.
 */
export function indexLine(source: SourceLine, into: IndexedInto, record: AgentRecord | null): void {
  const line = readLine(source)
  if (!line || (record === null && agentOf(line.record) !== null)) return
  const { tallied, writer, steps, texts } = into
  const { tally } = tallied
  if (line.uuid !== null && tally.knows(line.uuid)) return
  const step = stepOf(line)
  if (step) {
    tally.take(step)
    tallied.last = step
    steps.add(writer.write(step))
  }
  for (const { speaker, call, text } of searchableTexts(line)) {
    // What came of a tool is shown where the tool is.
    const { uuid, offset } = (call === null ? null : tally.placeOfCall(call)) ?? line
    const place = record
      ? { ...record.card, inside: [...record.above, { agent: record.agent, uuid, offset }] }
      : { uuid, offset, inside: [] }
    // What a sub-agent was told comes from the agent that started it.
    const by = record && speaker === 'you' ? 'agent' : speaker
    texts.add(`${textHeader({ ...place, at: line.at, speaker: by })}${onOneLine(text)}\n`)
  }
}

function onOneLine(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r')
}
