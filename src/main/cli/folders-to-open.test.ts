import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { complainAboutFolders } from './folders-to-open'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-cli-'))
})
afterEach(() => rmSync(base, { recursive: true }))

test('folders that are there are fine, and so are none', () => {
  expect(complainAboutFolders([])).toBeNull()
  expect(complainAboutFolders([base])).toBeNull()
})

test('the first that is not there, or is no folder, is named', () => {
  expect(complainAboutFolders([base, join(base, 'missing')])).toBe(
    `The folder ${join(base, 'missing')} doesn’t exist.`,
  )
  writeFileSync(join(base, 'file'), '')
  expect(complainAboutFolders([join(base, 'file')])).toBe(`${join(base, 'file')} isn’t a folder.`)
  expect(complainAboutFolders([join(base, 'file', 'below')])).toContain('The folder')
})
