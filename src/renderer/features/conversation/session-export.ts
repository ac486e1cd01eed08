import { SessionTranscript } from '../../../shared/session-transcript'
import type { SourceLine } from '../../../shared/transcript'
import { exportMarkdown, exportName } from '../../../shared/transcript-export'
import { ask } from '../../state/calls'
import { download } from '../../ui/download'

/** Reads a whole session and gives it to the person as a file: its lines as they are, or as Markdown. */
export async function exportSession(id: string, format: 'md' | 'jsonl', agent: string): Promise<void> {
  const pieces: string[] = []
  for (let from: number | null = 0; from !== null;) {
    const piece: { text: string; next: number | null } | undefined = await ask('sessions.read', { id, from })
    // What was in the way has been said.
    if (!piece) return
    pieces.push(piece.text)
    from = piece.next
  }
  const transcript = new SessionTranscript()
  transcript.add(linesOf(pieces))
  const { facts } = transcript
  const isMarkdown = format === 'md'
  const parts = isMarkdown
    ? [
        ...exportMarkdown(transcript.items(), {
          agent,
          facts,
          agentItems: (name) => transcript.agentItems(name),
        }),
      ]
    : pieces
  download(exportName(facts.title, format), parts, isMarkdown ? 'text/markdown' : 'application/x-ndjson')
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
