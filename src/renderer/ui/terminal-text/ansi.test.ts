import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnsi, withoutAnsi } from './ansi'

const esc = '\u001b'

describe('a program’s output', () => {
  test('has its colours as classes, until they are taken back', () => {
    expect(readAnsi(`a${esc}[1;31mb${esc}[39mc${esc}[0md`)).toEqual([
      { text: 'a', look: '' },
      { text: 'b', look: 'ansi-red ansi-bold' },
      { text: 'c', look: 'ansi-bold' },
      { text: 'd', look: '' },
    ])
    expect(readAnsi(`${esc}[94mx${esc}[m`)).toEqual([{ text: 'x', look: 'ansi-bright-blue' }])
  })

  test('has colours of its own in the page’s', () => {
    const look = (codes: string) => readAnsi(`${esc}[${codes}mx`)[0]?.look
    expect(look('38;5;9')).toBe('ansi-bright-red')
    expect(look('38;2;200;20;10')).toBe('ansi-red')
    expect(look('38;5;46;4')).toBe('ansi-bright-green ansi-underlined')
    expect(look('48;2;0;0;180')).toBe('ansi-on-blue')
    expect(look('38;5;244')).toBe('ansi-bright-black')
    expect(look('38;2;255;255;255')).toBe('')
  })

  test('has no other sequence, and of a line written over only its last state', () => {
    expect(
      withoutAnsi(`${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\ ${esc}[2K${esc}[1Aup${esc}(B\u0007`),
    ).toBe('link up')
    expect(withoutAnsi('10 %\r50 %\rdone\r\nnext\r')).toBe('done\nnext')
  })

  test('never keeps an escape, whatever it is, and keeps all plain text', () => {
    const part = fc.oneof(
      fc.constantFrom(esc, `${esc}[`, `${esc}]`, ';', 'm', '3', '\u009b', '\\'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(withoutAnsi(parts.join(''))).not.toMatch(/[\u001b\u009b\u0000-\u0008]/)
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\n\t]*$/), (text) => {
        expect(withoutAnsi(text)).toBe(text)
      }),
    )
  })

  test('is plain from some number of changes on', () => {
    expect(readAnsi(`${esc}[31ma${esc}[32mb`.repeat(50), 10).length).toBeLessThanOrEqual(11)
  })
})
