import { expect, test } from 'vitest'
import { foldersToTell } from './tab-names'

const tab = (id: string, name: string, folder: string | null) => ({ id, name, folder })

test('two tabs of one name say their folders, others do not', () => {
  const tabs = [tab('1', 'index.ts', 'src/a'), tab('2', 'index.ts', 'src/b'), tab('3', 'main.ts', 'src')]
  expect([...foldersToTell(tabs)]).toEqual([
    ['1', 'src/a'],
    ['2', 'src/b'],
  ])
})

test('a file and its review lie in one folder, which tells nothing', () => {
  expect(foldersToTell([tab('1', 'a.ts', 'src'), tab('2', 'a.ts', 'src')]).size).toBe(0)
})

test('of one in the folder of the window only the other says where it lies', () => {
  const tabs = [tab('1', 'a.ts', ''), tab('2', 'a.ts', 'lib'), tab('3', 'Settings', null)]
  expect([...foldersToTell(tabs)]).toEqual([['2', 'lib']])
})
