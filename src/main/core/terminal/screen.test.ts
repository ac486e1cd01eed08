import { SerializeAddon } from '@xterm/addon-serialize'
import { UnicodeWidths } from './unicode-widths'
import headless, { type Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { forgetScrolledOut, isPlain } from './plain-output'
import { Screen } from './screen'

const opened: { dispose(): void }[] = []
afterEach(() => {
  for (const item of opened.splice(0)) item.dispose()
})

function openScreen(columns = 40, rows = 6) {
  const told = { taken: 0, titles: [] as string[], bells: 0, said: [] as string[], answers: '' }
  const screen = new Screen(columns, rows, {
    taken: (length) => (told.taken += length),
    title: (title) => told.titles.push(title),
    bell: () => (told.bells += 1),
    announcement: ({ title, body }) => told.said.push(`${title}|${body}`),
    answer: (data) => (told.answers += data),
  })
  opened.push(screen)
  return { screen, told }
}

/** A terminal as the page has it, fed with a text. */
async function pageWith(text: string, columns = 40, rows = 6, scrollback = 10_000): Promise<Terminal> {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback,
    allowProposedApi: true,
    logLevel: 'off',
  })
  terminal.loadAddon(new UnicodeWidths())
  opened.push(terminal)
  await write(terminal, text)
  return terminal
}

function write(terminal: Terminal, text: string): Promise<void> {
  return new Promise((resolve) => terminal.write(text, resolve))
}

/** Feeds as a program puts out: in pieces, with turns of the event loop between them. */
async function flood(screen: Screen, output: string): Promise<void> {
  for (let from = 0; from < output.length; from += 60_000) {
    screen.feed(Buffer.from(output.slice(from, from + 60_000)))
    // Until it is taken for a flood it is parsed, and that has to be done before anything can be forgotten.
    if (from < 1_200_000) await screen.takesPaste()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** All that a person can see of a terminal or scroll to, with its colours, and where the cursor stands. */
function looksOf(terminal: Terminal): string {
  const serializer = new SerializeAddon()
  terminal.loadAddon(serializer)
  const { cursorX, cursorY, type, length } = terminal.buffer.active
  return JSON.stringify([serializer.serialize(), cursorX, cursorY, type, length, terminal.modes])
}

test('the image makes the same screen again, with scrollback, colours, wide characters and modes', async () => {
  const { screen } = openScreen()
  const output = [
    ...Array.from({ length: 50 }, (_, line) => `line ${line} \x1b[3${line % 8}mcolour\x1b[0m 漢字 👨‍👩‍👧 é\r\n`),
    '\x1b[?2004h\x1b[?1h\x1b[?1002h\x1b[1;4mprompt $ ',
  ].join('')
  screen.feed(Buffer.from(output))
  const image = await screen.image()
  expect(image).toMatchObject({ columns: 40, rows: 6 })
  expect(looksOf(await pageWith(image.screen))).toBe(looksOf(await pageWith(output)))
})

test('the image keeps what the serialize addon leaves out: mouse encoding, hidden cursor, margins, cursor style', async () => {
  const { screen } = openScreen()
  const output = 'top\r\nsecond\r\n\x1b[2;4r\x1b[?1002h\x1b[?1006h\x1b[?25l\x1b[3 q\x1b[3;5Hx'
  screen.feed(Buffer.from(output))
  const { screen: image } = await screen.image()
  for (const mode of ['\x1b[?1006h', '\x1b[?25l', '\x1b[3 q']) expect(image).toContain(mode)
  // Line feeds inside the margins scroll only between them, from where the cursor stood.
  const rest = '\r\na\r\nb\r\nc'
  expect(looksOf(await pageWith(image + rest))).toBe(looksOf(await pageWith(output + rest)))
})

test('the other buffer of full-screen programs is kept, and what lies below it', async () => {
  const { screen } = openScreen()
  const output = 'shell $ vi\r\n\x1b[?1049h\x1b[H\x1b[2Jfile\r\n~\r\n~\x1b[1;3H'
  screen.feed(Buffer.from(output))
  const { screen: image } = await screen.image()
  expect(looksOf(await pageWith(image))).toBe(looksOf(await pageWith(output)))
  expect(looksOf(await pageWith(`${image}\x1b[?1049l`))).toBe(looksOf(await pageWith(`${output}\x1b[?1049l`)))
})

test('a sequence cut by the image goes on after it', async () => {
  const output = 'a\x1b[31mred\x1b]0;title\x07 \x1b[1mbold'
  for (let cut = 0; cut <= output.length; cut++) {
    const { screen } = openScreen()
    screen.feed(Buffer.from(output.slice(0, cut)))
    const { screen: image } = await screen.image()
    expect(looksOf(await pageWith(image + output.slice(cut)))).toBe(looksOf(await pageWith(output)))
  }
})

test('a change of size takes its place between the outputs', async () => {
  const { screen } = openScreen(10, 4)
  screen.feed(Buffer.from('0123456789abc\r\n'))
  screen.resize(20, 4)
  screen.feed(Buffer.from('0123456789abcdef'))
  expect(await screen.image()).toMatchObject({ columns: 20, rows: 4 })
  const page = await pageWith((await screen.image()).screen, 20, 4)
  expect(page.buffer.active.getLine(1)?.translateToString(true)).toBe('0123456789abcdef')
})

test('title, bell and the answers to questions are told, and all output is dealt with', async () => {
  const { screen, told } = openScreen()
  const words = '\x1b]9;waits\x07\x1b]777;notify;a;b\x1b\\\x1b]99;;hello\x07'
  const output = `\x1b]2;work\x07\x07\x1b[6n\x1b[c${words}`
  screen.feed(Buffer.from(output))
  await screen.image()
  expect(told).toMatchObject({
    titles: ['work'],
    bells: 1,
    said: ['|waits', 'a|b', 'hello|'],
    taken: output.length,
  })
  expect(told.answers).toContain('\x1b[1;1R')
  expect(await screen.takesPaste()).toBe(false)
  screen.feed(Buffer.from('\x1b[?2004h'))
  expect(await screen.takesPaste()).toBe(true)
})

test('a flood of plain text leaves the screen that all of it would have left', async () => {
  const { screen, told } = openScreen(80, 24)
  let output = ''
  for (let line = 0; output.length < 8_000_000; line++) {
    output += `\x1b[3${line % 8}m${line} some text of a build that runs for long\x1b[0m\r\n`
  }
  output += '\x1b[35mlast'
  await flood(screen, output)
  // Most of it was dealt with at once, without being parsed.
  expect(told.taken).toBeGreaterThan(5_000_000)
  const image = await screen.image()
  expect(told.taken).toBe(output.length)
  const tail = output.slice(-1_500_000)
  const whole = await pageWith(tail.slice(tail.indexOf('\n') + 1), 80, 24)
  expect(looksOf(await pageWith(image.screen, 80, 24))).toBe(looksOf(whole))
})

test('a flood that moves the cursor is parsed, all of it', async () => {
  const { screen, told } = openScreen(80, 24)
  let output = 'first line\r\n'
  for (let step = 0; output.length < 4_000_000; step++) {
    output += `\x1b[${(step % 20) + 3};1Hstep ${step} of something that draws\x1b[K\r\n`
  }
  await flood(screen, output)
  const image = await screen.image()
  expect(told.taken).toBe(output.length)
  expect((await pageWith(image.screen, 80, 24)).buffer.active.getLine(0)?.translateToString(true)).toBe(
    'first line',
  )
})

const line = fc.array(
  fc.oneof(
    fc.constantFrom('\x1b[31m', '\x1b[0m', '\x1b[m', '\x1b[1;44m', '\t', '\b', '\r', '漢', '👍🏽'),
    fc.string({ maxLength: 30, unit: 'grapheme' }).map((text) => text.replace(/[\x00-\x1f\x7f-\x9f]/g, '')),
  ),
  { maxLength: 4 },
)

test('what is forgotten had scrolled out', async () => {
  let cuts = 0
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 5 }),
      fc.array(line, { minLength: 30, maxLength: 60 }),
      async (before, lines) => {
        const begin = before.replace(/[^a-z]/g, '')
        const output = lines.map((parts) => `${parts.join('')}\r\n`).join('')
        const rows = 4
        const scrollback = 10
        const remainder = forgetScrolledOut(Buffer.from(output), scrollback + 2 * rows + 1)
        if (remainder === null) return
        cuts++
        const kept = await pageWith(begin + remainder.toString(), 20, rows, scrollback)
        const whole = await pageWith(begin + output, 20, rows, scrollback)
        expect(looksOf(kept)).toBe(looksOf(whole))
      },
    ),
    { numRuns: 100 },
  )
  expect(cuts).toBeGreaterThan(50)
})

test('plain is what its grammar says, whatever stands at which place', () => {
  // Slow, and plainly right.
  const grammar = /^(?:[\x20-\x7e\xa0-\uffff\b\t\n\r]|\x1b\[[\d:;]*m)*(?:\x1b(?:\[[\d:;]*)?)?$/
  const part = fc.oneof(
    fc.constantFrom(
      '\x1b',
      '[',
      'm',
      '\x1b[3',
      '\x1b[1;31m',
      '\x1b[m',
      'printable',
      '\r\n',
      '\b',
      'é',
      '─',
      '😀',
    ),
    fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
    fc.string(),
  )
  let plain = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.nat(3), (parts, from) => {
      const text = parts.join('')
      // From any place in memory.
      const bytes = Buffer.from(`${'x'.repeat(from)}${text}`).subarray(from)
      expect(isPlain(bytes)).toBe(grammar.test(text))
      if (isPlain(bytes)) plain++
    }),
    { numRuns: 3000 },
  )
  expect(plain).toBeGreaterThan(100)
})

test('nothing is forgotten of output that is more than text, or that does not scroll far enough', () => {
  const lines = 'text\r\n'.repeat(30)
  const forget = (output: string, most: number) =>
    forgetScrolledOut(Buffer.from(output), most)?.toString() ?? null
  expect(forget(lines, 19)).not.toBeNull()
  expect(forget(lines, 31)).toBeNull()
  expect(forget(`${lines}\x1b[3`, 19)).toMatch(/\x1b\[3$/)
  for (const more of ['\x1b[H', '\x1b[2J', '\x1b]0;x\x07', '\x07', '\x1b7', '\x0e', '\x1b[3x']) {
    expect(forget(lines + more, 19)).toBeNull()
    expect(forget(more + lines, 19)).toBeNull()
  }
  expect(forget('text\n'.repeat(30), 19)).toBeNull()
})
