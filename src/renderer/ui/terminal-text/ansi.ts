/** A stretch of a terminal's output in one style; `look` has its class names, and is empty where plain. */
export interface AnsiRun {
  text: string
  look: string
}

/** The terminal's colours; each also has a bright variant. */
export const colorNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

const plainPen = {
  color: null as string | null,
  back: null as string | null,
  bold: false,
  dim: false,
  italic: false,
  underlined: false,
  struck: false,
  inverse: false,
}
type Pen = typeof plainPen

/** What each code without a colour changes. */
const changes = new Map<number, Partial<Pen>>([
  [0, plainPen],
  [1, { bold: true }],
  [2, { dim: true }],
  [3, { italic: true }],
  [4, { underlined: true }],
  [7, { inverse: true }],
  [9, { struck: true }],
  [22, { bold: false, dim: false }],
  [23, { italic: false }],
  [24, { underlined: false }],
  [27, { inverse: false }],
  [29, { struck: false }],
  [39, { color: null }],
  [49, { back: null }],
])

/** Escape sequences of every form, and invisible control characters. */
const controls =
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~]|$)|[\u0000-\u0008\u000b-\u001f\u007f\u0080-\u009f]/g

/**
 * Reads a program's output as a terminal would show its lines: colours as classes, all other sequences left out, and
 * of a line that was written over only its last state. Nothing in it can become markup or a command. With more than
 * `most` changes of the look the rest is plain.
 */
export function readAnsi(output: string, most = 600): AnsiRun[] {
  const text = output.replaceAll(/\r+\n/g, '\n').replaceAll(/[^\n]*\r(?=[^\n])/g, '')
  const runs: AnsiRun[] = []
  let pen = plainPen
  let at = 0
  const put = (to: number) => {
    if (to <= at) return
    const look = runs.length < most ? lookOf(pen) : ''
    const last = runs.at(-1)
    const piece = text.slice(at, to)
    if (last?.look === look) last.text += piece
    else runs.push({ text: piece, look })
  }
  for (const match of text.matchAll(controls)) {
    put(match.index)
    at = match.index + match[0].length
    if (match[2] === 'm') pen = drawWith(pen, match[1] ?? '')
  }
  put(text.length)
  return runs
}

/** The same without any look. */
export function withoutAnsi(output: string): string {
  return readAnsi(output, 0)
    .map(({ text }) => text)
    .join('')
}

function drawWith(before: Pen, parameters: string): Pen {
  const codes = (parameters === '' ? '0' : parameters).split(/[;:]/).map(Number)
  let pen = before
  for (let place = 0; place < codes.length; place++) {
    const code = codes[place] ?? 0
    if (code === 38 || code === 48) {
      const color =
        codes[place + 1] === 5 ? indexed(codes[place + 2] ?? 0) : nearest(codes.slice(place + 2, place + 5))
      pen = code === 38 ? { ...pen, color } : { ...pen, back: color }
      place += codes[place + 1] === 5 ? 2 : 4
    } else pen = withCode(pen, code)
  }
  return pen
}

function withCode(pen: Pen, code: number): Pen {
  if (code >= 30 && code <= 37) return { ...pen, color: indexed(code - 30) }
  if (code >= 40 && code <= 47) return { ...pen, back: indexed(code - 40) }
  if (code >= 90 && code <= 97) return { ...pen, color: indexed(code - 82) }
  if (code >= 100 && code <= 107) return { ...pen, back: indexed(code - 92) }
  return { ...pen, ...changes.get(code) }
}

/** The name of one of 256 colours: one of the sixteen, or the nearest of them. */
function indexed(index: number): string | null {
  if (index < 8) return colorNames[index] ?? null
  if (index < 16) return `bright-${colorNames[index - 8] ?? 'white'}`
  if (index > 255) return null
  if (index >= 232) return nearest([0, 0, 0].map(() => 8 + (index - 232) * 10))
  const steps = [0, 95, 135, 175, 215, 255]
  const place = index - 16
  return nearest(
    [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => steps[step] ?? 0),
  )
}

/** Maps a program's own colour to the page's nearest, which is legible in light and dark. */
function nearest(parts: readonly number[]): string | null {
  const [red = 0, green = 0, blue = 0] = parts
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  // A shade of grey is the text's own, or dimmed.
  if (most - least < 40) return most > 170 || most < 60 ? null : 'bright-black'
  const middle = (most + least) / 2
  const index = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)
  return `${most > 215 ? 'bright-' : ''}${colorNames[index] ?? 'white'}`
}

function lookOf(pen: Pen): string {
  const { color, back, bold, dim, italic, underlined, struck, inverse } = pen
  return [
    color && `ansi-${color}`,
    back && `ansi-on-${back.replace('bright-', '')}`,
    bold && 'ansi-bold',
    dim && 'ansi-dim',
    italic && 'ansi-italic',
    underlined && 'ansi-underlined',
    struck && 'ansi-struck',
    inverse && 'ansi-inverse',
  ]
    .filter(Boolean)
    .join(' ')
}
