import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { runRipgrep } from './ripgrep'

const folder = mkdtempSync(join(tmpdir(), 'greenlight-ripgrep-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('runRipgrep', () => {
  it('tells that it could not start where the system takes the arguments or the folder for impossible', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const run = { program: process.execPath, output: () => true, signal: new AbortController().signal }
    const nowhere = { code: null, isStarted: false, complaints: [] }
    expect(await runRipgrep({ ...run, folder, args: ['--regexp', 'a\0b'] })).toEqual(nowhere)
    expect(await runRipgrep({ ...run, folder: file, args: [] })).toEqual(nowhere)
  })
})
