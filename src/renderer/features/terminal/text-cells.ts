import type { Terminal } from '@xterm/xterm'

/** A cell of the terminal's buffer, counted from 1 as xterm's links are. */
interface Cell {
  x: number
  y: number
}

/** A line of output as the program wrote it, over the rows that it was wrapped to. */
interface LogicalLine {
  text: string
  /** The cell of each UTF-16 unit of the text. */
  cells: Cell[]
}

/** At most this many rows are joined; a longer line is data, not a message. */
const mostRows = 50

/** The line of output that a row (from 1) of the buffer belongs to. */
export function logicalLineAt(terminal: Terminal, row: number): LogicalLine {
  const { active } = terminal.buffer
  let first = row - 1
  while (first > 0 && row - first < mostRows && active.getLine(first)?.isWrapped) first--
  const line: LogicalLine = { text: '', cells: [] }
  for (let y = first; y < first + mostRows; y++) {
    const cells = active.getLine(y)
    if (!cells || (y > first && !cells.isWrapped)) break
    for (let x = 0; x < cells.length; x++) {
      const cell = cells.getCell(x)
      // The second half of a wide character has no width of its own.
      if (!cell || cell.getWidth() === 0) continue
      const characters = cell.getChars() || ' '
      line.text += characters
      for (let unit = 0; unit < characters.length; unit++) line.cells.push({ x: x + 1, y: y + 1 })
    }
  }
  line.text = line.text.trimEnd()
  return line
}
