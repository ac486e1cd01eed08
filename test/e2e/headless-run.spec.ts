import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { putClaudeOnPath, trustFolders } from '../scripted-claude/on-path'
import { runningClaudes } from '../scripted-claude/scripted-claude'
import { type OpenApp, button, press, test as base, typeAfter } from './open-app'
import { RunningHost, root } from './running-host'

const headless = join(root, 'out', 'main', 'headless.js')
const errand = join(root, 'out', 'main', 'errand.js')

/** `greenlight run` with a scripted command line as Claude Code, in the project of an app. */
class Runs {
  readonly app: OpenApp
  readonly env: Record<string, string>
  readonly #running: ChildProcess[] = []

  constructor(app: OpenApp) {
    this.app = app
    this.env = putClaudeOnPath(app.place)
    trustFolders(app.place, [app.place.project])
  }

  start(words: readonly string[], { stdin = '', script = headless, cwd = this.app.place.project } = {}) {
    const child = spawn(process.execPath, [script, 'run', '--data-dir', this.app.place.data, ...words], {
      cwd,
      env: this.env,
    })
    this.#running.push(child)
    // A run that is refused reads nothing.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    return new RunningHost(child)
  }

  async run(...words: readonly string[]) {
    const { code, stdout, stderr } = await this.start(words).ended
    return { code, stdout, stderr }
  }

  /** The command lines that still run. */
  get left(): number[] {
    return runningClaudes(this.app.place.home)
  }

  dispose(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    for (const pid of this.left) process.kill(pid, 'SIGKILL')
  }
}

const test = base.extend<{ runs: Runs }>({
  runs: async ({ app }, use) => {
    const runs = new Runs(app)
    await use(runs)
    runs.dispose()
  },
})

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; result?: string })
const card = (page: Page) => page.getByRole('group', { name: /^Approval: / })

test('one turn without an app: its text, its result, or its messages; nothing is left of it', async ({
  app,
  runs,
}) => {
  expect(await runs.run('hello there')).toEqual({ code: 0, stdout: 'hello there\n', stderr: '' })
  const json = await runs.run('hello', '--output', 'json', '--resume', '22222222-2222-4333-8444-555555555555')
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ type: 'result', result: 'hello', session_id: '22222222-2222-4333-8444-555555555555' },
  })
  const piped = await runs.start(['--output=stream-json', '--model', 'm1'], { stdin: 'from stdin\n' }).ended
  const told = lines(piped.stdout)
  expect(told.map(({ type }) => type)).toEqual(['system', 'assistant', 'result'])
  expect(told[0]).toMatchObject({ model: 'm1', cwd: app.place.project })
  expect(runs.left).toEqual([])
  expect(readdirSync(app.place.data).filter((name) => /^(lock|hand-over)/.test(name))).toEqual([])
  // No window was open, so none is opened again, and no agent finds a server.
  expect(existsSync(join(app.place.home, '.claude', 'ide'))).toBe(false)
})

test('what no rule allows is refused, and the exit code says so; --allow takes the app’s rules', async ({
  app,
  runs,
}) => {
  const refused = await runs.run('bash rm -rf x')
  expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('nobody is there') })
  expect(refused.stderr).toMatch(/^greenlight: Refused\. Run a command: rm -rf x — no rule allows it/)
  expect(await runs.run('bash npm test -- a', '--allow', 'run:npm test*')).toMatchObject({
    ...{ code: 0, stdout: 'ran npm test -- a\n', stderr: '' },
  })
  expect(await runs.run('bash npm test; x', '--allow', 'run:npm test*')).toMatchObject({ code: 3 })
  const file = app.path('new.txt')
  expect(await runs.run(`write ${file} text`)).toMatchObject({ code: 3 })
  expect(existsSync(file)).toBe(false)
  expect(await runs.run(`write ${file} text`, '--allow', 'edit:*.txt')).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toBe('text\n')
  // Where nobody can be asked, a mode that was asked for decides.
  expect(await runs.run(`write ${file} more`, '--permission-mode', 'acceptEdits')).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toBe('more\n')
  const recorded = await app.place.run(['record', file, '--json', '--data-dir', app.place.data])
  const writes = recorded.stdout.trim().split('\n')
  expect(writes.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { how: 'unasked', by: { kind: 'mode', mode: 'acceptEdits' } },
    { how: 'let-through', by: { kind: 'rule', pattern: '*.txt' }, dialect: 'claude-sdk', turn: 'prompt-1' },
  ])
})

test('errors are 1, usage is 2, a folder that is not trusted is 3', async ({ app, runs }) => {
  expect(await runs.run('fail Overloaded')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'greenlight: Overloaded\n',
  })
  const died = await runs.run('die 7')
  expect(died).toMatchObject({ code: 1, stdout: '' })
  expect(died.stderr).toContain('these are my last words')
  for (const words of [['--frob'], ['x', '--permission-mode', 'never'], ['x', '--resume', 'last'], ['']]) {
    expect(await runs.run(...words)).toMatchObject({ code: 2, stdout: '' })
  }
  expect(await runs.run('x', '--folder', join(app.place.base, 'none'))).toMatchObject({ code: 2 })
  trustFolders(app.place, [])
  const untrusted = await runs.run('hello')
  expect(untrusted).toMatchObject({ code: 3, stdout: '' })
  expect(untrusted.stderr).toContain('isn’t trusted')
  expect(runs.left).toEqual([])
})

test(
  'Ctrl+C stops the turn, also one that hears nothing; a reader that goes away does too',
  { tag: '@long' },
  async ({ runs }) => {
    for (const prompt of ['wait', 'deaf']) {
      const running = runs.start([prompt, '--output=stream-json'])
      await expect.poll(() => running.stdout).toContain('waiting')
      running.process.kill('SIGINT')
      expect(await running.ended).toMatchObject({ code: 1 })
      expect(runs.left).toEqual([])
    }
    const flooding = runs.start(['flood 400', '--output=stream-json'])
    // At once: on a quiet machine all of it is read in a moment.
    flooding.process.stdout?.once('data', () => flooding.process.stdout?.destroy())
    expect(await flooding.ended).toMatchObject({ code: 1 })
    expect(runs.left).toEqual([])
  },
)

test('runs at the same time share the directory', { tag: '@long' }, async ({ runs }) => {
  const first = runs.start(['wait', '--output=stream-json'])
  await expect.poll(() => first.stdout).toContain('waiting')
  expect(await runs.run('hello')).toEqual({ code: 0, stdout: 'hello\n', stderr: '' })
  // A window can't be opened meanwhile, which is said.
  const opened = await runs.app.place.run(['--headless', '--data-dir', runs.app.place.data])
  expect(opened).toMatchObject({ code: 2, stderr: expect.stringContaining('greenlight run is answering') })
  const second = runs.start(['wait', '--output=stream-json'])
  await expect.poll(() => second.stdout).toContain('waiting')
  first.process.kill('SIGINT')
  await expect.poll(() => first.stderr).toContain('Another greenlight run')
  second.process.kill('SIGINT')
  expect((await second.ended).code).toBe(1)
  expect((await first.ended).code).toBe(1)
  expect(runs.left).toEqual([])
})

test('with the app open, its window is asked: a command, a change, a part of a change', async ({
  app,
  runs,
}) => {
  await app.start()
  const { page } = app
  const commanded = runs.start(['bash make', '--output', 'text'], { script: errand })
  await expect(card(page)).toContainText('make')
  await expect.poll(() => commanded.stderr).toContain('Waiting for you in Greenlight. Run a command: make')
  await expect(button(card(page), 'Allow once')).not.toHaveAttribute('aria-disabled', 'true')
  await button(card(page), 'Allow once').click()
  expect(await commanded.ended).toMatchObject({ code: 0, stdout: 'ran make\n' })

  const denied = runs.start(['bash make all'])
  await expect(card(page)).toContainText('make all')
  await expect(button(card(page), 'Deny')).not.toHaveAttribute('aria-disabled', 'true')
  await button(card(page), 'Deny').click()
  expect(await denied.ended).toMatchObject({ code: 3 })

  const file = app.write('list.txt', 'one\n')
  const written = runs.start([`write ${file} two`, '--permission-mode', 'acceptEdits'])
  await typeAfter(page, 'two', ' and a half')
  await press(page, 'Accept file')
  expect(await written.ended).toMatchObject({ code: 0, stdout: 'wrote two and a half\n' })
  expect(app.read('list.txt')).toBe('two and a half\n')

  const rejected = runs.start([`write ${file} three`])
  await press(page, 'Reject file')
  expect(await rejected.ended).toMatchObject({ code: 3 })
  expect(app.read('list.txt')).toBe('two and a half\n')
  // A rule decides without asking, also here.
  expect(await runs.run(`write ${file} four`, '--allow', 'edit:list.txt')).toMatchObject({ code: 0 })
  expect(app.read('list.txt')).toBe('four\n')
})

test(
  'through the app a flood comes whole and in order; Ctrl+C and a killed client stop the turn; without a page nobody is asked',
  { tag: '@long' },
  async ({ app, runs }) => {
    await app.start()
    const flooded = await runs.start(['flood 60', '--output=stream-json']).ended
    const told = lines(flooded.stdout)
    expect(told.filter(({ type }) => type === 'assistant')).toHaveLength(60)
    expect(told.at(-1)).toMatchObject({ type: 'result', result: 'flooded' })

    const stopped = runs.start(['wait', '--output=stream-json'])
    await expect.poll(() => stopped.stdout).toContain('waiting')
    stopped.process.kill('SIGINT')
    expect(await stopped.ended).toMatchObject({ code: 1 })
    expect(runs.left).toEqual([])

    const asking = runs.start(['bash make'])
    await expect(card(app.page)).toContainText('make')
    expect(runs.left).toHaveLength(1)
    asking.process.kill('SIGKILL')
    await expect(card(app.page)).toContainText('Withdrawn')
    await expect.poll(() => runs.left).toEqual([])

    await app.page.close()
    expect(await runs.run('bash make')).toMatchObject({ code: 3 })
    const cut = runs.start(['wait', '--output=stream-json'])
    await expect.poll(() => cut.stdout).toContain('waiting')
    await app.stop()
    expect(await cut.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Greenlight ended') })
    expect(runs.left).toEqual([])
  },
)
