import { describe, expect, it } from 'vitest'
import type { FoundFile } from '../../../shared/contract/search'
import { layOutResults, moveInResults } from './search-rows'

const hit = (id: number) => ({
  id,
  line: id,
  from: 0,
  to: 1,
  before: '',
  match: 'a',
  after: '',
  isCut: false,
})
const file = (folder: string, name: string, ...ids: number[]): FoundFile => ({
  path: `/w/${folder}/${name}`,
  name,
  folder,
  isUnsaved: false,
  hits: ids.map(hit),
})
const files = [file('src', 'b.ts', 1, 2), file('src', 'a.ts', 3), file('docs', 'z.md', 4)]
const none = new Set<never>()

describe('results of a search', () => {
  it('stand by folder and name, whatever the order in which they came', () => {
    expect(layOutResults(files, none, none).map(({ key }) => key)).toEqual([
      ...['/w/docs/z.md', '4', '/w/src/a.ts', '3', '/w/src/b.ts', '1', '2'],
    ])
  })

  it('leave out what is shut and what was taken out, and files without hits', () => {
    const rows = layOutResults(files, new Set(['/w/src/b.ts']), new Set([3, 1]))
    expect(rows.map(({ key }) => key)).toEqual(['/w/docs/z.md', '4', '/w/src/b.ts'])
    expect(rows[2]).toMatchObject({ isOpen: false, hits: [{ id: 2 }] })
  })

  it('are walked by keys as a tree is', () => {
    const rows = layOutResults(files, new Set(['/w/src/b.ts']), none)
    expect(moveInResults('ArrowDown', rows, 4, 5)).toBe(4)
    expect(moveInResults('ArrowLeft', rows, 1, 5)).toBe(0)
    expect(moveInResults('ArrowLeft', rows, 0, 5)).toEqual({ toggle: '/w/docs/z.md' })
    expect(moveInResults('ArrowRight', rows, 4, 5)).toEqual({ toggle: '/w/src/b.ts' })
    expect(moveInResults('ArrowRight', rows, 0, 5)).toBe(1)
    expect(moveInResults('End', rows, 0, 5)).toBe(4)
    expect(moveInResults('a', rows, 0, 5)).toBeNull()
  })
})
