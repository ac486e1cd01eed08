import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restoredBytes } from './restore-change'

const text = (value: Buffer | null) => value?.toString('utf8') ?? null

describe('the bytes of a restored file', () => {
  it('are the text before where the file is what the change left', () => {
    expect(text(restoredBytes(Buffer.from('b\n'), 'a\n', 'b\n'))).toBe('a\n')
    expect(restoredBytes(Buffer.from('b\nmine\n'), 'a\n', 'b\n')).toBeNull()
  })

  it('keep line ends and byte order mark, which the record has not', () => {
    expect(text(restoredBytes(Buffer.from('\ufeffb\r\nc\r\n'), 'a\nc\n', 'b\nc\n'))).toBe('\ufeffa\r\nc\r\n')
    expect(restoredBytes(Buffer.from('b\r\nc\n'), 'a\nc\n', 'b\nc\n')).toBeNull()
  })

  it('are none where the file is no text', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x41])
    expect(restoredBytes(bytes, 'a', bytes.toString('utf8'))).toBeNull()
  })

  it('are never made of a file that says something else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (disk, before, after) => {
        const bytes = restoredBytes(Buffer.from(disk), before, after)
        const plain = (value: string) => value.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
        if (bytes !== null) expect(plain(disk)).toBe(plain(after))
      }),
    )
  })
})
