import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtocolLog, type ProtocolLogLimits } from './protocol-log'

function logOf(limits: Partial<ProtocolLogLimits> = {}, secrets: string[] = []): ProtocolLog {
  const log = new ProtocolLog(() => secrets, limits)
  log.name({ id: 'one', agent: 'Claude', version: null, dialect: 'claude-ide', since: 1 })
  return log
}

function pass(log: ProtocolLog, direction: 'in' | 'out', message: object, at = 1, id = 'one'): void {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message })
  log.add(id, direction, text, text.length, at)
}

test('rows name a message, its answer and the time between', () => {
  const log = logOf()
  pass(log, 'in', { id: 0, method: 'initialize', params: {} }, 10)
  pass(log, 'out', { id: 0, result: {} }, 14)
  pass(log, 'in', { id: 1, method: 'tools/call', params: { name: 'openDiff', arguments: {} } }, 20)
  pass(log, 'out', { method: 'selection_changed', params: {} }, 21)
  pass(log, 'out', { id: 1, error: { code: -32602, message: 'No.' } }, 30)
  log.add('one', 'in', 'not json', 8, 31)
  log.add('one', 'in', '{ broken', 8, 32)
  expect(log.rows('one').rows.map(({ direction, kind, name, ms }) => [direction, kind, name, ms])).toEqual([
    ['in', 'request', 'initialize', null],
    ['out', 'answer', 'initialize', 4],
    ['in', 'request', 'tools/call openDiff', null],
    ['out', 'notification', 'selection_changed', null],
    ['out', 'error', 'tools/call openDiff', 10],
    ['in', 'unreadable', '', null],
    ['in', 'unreadable', '', null],
  ])
  expect(log.rows('one', 7).rows.map(({ seq }) => seq)).toEqual([7])
})

test('messages that name their kind by a type are named by it, questions with their answers', () => {
  const log = logOf()
  const say = (direction: 'in' | 'out', at: number, message: object) => {
    const text = JSON.stringify(message)
    log.add('one', direction, text, text.length, at)
  }
  const asked = { subtype: 'can_use_tool', tool_name: 'Edit', input: { new_string: 'a = 1' } }
  say('out', 1, { type: 'user', message: { role: 'user', content: 'Do it' } })
  say('in', 2, { type: 'system', subtype: 'init', cwd: '/p' })
  say('in', 3, { type: 'stream_event', event: { type: 'message_start' } })
  say('in', 4, { type: 'control_request', request_id: 'a', request: asked })
  say('out', 9, { type: 'control_response', response: { subtype: 'success', request_id: 'a', response: {} } })
  say('out', 10, { type: 'control_request', request_id: 'a', request: { subtype: 'interrupt' } })
  say('in', 12, { type: 'control_response', response: { subtype: 'error', request_id: 'a', error: 'No' } })
  expect(log.rows('one').rows.map(({ kind, name, ms }) => [kind, name, ms])).toEqual([
    ['notification', 'user', null],
    ['notification', 'system init', null],
    ['notification', 'stream_event message_start', null],
    ['request', 'can_use_tool Edit', null],
    ['answer', 'can_use_tool Edit', 5],
    ['request', 'interrupt', null],
    ['error', 'interrupt', 2],
  ])
  expect(log.text('one', 4)).not.toContain('a = 1')
})

test('the same id used by both sides is not confused', () => {
  const log = logOf()
  pass(log, 'in', { id: 1, method: 'ping' }, 1)
  pass(log, 'out', { id: 1, method: 'roots/list' }, 2)
  pass(log, 'in', { id: 1, result: {} }, 5)
  pass(log, 'out', { id: 1, result: {} }, 9)
  expect(log.rows('one').rows.map(({ name, ms }) => [name, ms])).toEqual([
    ['ping', null],
    ['roots/list', null],
    ['roots/list', 3],
    ['ping', 8],
  ])
})

test('what is kept stays within its limits, and the numbers stay right', () => {
  const limits = { frames: 20, characters: 2_000, allCharacters: 3_000 }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('one', 'two'), fc.nat(300)), { maxLength: 200 }),
      (frames) => {
        const log = logOf(limits)
        log.name({ id: 'two', agent: 'Gemini', version: null, dialect: 'gemini-companion', since: 2 })
        const sent = { one: 0, two: 0 }
        for (const [id, size] of frames) {
          const key = id as 'one' | 'two'
          sent[key] += 1
          pass(log, 'in', { method: `m${sent[key]}`, params: { fill: 'x'.repeat(size) } }, 1, key)
        }
        let characters = 0
        for (const key of ['one', 'two'] as const) {
          const { rows, forgotten } = log.rows(key)
          expect(rows.length).toBeLessThanOrEqual(limits.frames)
          expect(rows.length + forgotten).toBe(sent[key])
          expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => forgotten + index + 1))
          for (const { seq, name } of rows) {
            expect(name).toBe(`m${seq}`)
            expect(log.text(key, seq)).toContain(`"m${seq}"`)
          }
          expect(log.text(key, forgotten)).toBeNull()
          characters += rows.reduce((sum, { bytes }) => sum + bytes, 0)
        }
        expect(characters).toBeLessThanOrEqual(limits.allCharacters)
      },
    ),
  )
})

test('a connection that is over can be read until newer ones are over', () => {
  const log = logOf({ ended: 1 })
  pass(log, 'in', { method: 'ide_connected' })
  log.end('one', 5)
  expect(log.sources()).toMatchObject([{ id: 'one', ended: 5 }])
  expect(log.rows('one').rows).toHaveLength(1)
  log.name({ id: 'two', agent: 'Claude', version: '2', dialect: 'claude-ide', since: 6 })
  log.end('two', 7)
  expect(log.sources().map(({ id }) => id)).toEqual(['two'])
  expect(log.rows('one').rows).toEqual([])
})

test('a frame, a search and an export show no content and no secret', () => {
  const log = logOf({}, ['token-of-the-server'])
  pass(log, 'in', {
    id: 1,
    method: 'tools/call',
    params: {
      name: 'openDiff',
      arguments: { new_file_contents: 'const hidden = 1', tab_name: 'token-of-the-server' },
    },
  })
  pass(log, 'out', { method: 'at_mentioned', params: { filePath: '/p/seen.ts' } })
  expect(log.text('one', 1)).toContain('"characters": 16')
  expect(log.search('one', 'SEEN.ts')).toEqual([2])
  expect(log.search('one', 'SEEN.ts', 3)).toEqual([])
  expect(log.search('one', 'hidden')).toEqual([])
  const lines = (log.export('one') ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines).toMatchObject([
    { greenlightLog: 1, agent: 'Claude' },
    { seq: 1, direction: 'in', frame: { method: 'tools/call' } },
    { seq: 2, direction: 'out', frame: { method: 'at_mentioned' } },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/hidden|token-of/)
  expect(log.export('gone')).toBeNull()
})

test('of a large frame the beginning is read', () => {
  const log = logOf()
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'openDiff',
      arguments: { old_file_path: '/p/a', new_file_contents: 'secret '.repeat(9_000) },
    },
  })
  log.add('one', 'in', text.slice(0, 4096), text.length)
  expect(log.rows('one').rows).toMatchObject([{ name: 'tools/call openDiff', bytes: text.length }])
  expect(log.text('one', 1)).toContain('/p/a')
  expect(log.text('one', 1)).not.toContain('secret')
})

/** MB of the heap after collection. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

test('what is forgotten is let go, and of a text that was cut no more is kept than its beginning', () => {
  const log = logOf({ characters: 1024 * 1024 })
  const before = heap()
  for (let i = 0; i < 900; i += 1) {
    const text = `${i}`.padEnd(256 * 1024, 'x')
    log.add('one', 'in', text, text.length)
  }
  expect(heap() - before).toBeLessThan(16)
  for (let i = 0; i < 200; i += 1) {
    const text = `${i}`.padEnd(512 * 1024, 'x')
    log.add('one', 'out', text.slice(0, 4096), text.length)
  }
  expect(heap() - before).toBeLessThan(16)
  expect(log.rows('one').forgotten).toBeGreaterThan(800)
})
