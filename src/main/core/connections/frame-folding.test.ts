import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unfoldFrame } from '../../../../test/unfolded-frame'
import { foldFrame, isFolded, redactedText } from './frame-folding'

const openDiff = {
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: { name: 'openDiff', arguments: { old_file_path: '/p/a.txt', new_file_contents: 'one\ntwo\n' } },
}

test('what stands in files is folded, and the rest of a message is shown', () => {
  expect(foldFrame(openDiff)).toEqual({
    ...openDiff,
    params: {
      name: 'openDiff',
      arguments: {
        old_file_path: '/p/a.txt',
        new_file_contents: { $folded: { characters: 8, lines: 3 } },
      },
    },
  })
})

test('a selected text is folded however short, and a word of the protocol is not', () => {
  expect(foldFrame({ params: { text: 'key=1' } })).toEqual({
    params: { text: { $folded: { characters: 5, lines: 1 } } },
  })
  expect(foldFrame({ result: { content: [{ type: 'text', text: 'FILE_SAVED' }] } })).toEqual({
    result: { content: [{ type: 'text', text: 'FILE_SAVED' }] },
  })
})

test('JSON inside a text is folded inside', () => {
  const text = JSON.stringify({ success: true, filePath: '/p/a', text: 'mine', content: 'also mine' })
  const folded = foldFrame({ text }) as { text: string }
  expect(JSON.parse(folded.text)).toEqual({
    success: true,
    filePath: '/p/a',
    text: { $folded: { characters: 4, lines: 1 } },
    content: { $folded: { characters: 9, lines: 1 } },
  })
})

test('secrets are taken out by name, by look, and where they are known', () => {
  const frame = {
    authToken: 'abc',
    nested: { apiKey: 12, note: 'uses sk-ant-0123456789abcdef here', header: 'Bearer abcdefgh' },
    url: 'ws://x?t=5e0a-known',
    said: `it was ${randomUUID()}.${'0a'.repeat(32)}, it says`,
  }
  expect(foldFrame(frame, ['5e0a-known'])).toEqual({
    authToken: redactedText,
    nested: { apiKey: redactedText, note: `uses ${redactedText} here`, header: redactedText },
    url: `ws://x?t=${redactedText}`,
    said: `it was ${redactedText}, it says`,
  })
})

const json = fc.jsonValue({ depthSize: 'small' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)

test('no content and no known secret ever comes through, wherever it stands', () => {
  const secret = fc.stringMatching(/^[a-z0-9]{12,30}$/)
  fc.assert(
    fc.property(json, secret, fc.stringMatching(/^[a-z]{12}\n[a-z]{12}$/), (value, known, content) => {
      const [half = ''] = content.split('\n')
      const frame = {
        value,
        at: known,
        list: [{ deep: `a${known}b` }],
        [known]: 1,
        long: content,
        text: half,
      }
      const shown = JSON.stringify(foldFrame(frame, [known]))
      expect(shown).not.toContain(known)
      expect(shown).not.toContain(half)
    }),
  )
})

test('a frame that was folded can be filled up again, and folds to the same', () => {
  const texts = fc.string({ minLength: 1 }).filter((text) => !/^\s*[[{]/.test(text))
  fc.assert(
    fc.property(texts, json, (content, value) => {
      const folded = foldFrame({ params: { content, value } })
      const filled = unfoldFrame(folded)
      expect(foldFrame(filled)).toEqual(foldFrame(folded))
      const again = (filled as { params: { content: string } }).params.content
      expect(again).toHaveLength(content.length)
    }),
  )
  expect(isFolded({ $folded: { characters: 1, lines: 1 } })).toBe(true)
  expect(isFolded({ $folded: 1 })).toBe(false)
})
