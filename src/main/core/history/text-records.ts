import { speakers, type Speaker } from './searchable-text'

/** A line of a sub-agent's own record. */
export interface AgentPlace {
  agent: string
  uuid: string | null
  /** In that record, in bytes. */
  offset: number
}

/** Where a text stands in its session, and whose it is. */
export interface TextPlace {
  /** Of the session's line that it is shown in; null where that has none. */
  uuid: string | null
  /** Of the same line, in bytes. */
  offset: number
  /**
   * What a sub-agent said or did: that line uses the tool that started it, and this is the line in its record; more
   * than one where sub-agents started each other, the innermost last. Empty for the session's own words.
   */
  inside: AgentPlace[]
  /** Milliseconds since the epoch. */
  at: number | null
  speaker: Speaker
}

/** A longer name of a line is cut, in characters: such a line is found by its offset only. */
const longestName = 200
/** How many fields stand before a text, each with a tab behind it. */
const fields = 5

/** What is written before a text; the text follows on the same line. */
export function textHeader({ uuid, offset, inside, at, speaker }: TextPlace): string {
  const steps = inside.map((step) => `${step.agent},${nameOf(step.uuid)},${step.offset}`).join(';')
  return `${nameOf(uuid)}\t${offset}\t${at ?? ''}\t${speakers.indexOf(speaker)}\t${steps}\t`
}

function nameOf(uuid: string | null): string {
  return (uuid ?? '').slice(0, longestName).replaceAll(/[\s,;]/g, ' ')
}

/** Where a line's text begins, behind its header; -1 where there is none. */
export function textStart(line: string, from = 0): number {
  let at = from
  for (let count = 0; count < fields; count++) {
    at = line.indexOf('\t', at) + 1
    if (at === 0) return -1
  }
  return at
}

/** Reads a header. */
export function readHeader(header: string): TextPlace {
  const [uuid = '', offset, at = '', speaker, steps = ''] = header.split('\t')
  return {
    uuid: uuid === '' ? null : uuid,
    offset: Number(offset),
    inside: steps === '' ? [] : steps.split(';').map(readStep),
    at: at === '' ? null : Number(at),
    speaker: speakers[Number(speaker)] ?? 'notice',
  }
}

function readStep(step: string): AgentPlace {
  const [agent = '', uuid = '', offset] = step.split(',')
  return { agent, uuid: uuid === '' ? null : uuid, offset: Number(offset) }
}
