import { expect, test } from 'vitest'
import { WindowFolders, windowHolding } from './window-folders'

const window = (...paths: string[]) => ({ folders: new WindowFolders(paths) })

test('of several windows the one with the innermost folder holds a path, and the first of equal ones', () => {
  const [outer, inner, other, same] = [window('/a'), window('/b', '/a/b'), window('/c'), window('/a')]
  const windows = [other, outer, inner, same]
  expect(windowHolding(windows, '/a/b/c')).toBe(inner)
  expect(windowHolding(windows, '/a/x')).toBe(outer)
  expect(windowHolding(windows, '/ab')).toBeUndefined()
  expect(windowHolding([window()], '/a')).toBeUndefined()
})
