import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RunningHost } from '../e2e/running-host'
import { expect } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { inOrder, say, use } from './messages-api'

const headless = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main', 'headless.js')

function start(claude: ClaudeInApp, ...words: readonly string[]): RunningHost {
  const args = [headless, 'run', '--data-dir', claude.dataFolder, ...words]
  const child = spawn(process.execPath, args, { cwd: claude.place.project, env: claude.place.env })
  child.stdin.end()
  return new RunningHost(child)
}

async function run(claude: ClaudeInApp, ...words: readonly string[]) {
  const { code, stdout, stderr } = await start(claude, ...words).ended
  return { code, stdout, stderr }
}

const messages = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; subtype?: string; session_id?: string })

const touch = (command: string) => use({ name: 'Bash', input: { command, description: 'Makes a file' } })

test('one turn: its text, its result, its messages untouched, and the session goes on', async ({
  claude,
}) => {
  claude.trustProject()
  claude.api.setScript((request) => say(request.everything.includes('melon') ? 'A melon.' : 'Nothing.'))
  const first = await run(claude, 'say melon', '--output', 'json')
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const result = JSON.parse(first.stdout) as { type: string; result: string; session_id: string }
  expect(result).toMatchObject({ type: 'result', subtype: 'success', result: 'A melon.' })
  expect(await run(claude, 'and now?', '--resume', result.session_id)).toEqual({
    ...{ code: 0, stdout: 'A melon.\n', stderr: '' },
  })
  const streamed = await run(claude, 'hello', '--output=stream-json', '--model', 'claude-test-1')
  const told = messages(streamed.stdout)
  expect(streamed.code).toBe(0)
  const kinds = new Set(told.map(({ type }) => type))
  for (const kind of ['system', 'stream_event', 'assistant', 'result']) expect(kinds).toContain(kind)
  expect([...kinds].filter((kind) => kind.startsWith('control_'))).toEqual([])
  expect(told.find(({ subtype }) => subtype === 'init')).toMatchObject({ model: 'claude-test-1' })
  expect(claude.pids).toEqual([])
})

test('what no rule allows is refused with 3; a rule allows it, and the model is told', async ({ claude }) => {
  claude.trustProject()
  claude.write('app.ts', 'one\n')
  const path = claude.path('app.ts')
  const bash = [touch('touch made.txt')]
  const edit = [readOf(path), editOf(path, 'one', 'two')]
  claude.api.setScript(
    tasks({ 'task-refused': bash, 'task-allowed': bash, 'task-kept': edit, 'task-edited': edit }),
  )
  const refused = await run(claude, 'do task-refused')
  expect(refused).toMatchObject({ code: 3, stdout: 'task-refused is done.\n' })
  expect(refused.stderr).toContain('Refused. Run a command: touch made.txt')
  expect((await claude.told('task-refused', 1)).results).toMatchObject([
    { isError: true, text: expect.stringContaining('nobody is there') },
  ])
  expect(claude.exists('made.txt')).toBe(false)
  expect(await run(claude, 'do task-allowed', '--allow', 'run:touch *')).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(claude.exists('made.txt')).toBe(true)

  expect(await run(claude, 'do task-kept')).toMatchObject({ code: 3 })
  expect(claude.read('app.ts')).toBe('one\n')
  expect(await run(claude, 'do task-edited', '--allow', 'edit:*.ts')).toMatchObject({ code: 0, stderr: '' })
  expect(claude.read('app.ts')).toBe('two\n')
})

test('where nobody can review, a mode that was asked for decides', async ({ claude }) => {
  claude.trustProject()
  const path = claude.path('new.txt')
  claude.api.setScript(tasks({ 'task-new': [writeOf(path, 'new\n')] }))
  expect(await run(claude, 'do task-new', '--permission-mode', 'acceptEdits')).toMatchObject({ code: 0 })
  expect(claude.read('new.txt')).toBe('new\n')
})

test('an error of the model is 1; Ctrl+C stops a turn that stands still, and nothing is left', async ({
  claude,
}) => {
  claude.trustProject()
  claude.api.setScript(() => ({ status: 400, error: 'invalid_request_error', message: 'No such thing.' }))
  const failed = await run(claude, 'hello')
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toContain('No such thing.')
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  claude.api.setScript(async () => {
    await held
    return say('late')
  })
  const running = start(claude, 'hello', '--output=stream-json')
  await expect.poll(() => running.stdout).toContain('"init"')
  const ended = await running.stop('SIGINT')
  expect(ended.code).toBe(1)
  expect(claude.pids).toEqual([])
  release()
})

test('hooks of a folder run only once it is trusted', async ({ claude }) => {
  const hook = { hooks: [{ type: 'command', command: `touch '${claude.path('hooked')}'` }] }
  claude.write('.claude/settings.json', JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }))
  claude.api.setScript(inOrder(say('hello')))
  const refused = await run(claude, 'hello')
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(claude.exists('hooked')).toBe(false)
  expect(claude.api.requests).toEqual([])
  claude.trustProject()
  expect(await run(claude, 'hello')).toMatchObject({ code: 0, stdout: 'hello\n' })
  expect(claude.exists('hooked')).toBe(true)
})

test('MCP servers that a folder above names run only once that one is trusted', async ({ claude }) => {
  const started = join(claude.place.root, 'started')
  const server = { command: '/bin/sh', args: ['-c', `touch '${started}'; exec cat`] }
  writeFileSync(join(claude.place.root, '.mcp.json'), JSON.stringify({ mcpServers: { above: server } }))
  claude.trustProject()
  const refused = await run(claude, 'hello')
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain(join(claude.place.root, '.mcp.json'))
  expect(existsSync(started)).toBe(false)
  claude.trust(claude.place.root)
  // The reason for all this: the command line starts it without a question.
  claude.api.setScript(async () => {
    await expect.poll(() => existsSync(started)).toBe(true)
    return say('It runs.')
  })
  expect(await run(claude, 'hello')).toMatchObject({ code: 0, stdout: 'It runs.\n' })
})

test('with the app open, a change is accepted in part in its window, and a command allowed there', async ({
  claude,
}) => {
  claude.trustProject()
  const before = 'one\ntwo\nthree\nfour\nfive\n'
  claude.write('app.ts', before)
  const path = claude.path('app.ts')
  const to = before.replace('one', 'ONE').replace('five', 'FIVE')
  claude.api.setScript(
    tasks({ 'task-part': [readOf(path), editOf(path, before, to), touch('touch made.txt')] }),
  )
  await claude.start()
  const running = start(claude, 'do task-part')
  const review = await claude.review('app.ts')
  await review.getByRole('button', { name: 'Accept change 1' }).click()
  await review.getByRole('button', { name: 'Reject change 2' }).click()
  await review.getByRole('button', { name: 'Accept file' }).click()
  const card = claude.page.getByRole('group', { name: /^Approval: / })
  const allow = card.getByRole('button', { name: 'Allow once' })
  await expect(card).toContainText('touch made.txt')
  await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
  await allow.click()
  expect(await running.ended).toMatchObject({ code: 0, stdout: 'task-part is done.\n' })
  expect(claude.read('app.ts')).toBe(before.replace('one', 'ONE'))
  expect(claude.exists('made.txt')).toBe(true)
})
