import headless from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unfinishedSequence } from './unfinished-sequence'

test.each([
  ['plain text', ''],
  ['\x1b[31mred', ''],
  ['\x1b[31', '\x1b[31'],
  ['text\x1b', '\x1b'],
  ['\x1b]0;title', '\x1b]0;title'],
  ['\x1b]0;title\x07', ''],
  ['\x1b]0;title\x1b', '\x1b'],
  ['\x1b]0;title\x1b\\', ''],
  ['\x1bP1$q', '\x1bP1$q'],
  ['\x1bP1$q\x07', '\x1bP1$q\x07'],
  ['\x1b\x07]', '\x1b]'],
  ['\x1b[3\x181m', ''],
  ['\x1b(', '\x1b('],
  ['\x1b(B', ''],
  ['\x1b7', ''],
  ['\x9b3', '\x9b3'],
  ['\x1b[3\n1', '\x1b[31'],
  ['\x1b[1m\x1b[2', '\x1b[2'],
])('%j leaves %j', (output, unfinished) => {
  expect(unfinishedSequence(output)).toBe(unfinished)
})

const part = fc.oneof(
  fc.constantFrom(
    '\x1b',
    '[',
    ']',
    '0;x',
    '\x07',
    '\x1b\\',
    '31',
    ';',
    'm',
    'H',
    '\x1bP',
    '\x9b',
    '(',
    'B',
    '?',
    'a',
  ),
  fc.string({ maxLength: 3, unit: 'grapheme-ascii' }),
)

/** What a terminal shows after texts written one after another. */
async function shown(...texts: string[]): Promise<string> {
  const terminal = new headless.Terminal({ cols: 40, rows: 6, allowProposedApi: true, logLevel: 'off' })
  for (const text of texts) await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: 6 }, (_, row) => active.getLine(row)?.translateToString() ?? '')
  terminal.dispose()
  return `${lines.join('\n')}@${active.cursorX},${active.cursorY}`
}

/**
 * CSI b writes the character before it once more, and the CAN of this test comes between. So does a page that is loaded
 * again at that moment: the repeated character is missing there until the program draws anew.
 */
const repeats = /(?:\x1b\[|\x9b)[^@-~]*b/

test('a screen that is told the unfinished sequence goes on like one that saw everything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 12 }),
      fc.array(part, { maxLength: 8 }),
      async (first, second) => {
        const before = first.join('')
        fc.pre(!repeats.test(before + second.join('')))
        const unfinished = unfinishedSequence(before)
        // The same state without the open sequence: CAN drops it.
        expect(await shown(`${before}\x18`, unfinished, second.join(''))).toBe(
          await shown(before, second.join('')),
        )
      },
    ),
    { numRuns: 200 },
  )
})
