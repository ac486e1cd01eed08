import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DiffTool } from './diff-tool'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'diff-tool-'))
  path = join(folder, '.claude.json')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

test('changes are shown in an editor unless the file says otherwise, as it is now', async () => {
  const tool = new DiffTool(path)
  expect(await tool.isEditor()).toBe(true)
  writeFileSync(path, JSON.stringify({ diffTool: 'terminal' }))
  expect(await tool.isEditor()).toBe(false)
  writeFileSync(path, JSON.stringify({ diffTool: 'auto', numStartups: 2 }))
  expect(await tool.isEditor()).toBe(true)
  writeFileSync(path, '{"diffTool":')
  expect(await tool.isEditor()).toBe(true)
})

test('a file that says nothing of it is not parsed, nor read again while it is as it was', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const tool = new DiffTool(path)
  writeFileSync(path, JSON.stringify({ numStartups: 2 }))
  expect(await tool.isEditor()).toBe(true)
  expect(parse).not.toHaveBeenCalled()
  writeFileSync(path, JSON.stringify({ diffTool: 'terminal' }))
  expect([await tool.isEditor(), await tool.isEditor()]).toEqual([false, false])
  expect(parse).toHaveBeenCalledTimes(1)
})
