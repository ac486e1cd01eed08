import { describe, expect, it } from 'vitest'
import { describePlace, nameFolders } from './folder-names'

describe('folders of a window', () => {
  it('are told apart', () => {
    expect(nameFolders(['/a/web', '/b/web', '/c/api']).map(({ name }) => name)).toEqual([
      'web (a)',
      'web (b)',
      'api',
    ])
  })

  it('describe where a file is', () => {
    const one = nameFolders(['/a/web'])
    expect(describePlace(one, '/a/web/x.ts', '/home/me')).toEqual({ folder: '', isOutside: false })
    expect(describePlace(one, '/a/web/src/ui/x.ts', '/home/me')).toEqual({
      folder: 'src/ui',
      isOutside: false,
    })
    expect(describePlace(one, '/home/me/notes/x.md', '/home/me')).toEqual({
      folder: '~/notes',
      isOutside: true,
    })
    expect(describePlace(one, '/etc/hosts', '/home/me')).toEqual({ folder: '/etc', isOutside: true })
    const two = nameFolders(['/a/web', '/a/web/inner'])
    expect(describePlace(two, '/a/web/inner/x.ts', '/h')).toEqual({ folder: 'inner', isOutside: false })
  })
})
