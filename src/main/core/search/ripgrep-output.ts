import { parseJson } from '../../../shared/json'
import { LineReader } from '../agent-processes/line-reader'
import { describeHit, type FoundHit, type Span } from './found-hit'

/** What ripgrep found in one file. `path` is null if the name is not valid text. */
export interface RipgrepFile {
  path: string | null
  hits: FoundHit[]
  /** The file, or a line with a match, is binary. */
  isBinary: boolean
  /** A line was too long to read. */
  hasLongLine: boolean
}

/** Messages with longer lines are skipped, in bytes: parsing them would stall whoever waits. */
const longestMessage = 1024 * 1024

/** Parses the output of `rg --json`, chunk by chunk, and tells each file when it is complete. */
export class RipgrepOutput {
  readonly #tell: (file: RipgrepFile) => void
  readonly #lines = new LineReader(longestMessage)
  #file: RipgrepFile | null = null
  /** Whether ripgrep ran to its end. */
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
    // Another program with this name may print something else.
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

/** Converts offsets in UTF-8 bytes to offsets in UTF-16 units. */
function spansInUnits(text: string, spans: readonly { start: number; end: number }[]): Span[] {
  if (Buffer.byteLength(text) === text.length) return spans.map(({ start, end }) => [start, end])
  let unit = 0
  let byte = 0
  // The spans are in order, and so are their starts and ends.
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

/** ripgrep encodes text that isn't valid UTF-8 as base64 in `bytes`. */
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
