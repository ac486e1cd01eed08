import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openWindowOn, startPlainApp } from '../../../../test/plain-app'
import { putOnPath } from '../../../../test/program-on-path'
import { runningClaudes, scriptedClaude } from '../../../../test/scripted-claude/scripted-claude'
import { objectOf, parseJson } from '../../../shared/json'
import { AgentProcess } from '../../core/agent-processes/agent-process'
import type { App } from '../app'
import type { WindowHost } from '../window-host'

/** Turns with a program that does what the real command line doesn’t (test/scripted-claude). */

let home: string
let app: App
let window: WindowHost

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-turn-')))
  const project = join(home, 'project')
  await mkdir(project)
  putOnPath(join(home, 'bin'), 'claude', scriptedClaude)
  app = await startPlainApp(home, {
    env: { PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: home, SHELL: '/bin/sh' },
  })
  window = await openWindowOn(app, project)
  await window.parts.trust.answer(project, true)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

async function run(prompt: string, signal = new AbortController().signal) {
  const { approvals, desk } = window.parts
  const results: unknown[] = []
  const end = await window.runTurn?.(
    { prompt, folder: join(home, 'project'), model: null, permissionMode: null, resume: null },
    {
      ...{ approvals, desk, isWatched: false, signal },
      rules: { of: () => Promise.resolve(null) },
      message: (line) => {
        const message = objectOf(parseJson(line))
        if (message?.['type'] === 'result') results.push(message['result'])
      },
      say: () => undefined,
      refused: () => undefined,
    },
  )
  return { end, results }
}

test('sub-agents in the background end their work, and what came of it is the end', async () => {
  const { end, results } = await run('background')
  expect(end).toMatchObject({ ok: true, value: { text: 'found it', isError: false } })
  expect(results).toEqual(['background', 'found it'])
  expect(runningClaudes(home)).toEqual([])
})

test('a command in the background is not waited for: it may never end', async () => {
  expect((await run('shell')).end).toMatchObject({ ok: true, value: { text: 'shell' } })
})

test('a stop while it is being started stops it, too', async () => {
  const controller = new AbortController()
  const { start } = AgentProcess.prototype
  vi.spyOn(AgentProcess.prototype, 'start').mockImplementation(function (this: AgentProcess) {
    controller.abort()
    return start.call(this)
  })
  const { end } = await run('hello', controller.signal)
  expect(end).toMatchObject({ ok: false, failure: { code: 'stopped' } })
  expect(runningClaudes(home)).toEqual([])
})
