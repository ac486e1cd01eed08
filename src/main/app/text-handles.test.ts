import { Text } from '@codemirror/state'
import { expect, it } from 'vitest'
import { TextHandles } from './text-handles'

const long = Array.from({ length: 40_000 }, (_, i) => `line ${i + 1}`).join('\n')

/** The text behind a handle, as a page fetches it. */
function readAll(texts: TextHandles, handle: string): string {
  let all = ''
  for (;;) {
    const read = texts.read(handle, all.length)
    if (!read) throw new Error('the handle is forgotten')
    all += read.piece
    if (read.done) return all
  }
}

it('gives a short text as it is, a string or a document', () => {
  const texts = new TextHandles()
  expect(texts.refer('one\ntwo')).toEqual({ text: 'one\ntwo' })
  expect(texts.refer(Text.of(['one', 'two']))).toEqual({ text: 'one\ntwo' })
})

it('gives a long text in pieces, and once', () => {
  const texts = new TextHandles()
  for (const text of [long, Text.of(long.split('\n'))]) {
    const ref = texts.refer(text)
    if (!('handle' in ref)) throw new Error('no handle')
    expect(ref.length).toBe(long.length)
    expect(readAll(texts, ref.handle)).toBe(long)
    expect(texts.read(ref.handle, 0)).toBeNull()
  }
})

it('makes a text when it is asked for, and only once', () => {
  const texts = new TextHandles()
  let made = 0
  const { handle } = texts.later(() => (made++, long))
  expect(made).toBe(0)
  expect(readAll(texts, handle)).toBe(long)
  expect(made).toBe(1)
})
