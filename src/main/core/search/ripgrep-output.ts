import { parseJson } from '../../../shared/json'
import { LineReader } from '../agent-processes/line-reader'
import { describeHit, type FoundHit, type Span } from './found-hit'

/** What ripgrep found in one file. `path` is null where its name is no text. */
export interface RipgrepFile {
  path: string | null
  hits: FoundHit[]
  /** The file, or a line with a match, is no text. */
  isBinary: boolean
  /** A line was too long to be taken. */
  hasLongLine: boolean
}

/** A message with a line longer than this, in bytes, is not read: reading it would stall whoever waits. */
const longestMessage = 1024 * 1024

/** Reads what `rg --json` puts out, piece by piece, and tells each file when it is complete. */
export class RipgrepOutput {
  readonly #tell: (file: RipgrepFile) => void
  readonly #lines = new LineReader(longestMessage)
  #file: RipgrepFile | null = null
  /** Whether it came to its end by itself. */
  isComplete = false

  constructor(tell: (file: RipgrepFile) => void) {
    this.#tell = tell
  }

  take(piece: Buffer): void {
    for (const line of this.#lines.read(piece)) {
      if (line.kind === 'line') this.#takeMessage(line.text)
      else if (this.#file) this.#file.hasLongLine = true
    }
  }

  #takeMessage(text: string): void {
    // Another program by this name may put out what is no message.
    const message = parseJson(text) as Message | null | undefined
    switch (message?.type) {
      case 'begin':
        this.#file = {
          path: textOf(message.data.path),
          hits: [],
          isBinary: false,
          hasLongLine: false,
        }
        return
      case 'match':
        this.#takeMatch(message.data)
        return
      case 'end': {
        const file = this.#file
        this.#file = null
        if (!file) return
        if (message.data.binary_offset !== null) file.isBinary = true
        this.#tell(file)
        return
      }
      case 'summary':
        this.isComplete = true
        return
      case undefined:
    }
  }

  #takeMatch({ lines, line_number: number, submatches }: MatchData): void {
    const text = textOf(lines)
    if (!this.#file) return
    if (text === null) {
      this.#file.isBinary = true
      return
    }
    const line = withoutEnd(number === 1 ? text.replace(/^\ufeff/, '') : text)
    const mark = text.length > 0 && number === 1 && text.startsWith('\ufeff') ? 1 : 0
    for (const [from, to] of spansInUnits(text, submatches)) {
      if (to > from) this.#file.hits.push(describeHit(number - 1, line, [from - mark, to - mark]))
    }
  }
}

/** Offsets in bytes of UTF-8 as offsets in UTF-16 units. */
export function spansInUnits(text: string, spans: readonly { start: number; end: number }[]): Span[] {
  if (Buffer.byteLength(text) === text.length) return spans.map(({ start, end }) => [start, end])
  let unit = 0
  let byte = 0
  // The spans come in their order, and so do all starts and ends.
  const seek = (wanted: number) => {
    while (byte < wanted && unit < text.length) {
      const code = text.codePointAt(unit) ?? 0
      byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      unit += code < 0x10000 ? 1 : 2
    }
    return unit
  }
  return spans.map(({ start, end }) => [seek(start), seek(end)])
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$/, '')
}

function textOf(value: MaybeText): string | null {
  return value.text ?? null
}

/** ripgrep gives what is not valid UTF-8 as base64 in `bytes`. */
interface MaybeText {
  text?: string
  bytes?: string
}
interface MatchData {
  lines: MaybeText
  line_number: number
  submatches: { start: number; end: number }[]
}
type Message =
  | { type: 'begin'; data: { path: MaybeText } }
  | { type: 'match'; data: MatchData }
  | { type: 'end'; data: { binary_offset: number | null } }
  | { type: 'summary' }
