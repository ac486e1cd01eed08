import { expect, it } from 'vitest'
import { writtenText } from './written-text'

it('keeps the line ends of what was accepted', () => {
  expect(writtenText('a\nb\n', 'a\r\nB\r\n')).toBe('a\r\nB\r\n')
  expect(writtenText('a\nb\n', 'a\r\nB\n')).toBe('a\r\nB\n')
})

it('has a byte order mark exactly where the proposal has one', () => {
  expect(writtenText('a\n', '\ufeffa\n')).toBe('a\n')
  expect(writtenText('\ufeffa\n', '\ufeffb\n')).toBe('\ufeffb\n')
  expect(writtenText('\ufeffa\n', 'b\n')).toBe('\ufeffb\n')
})

it('gives back an unchanged proposal to the letter, so that the model hears of no modification', () => {
  for (const text of ['', 'a', 'a\r\nb', 'a\nb\r\n', '\ufeffa\n']) expect(writtenText(text, text)).toBe(text)
})
