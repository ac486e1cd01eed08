import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { App } from '../../src/main/app/app'
import { sessionOfTab } from '../../src/main/app/page/session-handlers'
import type { WindowHost } from '../../src/main/app/window-host'
import { untilApproval } from '../plain-approvals'
import { logTo, openWindowOn, readyOf, startPlainApp } from '../plain-app'
import { untilDesk } from '../plain-desk'
import { Talk } from '../talk'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { firstUnlessLong } from './claude-talk'
import { installSdkUrlClaude } from './install-cli'
import { type MessagesApi, type Reply, say, startMessagesApi, use } from './messages-api'

/** The last Claude Code but some that takes any `--sdk-url`, beside the app. */
class SdkUrlRig {
  readonly faults: unknown[] = []
  app!: App
  window!: WindowHost
  #process: ChildProcess | null = null

  constructor(
    readonly api: MessagesApi,
    readonly place: ClaudeHome,
    readonly program: string,
  ) {}

  static async start(...replies: readonly Reply[]): Promise<SdkUrlRig | null> {
    const cli = await installSdkUrlClaude()
    if ('skipped' in cli) return null
    const api = await startMessagesApi((request) =>
      request.main ? (replies[request.turn] ?? say('ok')) : say('ok'),
    )
    const rig = new SdkUrlRig(api, await makeClaudeHome(api.url), cli.path)
    await rig.open()
    return rig
  }

  async open(): Promise<void> {
    const { root, project, env } = this.place
    this.app = await startPlainApp(root, { log: logTo(this.faults), env: { ...env, SHELL: '/bin/sh' } })
    this.window = await openWindowOn(this.app, project)
  }

  path(name: string): string {
    return join(this.place.project, name)
  }

  /** Starts the command line as a person does, and gives the conversation that comes of it. */
  async connect(...args: readonly string[]): Promise<Talk> {
    const file = readyOf(this.window).sdk?.tokenFile ?? ''
    const came = this.conversation()
    const child = spawn(
      process.execPath,
      [this.program, '--sdk-url', readFileSync(file, 'utf8').trim(), ...args],
      {
        cwd: this.place.project,
        env: this.place.env,
        stdio: 'ignore',
      },
    )
    this.#process = child
    return came
  }

  /** The window's conversation, once there is one. */
  conversation(): Promise<Talk> {
    const { tabs } = this.window
    return new Promise((resolve) => {
      const look = () => {
        const { session } = this.tab ?? {}
        if (session === undefined) return
        listening.dispose()
        resolve(Talk.of(this.window, session))
      }
      const listening = tabs.on(() => queueMicrotask(look))
      look()
    })
  }

  get tab(): { id: string; session: string } | undefined {
    for (const tab of this.window.tabs.state.tabs) {
      const session = tab.kind === 'other' ? sessionOfTab(tab.name) : null
      if (session !== null) return { id: tab.id, session }
    }
    return undefined
  }

  async ended(): Promise<number | null> {
    const child = this.#process
    if (!child || child.exitCode !== null) return child?.exitCode ?? null
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }

  async answer(option: string, reason: string | null = null): Promise<void> {
    const { approvals } = this.window.parts
    const { id } = await untilApproval(approvals)
    await approvals.answer(id, { option, values: {}, reason })
  }

  async dispose(): Promise<void> {
    this.#process?.kill('SIGKILL')
    await this.app.shutdown()
    await this.api.close()
    await this.place.remove()
  }
}

let rig: SdkUrlRig | null = null
afterEach(async () => {
  await rig?.dispose()
  rig = null
})

const bash = (command: string) => use({ name: 'Bash', input: { command, description: 'A command' } })

test('a turn, with a command that is allowed and one that is denied with a reason', async () => {
  rig = await SdkUrlRig.start(bash('touch made.txt'), bash('touch never.txt'), say('done'))
  if (!rig) return
  const talk = await rig.connect()
  await talk.until('its commands', ({ state }) => (state?.commands.length ?? 0) > 0)
  await talk.send('Make a file')
  await rig.answer('allow')
  await rig.answer('deny', 'one is enough')
  await talk.until('the last word', ({ said }) => said.includes('reply: done'))
  await talk.rests()
  expect([existsSync(rig.path('made.txt')), existsSync(rig.path('never.txt'))]).toEqual([true, false])
  expect(rig.api.requests.at(-1)?.results[0]).toMatchObject({ isError: true })
  expect(rig.api.requests.at(-1)?.latest).toContain('one is enough')
  expect(talk.state).toMatchObject({ folder: rig.place.project, title: 'Claude in project' })
  expect(talk.calls.map(({ name, state }) => `${name} ${state}`)).toEqual(['Bash done', 'Bash failed'])
  expect(rig.window.connections.list()).toMatchObject([{ agent: 'Claude', version: '2.1.39' }])
  expect(rig.faults).toEqual([])
})

const modes = firstUnlessLong(['acceptEdits', 'default'])
test.each(modes)('a change that is kept in part, in mode %s', async (mode) => {
  rig = await SdkUrlRig.start()
  if (!rig) return
  const path = rig.path('app.txt')
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
  writeFileSync(path, before)
  const replies = [
    use({ name: 'Read', input: { file_path: path } }),
    use({
      name: 'Edit',
      input: {
        ...{ file_path: path, old_string: 'two\nthree\nfour\nfive\nsix' },
        new_string: 'TWO\nthree\nfour\nfive\nSIX',
      },
    }),
    say('done'),
  ]
  rig.api.setScript((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok')))
  const talk = await rig.connect('--permission-mode', mode)
  await talk.send('Change it')
  const { desk } = rig.window.parts
  const { id } = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
  desk.step(id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 2 }] })
  desk.accept(id, desk.summary(id)?.revision ?? -1)
  await talk.until('the last word', ({ said }) => said.includes('reply: done'))
  expect(readFileSync(path, 'utf8')).toBe(before.replace('two', 'TWO'))
  expect(rig.faults).toEqual([])
})

test('is interrupted and goes on; its end is told', async () => {
  rig = await SdkUrlRig.start({ blocks: [{ type: 'text', text: endlessly() }] }, say('after'))
  if (!rig) return
  const talk = await rig.connect('--include-partial-messages')
  await talk.send('Talk')
  await talk.until('some words', ({ said }) => /reply: .*word9/.test(said.at(-1) ?? ''))
  await talk.page.call('conversation.stop', { id: talk.id })
  await talk.rests()
  await talk.send('Go on')
  await talk.until('the answer', ({ said }) => said.includes('reply: after'))
  await talk.rests(2)
  rig.window.tabs.close(rig.tab?.id ?? '')
  expect(await rig.ended()).toBe(1)
  expect(rig.faults).toEqual([])
})

test('comes back after the app has ended while it asked, and asks again', async () => {
  rig = await SdkUrlRig.start(bash('touch made.txt'), say('done'))
  if (!rig) return
  const first = await rig.connect()
  await first.send('Make a file')
  await untilApproval(rig.window.parts.approvals)
  await rig.app.shutdown()
  await rig.open()
  const again = await rig.conversation()
  await rig.answer('allow')
  await again.until('the last word', ({ said }) => said.includes('reply: done'))
  expect(existsSync(rig.path('made.txt'))).toBe(true)
})

test('comes back into its tab when the server does, with what it said meanwhile', async () => {
  const [asked, goOn] = [new EventEmitter(), new EventEmitter()]
  const isAsked = once(asked, 'now')
  rig = await SdkUrlRig.start()
  if (!rig) return
  rig.api.setScript(async ({ main, turn }) => {
    if (main && turn === 1) {
      asked.emit('now')
      await once(goOn, 'now')
    }
    return say(main ? `answer ${turn}` : 'ok')
  })
  const talk = await rig.connect()
  await talk.send('First')
  await talk.rests()
  await talk.send('Second')
  await isAsked
  const server = (on: boolean) => talk.page.call('connections.setServer', { dialect: 'claude-sdk', on })
  const { window } = rig
  const address = () => readyOf(window).sdk?.url
  const before = address()
  await server(false)
  await talk.until('its end', ({ state }) => state?.process.phase === 'ended')
  goOn.emit('now')
  const { session } = talk.state ?? {}
  const projects = join(rig.place.config, 'projects')
  // The first line of a session makes the folder.
  const record = () =>
    (existsSync(projects) ? readdirSync(projects, { recursive: true, encoding: 'utf8' }) : [])
      .filter((name) => name.endsWith(`${session}.jsonl`))
      .map((name) => readFileSync(join(projects, name), 'utf8'))
      .join('')
  await vi.waitUntil(() => record().includes('answer 1'), { timeout: 30_000 })
  await server(true)
  // The command line comes back to this address alone, and into this tab.
  expect(address()).toBe(before)
  const running = talk.until('its return', ({ state }) => state?.process.phase === 'running')
  await running.finally(() => expect(window.tabs.state.tabs).toHaveLength(1))
  const said = () => talk.said.filter((one) => /^(prompt|reply)/.test(one))
  await talk.until('what was missed', () => said().length >= 4)
  await talk.send('Third')
  await talk.until('the answer', () => said().includes('reply: answer 2'))
  await talk.rests(2)
  expect(said()).toEqual([
    ...['prompt: First', 'reply: answer 0', 'prompt: Second', 'reply: answer 1'],
    ...['prompt: Third', 'reply: answer 2'],
  ])
  expect(window.tabs.state.tabs).toHaveLength(1)
  expect(rig.faults).toEqual([])
})

async function* endlessly(): AsyncGenerator<string> {
  for (let count = 0; ; count++) {
    yield `word${count} `
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('comes back after the app has ended during a review, and is stopped', async () => {
  rig = await SdkUrlRig.start()
  if (!rig) return
  const path = rig.path('app.txt')
  writeFileSync(path, 'one\n')
  const replies = [
    use({ name: 'Read', input: { file_path: path } }),
    use({ name: 'Edit', input: { file_path: path, old_string: 'one', new_string: 'ONE' } }),
    say('done'),
  ]
  rig.api.setScript((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok')))
  const first = await rig.connect('--permission-mode', 'acceptEdits')
  await first.send('Change it')
  const { desk } = rig.window.parts
  await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
  await rig.app.shutdown()
  await rig.open()
  const again = await rig.conversation()
  await again.until('a word of it', ({ said }) => said.some((one) => one.includes('was connected before')))
  await again.send('Never mind')
  await again.page.call('conversation.stop', { id: again.id })
  await again.until('an answer', ({ said }) => said.includes('reply: done'))
  expect(readFileSync(path, 'utf8')).toBe('one\n')
})
