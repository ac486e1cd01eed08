import { describe, expect, it } from 'vitest'
import { showCommand } from './file-manager'

describe('showCommand', () => {
  it('selects the file where the system can, else opens its folder', () => {
    expect(showCommand('/p/-a.txt', 'darwin')).toEqual({
      program: '/usr/bin/open',
      args: ['-R', '--', '/p/-a.txt'],
    })
    expect(showCommand('C:/p/a b.txt', 'win32')).toEqual({
      program: 'explorer.exe',
      args: ['/select,"C:\\p\\a b.txt"'],
      verbatim: true,
    })
    expect(showCommand('/p/a.txt', 'linux')).toEqual({ program: 'xdg-open', args: ['/p'] })
  })
})
