import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileLog, redact } from './log'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-log-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const now = () => new Date('2026-11-21T10:11:12.345Z')
const lines = (name = 'greenlight.log') =>
  readFileSync(join(directory, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

test('an event becomes one JSON line and one short line', () => {
  const screen: string[] = []
  const log = new FileLog({ directory, screen: (line) => screen.push(line), now })
  log.info('window opened', { folders: 2, name: 'a b' })
  log.flush()
  expect(lines()).toEqual([
    { time: '2026-11-21T10:11:12.345Z', level: 'info', event: 'window opened', folders: 2, name: 'a b' },
  ])
  expect(screen).toEqual(['10:11:12 info window opened folders=2 name="a b"'])
  expect(statSync(log.path).mode & 0o777).toBe(0o600)
})

test('what is not yet written when the log ends is written then, in order', () => {
  const log = new FileLog({ directory, screen: null, now })
  log.warn('first')
  log.error('second')
  log.dispose()
  log.info('too late')
  expect(lines().map((line) => (line as { event: string }).event)).toEqual(['first', 'second'])
})

test('old files are kept up to a number, and each up to a size', () => {
  const log = new FileLog({ directory, screen: null, now, bytesPerFile: 300, files: 3 })
  for (let index = 0; index < 40; index++) {
    log.info('event', { index })
    log.flush()
  }
  expect(readdirSync(directory).sort()).toEqual(['greenlight.log', 'greenlight.log.1', 'greenlight.log.2'])
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).size).toBeLessThan(400)
  expect(lines().at(-1)).toMatchObject({ index: 39 })
})

describe('redaction', () => {
  test('takes out what is named like a secret, at any depth', () => {
    expect(redact({ authToken: 'a', deep: { cookie: 'b', code: 'c', port: 1 } })).toEqual({
      authToken: '[redacted]',
      deep: { cookie: '[redacted]', code: '[redacted]', port: 1 },
    })
  })
  test('takes out secrets inside texts', () => {
    expect(redact('http://127.0.0.1:1/?code=abc&x=1')).toBe('http://127.0.0.1:1/?code=[redacted]&x=1')
    expect(redact(new Error('refused: Authorization: Bearer abc'))).not.toContain('abc')
  })
  test('cuts long texts, and stacks never appear', () => {
    expect(redact('x'.repeat(10_000))).toHaveLength(500 + '… (10000 characters)'.length)
    expect(redact(new TypeError('wrong'))).toBe('TypeError: wrong')
  })
})
