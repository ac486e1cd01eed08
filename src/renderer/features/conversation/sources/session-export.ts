import { type Result, succeed } from '../../../../shared/result'
import { SessionTranscript } from '../../../../shared/conversation/session-transcript'
import { type Item, type SourceLine, toolsOf } from '../../../../shared/conversation/transcript'
import { exportMarkdown, exportName } from '../../../../shared/conversation/transcript-export'
import { attempt } from '../../../state/host/calls'
import { tell } from '../../../state/window/notices-mirror'
import { download } from '../../../ui/browser/download'

/** Reads a whole session and gives it to the person as a file: its lines as they are, or as Markdown. */
export async function exportSession(
  id: string,
  format: 'md' | 'jsonl',
  { agent, title }: { agent: string; title: string | null },
): Promise<void> {
  const read = await readPieces({ id })
  if (!read.ok) return tell('error', read.failure.message)
  const pieces = read.value
  if (format === 'jsonl') return download(exportName(title, format), pieces, 'application/x-ndjson')
  const transcript = new SessionTranscript()
  transcript.add(linesOf(pieces))
  await addAgents(id, transcript)
  const facts = { ...transcript.facts, title }
  const agentItems = (name: string) => transcript.agentItems(name)
  const parts = [...exportMarkdown(transcript.items(), { agent, facts, agentItems })]
  download(exportName(title, format), parts, 'text/markdown')
}

/** All pieces of a session's file, or of the record of a sub-agent of it. */
async function readPieces(file: { id: string; agent?: string }): Promise<Result<string[]>> {
  const pieces: string[] = []
  for (let from: number | null = 0; from !== null;) {
    const piece: Result<{ text: string; next: number | null }> = await attempt('sessions.read', {
      ...file,
      from,
    })
    if (!piece.ok) return piece
    pieces.push(piece.value.text)
    from = piece.value.next
  }
  return succeed(pieces)
}

/** Adds the records of all sub-agents that are kept in files of their own, and of those that these have started. */
async function addAgents(id: string, transcript: SessionTranscript): Promise<void> {
  const seen = new Set<string>()
  const look = async (items: readonly Item[]): Promise<void> => {
    const calls = items.flatMap((item) => (item.kind === 'reply' ? toolsOf(item.blocks) : []))
    for (const { agent } of calls) {
      if (agent === null || seen.has(agent)) continue
      seen.add(agent)
      if (transcript.agentItems(agent).length === 0) {
        const record = await readPieces({ id, agent })
        // What it gave back stands under its call in any case.
        if (record.ok) transcript.agent(agent).add(linesOf(record.value))
      }
      await look(transcript.agentItems(agent))
    }
  }
  await look(transcript.items())
}

/** Lines with their places, counted in characters: they only have to be in order. A piece ends with a line. */
function linesOf(pieces: readonly string[]): SourceLine[] {
  const lines: SourceLine[] = []
  let offset = 0
  for (const line of pieces.flatMap((piece) => piece.replace(/\n$/, '').split('\n'))) {
    const record = parse(line)
    const flaw = record === undefined ? { flaw: 'not-json' as const } : {}
    if (line.trim() !== '') lines.push({ offset, bytes: line.length, record, ...flaw })
    offset += line.length + 1
  }
  return lines
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
