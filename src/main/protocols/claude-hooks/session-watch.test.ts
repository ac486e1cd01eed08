import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CallOf, type HookCall, readHook } from './hook-wire'
import { SessionWatch } from './session-watch'

const recorded = readFileSync(
  join(import.meta.dirname, '../../../../test/recorded/claude-hooks/2.1.330.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => read(JSON.parse(line)))

function read(body: unknown): HookCall {
  const call = readHook(body)
  if (!call.ok) throw new Error(call.failure.message)
  return call.value
}

let now: number
let isWaiting: boolean
let watch: SessionWatch

beforeEach(() => {
  now = 1_000_000
  isWaiting = false
  watch = new SessionWatch(
    () => isWaiting,
    () => now,
  )
})

const body = (hook_event_name: string, more: object = {}): HookCall =>
  read({ session_id: 's', cwd: '/p', hook_event_name, tool_response: null, ...more })
const prompt = (id = 'p') => body('UserPromptSubmit', { prompt: 'go', prompt_id: id })
const tool = (event: string, id: string, more: object = {}) =>
  body(event, {
    ...{ tool_name: 'Bash', tool_input: { command: `echo ${id}` }, tool_use_id: id },
    ...more,
  })
const begins = (id: string, more?: object) => tool('PreToolUse', id, more)
const ends = (id: string, more?: object) => tool('PostToolUse', id, more)
const asks = (id: string, more?: object) => tool('PermissionRequest', id, more) as CallOf<'PermissionRequest'>
const inSub = { agent_id: 'a', agent_type: 'general-purpose' }
const tell = (...calls: readonly HookCall[]) => {
  for (const call of calls) watch.heard(call, { terminal: 't', parent: null })
}
const runs = () => [...(watch.of('s')?.toolRuns.keys() ?? [])]
const isAtWork = () => watch.workOf('s')?.at === now

describe('a session', () => {
  test('has a turn from its prompt to its stop, and the mode that it named last', () => {
    expect(watch.of('s')).toBeNull()
    tell(body('UserPromptSubmit', { prompt: 'go', prompt_id: 'p', permission_mode: 'plan' }))
    expect(watch.of('s')).toMatchObject({ turn: 'p', mode: 'plan', terminal: 't' })
    tell(begins('1', { permission_mode: 'acceptEdits' }), body('SubagentStart', inSub))
    expect(watch.of('s')).toMatchObject({ turn: 'p', mode: 'acceptEdits' })
    tell(body('Stop', { background_tasks: [] }))
    expect(watch.of('s')).toMatchObject({ turn: null, mode: 'acceptEdits' })
    tell(prompt('q'), body('StopFailure'))
    expect(watch.of('s')).toMatchObject({ turn: null })
    tell(prompt('r'), body('SessionEnd', { reason: 'clear' }))
    expect(watch.of('s')).toBeNull()
  })

  test('has sub-agents until they stop, or no stop names them any more', () => {
    tell(prompt(), body('SubagentStart', inSub), body('SubagentStart', { ...inSub, agent_id: 'b' }))
    tell(begins('1', inSub), begins('2', { ...inSub, agent_id: 'b' }))
    const task = (id: string) => ({ id, type: 'subagent', status: 'running' })
    tell(body('Stop', { background_tasks: [task('a'), task('b')] }))
    expect([...(watch.of('s')?.agents.keys() ?? [])]).toEqual(['a', 'b'])
    expect(runs()).toEqual(['1', '2'])
    // What sums a conversation up is no sub-agent.
    tell(body('SubagentStop', { agent_id: 'c', agent_type: '' }))
    tell(body('SubagentStop', { ...inSub, background_tasks: [task('a')] }))
    expect(runs()).toEqual(['2'])
    tell(body('Stop', { background_tasks: [] }))
    expect(watch.of('s')).toMatchObject({ agents: new Map(), toolRuns: new Map() })
  })

  test('as recorded has been through a sub-agent’s turn', () => {
    tell(...recorded)
    const last = watch.of('00000000-0000-4000-8000-000000000011')
    expect(last?.mode).toBe('acceptEdits')
    expect(last?.agents.has('a0000000000000013')).toBe(false)
    // It was ended.
    expect(watch.of('00000000-0000-4000-8000-000000000001')).toBeNull()
    expect(watch.of('00000000-0000-4000-8000-000000000005')?.toolRuns).toEqual(new Map())
  })
})

describe('what it works at', () => {
  test('is what runs until it is over, and not what it thinks', () => {
    expect(watch.workOf('s')).toBeNull()
    tell(prompt())
    const began = now
    now += 60_000
    expect(watch.workOf('s')).toEqual({ at: began, command: null })
    tell(begins('1', { tool_input: { command: '\nsed -i s/a/b/ x\necho done' } }))
    now += 60_000
    expect(watch.workOf('s')).toEqual({ at: now, command: 'sed -i s/a/b/ x' })
    tell(begins('2'))
    expect(watch.workOf('s')).toEqual({ at: now, command: null })
    tell(ends('1'), tool('PostToolUseFailure', '2'))
    const over = now
    now += 60_000
    expect(watch.workOf('s')).toEqual({ at: over, command: null })
  })

  test('is named by its command for a moment longer, if it was the only one', () => {
    tell(prompt(), begins('1'), ends('1'))
    now += 1000
    expect(watch.workOf('s')).toEqual({ at: now - 1000, command: 'echo 1' })
    now += 1
    expect(watch.workOf('s')?.command).toBeNull()
    tell(begins('2'), begins('3'), ends('2'))
    expect(watch.workOf('s')?.command).toBe('echo 3')
    tell(begins('4'), ends('3'), ends('4'), ends('5'))
    expect(watch.workOf('s')?.command).toBeNull()
    tell(begins('6'), ends('6'), body('Stop'))
    expect(watch.workOf('s')?.command).toBeNull()
  })

  test('is no change of a file by its own tool, which is asked about, but what may follow it', () => {
    tell(prompt())
    now += 60_000
    tell(begins('1', { tool_name: 'Write', tool_input: { file_path: '/p/a', content: 'x' } }))
    expect(isAtWork()).toBe(false)
    tell(ends('1', { tool_name: 'Write' }))
    expect(isAtWork()).toBe(true)
  })

  test('is nothing that its terminal still asks about', () => {
    tell(prompt(), begins('1'))
    now += 60_000
    expect(watch.asks(asks('1'))).toBe('1')
    expect(isAtWork()).toBe(true)
    isWaiting = true
    expect(isAtWork()).toBe(false)
    tell(begins('2', inSub))
    expect(isAtWork()).toBe(true)
    tell(ends('2', inSub))
    now += 60_000
    expect(isAtWork()).toBe(false)
    watch.allowed('s', '1')
    expect(isAtWork()).toBe(true)
  })

  test('goes on in the background until a stop no longer names it', () => {
    const input = { tool_input: { command: 'npm run dev', run_in_background: true } }
    tell(prompt(), begins('1', input), ends('1', input))
    now += 60_000
    expect(watch.workOf('s')).toEqual({ at: now, command: null })
    tell(body('Stop', { background_tasks: [{ id: 'x', type: 'shell', status: 'running' }] }))
    now += 60_000
    expect(isAtWork()).toBe(true)
    tell(body('Stop', { background_tasks: [{ id: 'x', type: 'shell', status: 'completed' }] }))
    now += 60_000
    expect(isAtWork()).toBe(false)
  })

  test('is over with the next prompt where Esc has ended it, and where its note says so', () => {
    tell(prompt(), begins('1'), prompt('q'))
    expect(runs()).toEqual([])
    tell(begins('2'))
    watch.rests('s')
    expect(watch.of('s')).toMatchObject({ turn: null, toolRuns: new Map() })
  })

  test('isn’t known from a doubt until it is heard again', () => {
    tell(prompt())
    now += 20
    watch.turnShown('s')
    expect(watch.workOf('s')).not.toBeNull()
    now += 60_000
    watch.turnShown('s')
    expect(watch.workOf('s')).toBeNull()
    tell(begins('1'))
    expect(watch.workOf('s')).not.toBeNull()
    tell(body('ConfigChange'))
    expect(watch.workOf('s')).toBeNull()
    watch.forget('s')
    expect(watch.of('s')).toBeNull()
  })
})

describe('a question', () => {
  test('is about the oldest equal call of its agent that wasn’t asked about', () => {
    const same = { tool_input: { command: 'make', description: 'd' } }
    tell(prompt(), begins('1', same), begins('2', same), begins('3', { ...same, ...inSub }), begins('4'))
    const turned = asks('x', { tool_input: { description: 'd', command: 'make' } })
    expect(watch.asks(turned)).toBe('1')
    expect(watch.asks(turned)).toBe('2')
    expect(watch.asks(asks('x', { ...same, ...inSub }))).toBe('3')
    expect(watch.asks(asks('x', { tool_name: 'WebFetch' }))).toBeNull()
    expect(watch.asks({ ...turned, session_id: 'other' })).toBeNull()
    tell(ends('1', same), ends('4'), ends('1', same))
    expect(['1', '4', '9'].map((id) => watch.wasAsked('s', id))).toEqual([true, false, false])
  })
})

/** The events of a turn of several agents and calls. */
const turn: readonly HookCall[] = [
  prompt(),
  body('SubagentStart', inSub),
  ...['1', '2', '3'].flatMap((id) => [begins(id), ends(id)]),
  ...['4', '5'].flatMap((id) => [begins(id, inSub), ends(id, inSub)]),
  body('SubagentStop', inSub),
  body('ConfigChange'),
  tool('PermissionDenied', '6'),
  begins('6'),
]

describe('in any order', () => {
  test('what has ended never runs, and nobody has worked later than now or goes back in time', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...turn]), (calls) => {
        watch = new SessionWatch(
          () => false,
          () => now,
        )
        const over = new Set<string | undefined>()
        let last = 0
        for (const call of calls) {
          now += 10
          tell(call)
          if (call.hook_event_name !== 'PreToolUse' && 'tool_use_id' in call)
            over.add(String(call.tool_use_id))
          for (const run of runs()) expect(over).not.toContain(run)
          const work = watch.workOf('s')
          expect(work === null).toBe(call.hook_event_name === 'ConfigChange')
          if (work === null) continue
          expect(work.at).toBeLessThanOrEqual(now)
          expect(work.at).toBeGreaterThanOrEqual(last)
          last = work.at
        }
      }),
    )
  })

  test('nothing of a turn is left behind it', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...turn]), (calls) => {
        watch = new SessionWatch(
          () => false,
          () => now,
        )
        tell(...calls, body('Stop', { background_tasks: [] }))
        expect(watch.of('s')).toMatchObject({ turn: null, agents: new Map(), background: 0 })
        expect(runs()).toEqual([])
        now += 60_000
        expect(isAtWork()).toBe(false)
        tell(...calls, body('SessionEnd'))
        expect(watch.all).toEqual([])
      }),
    )
  })

  test('as many sessions as may come are kept within bounds', () => {
    for (let n = 0; n < 500; n++) tell({ ...prompt(), session_id: `s${n}` })
    expect(watch.all.length).toBe(200)
    expect(watch.of('s499')).not.toBeNull()
    for (let n = 0; n < 1000; n++) tell({ ...begins(`${n}`), session_id: 's499' } as HookCall)
    expect(watch.of('s499')?.toolRuns.size).toBe(500)
  })
})
