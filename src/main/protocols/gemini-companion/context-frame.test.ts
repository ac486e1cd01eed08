import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OpenFile, Selected } from '../../../shared/agent-view'
import { contextFrame, mostFiles, mostSelected } from './context-frame'

const path = fc.nat({ max: 30 }).map((number) => `/p/${number}`)
const file: fc.Arbitrary<OpenFile> = fc.record({
  path,
  label: fc.constant('x'),
  languageId: fc.constant('x'),
  isActive: fc.constant(false),
  isDirty: fc.boolean(),
  shownAt: fc.nat(),
})
const place = fc.record({ line: fc.nat(), character: fc.nat() })
const selected: fc.Arbitrary<Selected | null> = fc.option(
  fc.record({ path, start: place, end: place, text: fc.string({ unit: 'binary', maxLength: 40 }) }),
)
const seen = fc
  .record({
    files: fc.uniqueArray(file, { selector: ({ path: key }) => key, maxLength: 30 }),
    active: fc.nat({ max: 40 }),
    current: selected,
  })
  .map(({ files, active, current }) => ({
    files: files.map((one, index) => ({
      ...one,
      shownAt: one.shownAt * 40 + index,
      isActive: index === active,
    })),
    current,
  }))

it('tells what clients take, whatever is seen', () => {
  fc.assert(
    fc.property(seen, ({ files, current }) => {
      const { openFiles } = contextFrame({ files, current }).workspaceState
      expect(openFiles).toHaveLength(Math.min(files.length, mostFiles))
      const times = openFiles.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      // Nothing newer was left out.
      const left = files.filter((one) => !openFiles.some((told) => told.path === one.path))
      for (const one of left) expect(one.shownAt).toBeLessThanOrEqual(times.at(-1) ?? 0)
      // Only the newest can be active, and only what is active tells more than that it is open.
      for (const [index, told] of openFiles.entries()) {
        const one = files.find(({ path: key }) => key === told.path)
        expect(told.isActive).toBe(index === 0 && one?.isActive === true ? true : undefined)
        if (told.isActive === undefined) expect(Object.keys(told)).toEqual(['path', 'timestamp'])
        if (told.cursor) expect(current?.path).toBe(told.path)
      }
      expect(JSON.stringify(openFiles)).not.toContain('null')
    }),
  )
})

it('cuts a long selection without parting a character', () => {
  const open: OpenFile = {
    path: '/p/a',
    label: 'a',
    languageId: 'x',
    isActive: true,
    isDirty: false,
    shownAt: 1,
  }
  const cutOf = (text: string) => {
    const current = { path: '/p/a', start: { line: 0, character: 0 }, end: { line: 9, character: 0 }, text }
    return contextFrame({ files: [open], current }).workspaceState.openFiles[0]?.selectedText ?? ''
  }
  expect(cutOf('x'.repeat(mostSelected)).length).toBe(mostSelected)
  expect(cutOf('x'.repeat(mostSelected + 5)).length).toBe(mostSelected)
  expect(cutOf('x'.repeat(mostSelected - 1) + '😀')).toBe('x'.repeat(mostSelected - 1))
  expect(cutOf('x'.repeat(mostSelected - 2) + '😀y')).toBe('x'.repeat(mostSelected - 2) + '😀')
})
