import { describe, expect, it } from 'vitest'
import { RipgrepOutput, type RipgrepFile } from './ripgrep-output'

describe('RipgrepOutput', () => {
  it('passes over what is no message', () => {
    const files: RipgrepFile[] = []
    const output = new RipgrepOutput((file) => files.push(file))
    const messages = [
      'rg: a warning of some wrapper',
      '{"type":"begin","data":{"path":{"text":"a"}}}',
      '{"type":"end","data":{"binary_offset":null}}',
      '{"type":"summary"}',
    ]
    output.take(Buffer.from(`${messages.join('\n')}\n`))
    expect(files.map(({ path }) => path)).toEqual(['a'])
    expect(output.isComplete).toBe(true)
  })
})
