import { expect, it } from 'vitest'
import { writtenText } from './written-text'

const edit = () => Promise.resolve(true)
const write = () => Promise.resolve(false)

it('keeps the line ends of what was accepted', async () => {
  for (const tool of [edit, write]) {
    expect(await writtenText('a\nb\n', 'a\r\nB\r\n', tool)).toBe('a\r\nB\r\n')
    expect(await writtenText('a\nb\n', 'a\r\nB\n', tool)).toBe('a\r\nB\n')
    expect(await writtenText('a\nb\n', 'a\r\nb\n', tool)).toBe('a\r\nb\n')
  }
})

it('has a byte order mark exactly where the proposal has one', async () => {
  expect(await writtenText('a\n', '\ufeffa\n', write)).toBe('a\n')
  expect(await writtenText('\ufeffa\n', '\ufeffb\n', write)).toBe('\ufeffb\n')
  expect(await writtenText('\ufeffa\n', 'b\n', write)).toBe('\ufeffb\n')
})

it('gives back an unchanged proposal to the letter, so that the model hears of no modification', async () => {
  for (const text of ['', 'a', 'a\r\nb', 'a\nb\r\n', '\ufeffa\n']) {
    expect(await writtenText(text, text, edit)).toBe(text)
  }
})

it('gives back an unchanged proposal for a CRLF file as it came, where Edit puts the ends in', async () => {
  expect(await writtenText('a\nb\n', 'a\r\nb\r\n', edit)).toBe('a\nb\n')
  expect(await writtenText('a\nb\r\nc\n', 'a\r\nb\r\nc\r\n', edit)).toBe('a\nb\r\nc\n')
  expect(await writtenText('\ufeffa\n', '\ufeffa\r\n', edit)).toBe('\ufeffa\n')
  expect(await writtenText('a\nb\n', 'a\r\nb\r\n', write)).toBe('a\r\nb\r\n')
})
