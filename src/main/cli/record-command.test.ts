import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { runRecord } from './record-command'

afterEach(() => vi.restoreAllMocks())

test('waiting for a reader that is slow leaves nothing behind', async () => {
  const home = mkdtempSync(join(tmpdir(), 'greenlight-record-'))
  const { stdout } = process
  const events = ['drain', 'close']
  const listening = () => events.map((event) => stdout.listenerCount(event))
  const before = listening()
  const written = vi.spyOn(stdout, 'write').mockImplementation(() => {
    setImmediate(() => stdout.emit('drain'))
    return false
  })
  await runRecord({ kind: 'record', path: null, output: { kind: 'table' }, dataDir: home })
  expect(written).toHaveBeenCalledTimes(1)
  written.mockRestore()
  expect(listening()).toEqual(before)
  rmSync(home, { recursive: true })
})
