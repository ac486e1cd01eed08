import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { untilApproval } from '../../../../test/plain-approvals'
import { openWindowOn, pageOf, readyOf, startPlainApp } from '../../../../test/plain-app'
import { untilDesk } from '../../../../test/plain-desk'
import { SdkUrlClient } from '../../../../test/sdk-url-client'
import { Talk } from '../../../../test/talk'
import type { App } from '../app'
import { sessionOfTab } from '../page/session-handlers'
import type { WindowHost } from '../window-host'

let home: string
let app: App
let window: WindowHost
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-sdk-url-')))
  app = await startPlainApp(home)
  window = await openWindowOn(app, home)
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

const address = () => readFileSync(readyOf(window).sdk?.tokenFile ?? '', 'utf8').trim()
const tabs = () =>
  window.tabs.state.tabs.flatMap((tab) => {
    const session = tab.kind === 'other' ? sessionOfTab(tab.name) : null
    return session === null ? [] : [{ tab: tab.id, session }]
  })

/** A program that has connected, and its conversation as a page has it. `before`: itself before it was cut off. */
async function connect(before?: SdkUrlClient) {
  const client = new SdkUrlClient(address(), home, before)
  await client.opened
  // What it is asked first, which it does not know.
  await client.next('control_request')
  const { tab, session } = tabs().at(-1) ?? { tab: '', session: '' }
  return { client, tab, talk: Talk.of(window, session) }
}

async function answer(option: string, reason: string | null = null): Promise<void> {
  const { approvals } = window.parts
  const { id } = await untilApproval(approvals)
  await approvals.answer(id, { option, values: {}, reason })
}

describe('a program that knows no more than the protocol’s first public description', () => {
  test('has a conversation: text, progress, a tool that is allowed and one that is denied', async () => {
    const { client, talk } = await connect()
    await talk.send('Please review this code')
    expect(await client.prompt()).toBe('Please review this code')
    client.progressWord()
    const bash = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls -la' } }
    client.assistant({ type: 'text', text: 'I look.' }, bash)
    client.toolProgress('t1')
    const allowed = client.ask('Bash', { command: 'ls -la' })
    expect((await untilApproval(window.parts.approvals)).question).toMatchObject({
      kind: 'run',
      subject: 'ls -la',
      folder: home,
    })
    await answer('allow')
    expect(await allowed).toMatchObject({ subtype: 'can_use_tool_result', result: { behavior: 'allow' } })
    const denied = client.ask('Bash', { command: 'rm -rf /' })
    await answer('deny', 'Never do this.')
    const { result } = (await denied) ?? {}
    expect(result?.behavior).toBe('deny')
    expect(result?.message).toContain('Never do this.')
    client.result('Done.')
    await talk.rests()
    await talk.until('the reply', ({ said }) => said.includes('reply: I look.'))
    expect(talk.said).toEqual(['prompt: Please review this code', 'reply: I look.'])
    expect(talk.state).toMatchObject({ folder: home, session: client.session, costUSD: 0.06 })
    expect(window.connections.list()).toMatchObject([{ agent: 'Claude', version: '2.1.39' }])
    expect(client.got.filter(({ type }) => type === 'control_request')).toHaveLength(1)
  })

  test('has its changes reviewed, and gets what was kept', async () => {
    const path = join(home, 'app.txt')
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
    writeFileSync(path, before)
    const { client, talk } = await connect()
    await talk.send('Change it')
    await client.prompt()
    const input = {
      file_path: path,
      old_string: 'two\nthree\nfour\nfive\nsix',
      new_string: 'TWO\nthree\nfour\nfive\nSIX',
    }
    const told = client.ask('Edit', input)
    const { desk } = window.parts
    const { id } = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
    desk.step(id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 2 }] })
    desk.accept(id, desk.summary(id)?.revision ?? -1)
    const { subtype, result } = (await told) ?? {}
    expect([subtype, result?.behavior]).toEqual(['can_use_tool_result', 'allow'])
    const { old_string: from = '', new_string: to = '' } = result?.updatedInput ?? {}
    expect(before.replace(from, to)).toBe(before.replace('two', 'TWO'))
  })

  test('is stopped by the bare form, and by it when its tab is closed', async () => {
    const { client, talk, tab } = await connect()
    await talk.send('Work')
    await client.prompt()
    await talk.until('the work', ({ state }) => state?.activity === 'working')
    await talk.page.call('conversation.stop', { id: talk.id })
    await client.next('interrupt')
    client.result('Stopped.')
    await talk.rests()
    window.tabs.close(tab)
    await client.next('interrupt')
    expect((await client.closed).code).toBe(1000)
    expect(window.connections.list()).toEqual([])
  })

  test('gets a message that waits when its turn is over', async () => {
    const { client, talk } = await connect()
    await talk.send('First')
    await client.prompt()
    await talk.send('Second')
    await talk.until('the queue', ({ state }) => state?.queue.length === 1)
    client.result('Done.')
    expect(await client.prompt()).toBe('Second')
  })
})

describe('what is wrong', () => {
  test('is said, and the conversation goes on', async () => {
    const { client, talk } = await connect()
    await talk.send('Begin')
    await client.prompt()
    client.send('not json\n')
    client.send({ type: 'unheard-of' })
    client.send({ type: 'control_request', request_id: 'q', request: { subtype: 'unknown' } })
    expect((await client.next('control_response')).response).toMatchObject({ subtype: 'error' })
    client.send({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } })
    const twice = client.ask('Bash', { command: 'ls' }, 'same')
    void client.ask('Bash', { command: 'rm' }, 'same')
    await answer('allow')
    await twice
    client.assistant({ type: 'text', text: 'Still here.' })
    client.result('Done.')
    await talk.rests()
    await talk.until('the reply', ({ said }) => said.includes('reply: Still here.'))
    expect(client.got.filter(({ response }) => response?.request_id === 'same')).toHaveLength(1)
    expect(window.parts.approvals.list()).toEqual([])
  })

  test('as a binary frame ends it with a reason, and withdraws what it asks', async () => {
    const { client, talk } = await connect()
    await talk.send('Begin')
    await client.prompt()
    void client.ask('Bash', { command: 'ls' })
    await untilApproval(window.parts.approvals)
    client.send(Buffer.from('{}\n'))
    const end = await talk.until('the end', ({ state }) =>
      state?.process.phase === 'ended' ? state.process.end : null,
    )
    expect(end.message).toContain('binary frame')
    expect(window.parts.approvals.list()).toMatchObject([{ state: { kind: 'withdrawn' } }])
  })

  test('or a flood, is taken whole; another program is heard meanwhile', async () => {
    const { client, talk } = await connect()
    const other = await connect()
    await talk.send('Flood')
    await client.prompt()
    const event = (type: string, more: object) =>
      client.send({ type: 'stream_event', event: { type, ...more } })
    event('message_start', { message: { id: 'm', role: 'assistant', model: 'x', content: [] } })
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    for (let count = 0; count < 20_000; count++)
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word ' } })
    await other.talk.send('Are you there?')
    expect(await other.client.prompt()).toBe('Are you there?')
    other.client.result('Yes.')
    await other.talk.rests()
    client.result('Done.')
    await talk.rests()
    await talk.until('all of it', ({ said }) => said.at(-1) === `reply: ${'word '.repeat(20_000)}`)
  })

  test('or only silence, is a conversation that waits', async () => {
    const { talk, client } = await connect()
    expect(talk.page).toBeDefined()
    await talk.until('its state', ({ state }) => state?.process.phase === 'running')
    expect(client.got).toHaveLength(1)
  })
})

describe('a program that was cut off', () => {
  const reply = (id: string, text: string) => ({
    ...{ type: 'assistant', uuid: randomUUID(), parent_tool_use_id: null },
    message: { id, role: 'assistant', model: 'a', content: [{ type: 'text', text }] },
  })
  const phase = (talk: Talk, wanted: string) =>
    talk.until(wanted, ({ state }) => state?.process.phase === wanted)
  const server = (on: boolean) => pageOf(window).call('connections.setServer', { dialect: 'claude-sdk', on })

  test('comes back into its tab, where it finds what was said, also meanwhile', async () => {
    const { client, talk, tab } = await connect()
    await talk.send('Begin')
    await client.prompt()
    const [first, missed] = [reply('m1', 'One.'), reply('m2', 'Two.')]
    client.send(first)
    await talk.until('the reply', ({ said }) => said.includes('reply: One.'))
    await server(false)
    await client.closed
    await phase(talk, 'ended')
    // What it keeps for itself, as a command line does.
    const folder = join(home, '.claude', 'projects', '-x')
    mkdirSync(folder, { recursive: true })
    const lines = [first, missed].map((one) =>
      JSON.stringify({ ...one, sessionId: client.session, cwd: home }),
    )
    writeFileSync(join(folder, `${client.session}.jsonl`), `${lines.join('\n')}\n`)
    await server(true)

    const again = await connect(client)
    expect([again.tab, tabs().length]).toEqual([tab, 1])
    await phase(talk, 'running')
    // A program may say again all that it still has.
    for (const one of [first, missed]) again.client.send(one)
    again.client.result('Done.')
    await talk.send('Go on')
    expect(await again.client.prompt()).toBe('Go on')
    const said = () => talk.said.filter((one) => /^(prompt|reply)/.test(one))
    await talk.until('all of it', () => said().length === 4)
    expect(said()).toEqual(['prompt: Begin', 'reply: One.', 'reply: Two.', 'prompt: Go on'])
  })

  test('and has said nothing, leaves no tab behind but one that has been shown', async () => {
    const shown = await connect()
    const { client } = await connect()
    client.close()
    await vi.waitFor(() => expect(tabs().map(({ tab }) => tab)).toEqual([shown.tab]))
    shown.client.close()
    await phase(shown.talk, 'ended')
    expect(tabs()).toHaveLength(1)
  })

  test.runIf(process.platform === 'linux')(
    'and has said more since, is known by its process; one that begins is not',
    async () => {
      const { client, talk, tab } = await connect()
      // Its process is looked for while it is connected.
      await new Promise<void>((resolve) => {
        const look = () => window.connections.list()[0]?.pid === process.pid && resolve()
        window.connections.onChange(look)
        look()
      })
      client.init()
      await talk.until('its session', ({ state }) => state?.session === client.session)
      client.close()
      await phase(talk, 'ended')
      const other = await connect()
      expect(other.tab).not.toBe(tab)
      client.lastSaid = randomUUID()
      await connect(client)
      await phase(talk, 'running')
      expect(tabs()).toHaveLength(2)
    },
  )
})

test('a program in a folder of another window says so, and its changes are reviewed there', async () => {
  const there = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-elsewhere-')))
  const path = join(there, 'app.txt')
  writeFileSync(path, 'one\n')
  const other = await openWindowOn(app, there)
  const client = new SdkUrlClient(address(), there)
  await client.next('control_request')
  const talk = Talk.of(window, tabs().at(-1)?.session ?? '')
  await talk.send('Change it')
  await client.prompt()
  void client.ask('Write', { file_path: path, content: 'two\n' })
  const { desk } = window.parts
  const review = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
  expect([review.path, desk.placeOf(review.id)?.window]).toEqual([path, other.id])
  await talk.until('where it works', ({ said }) => said.some((one) => one.includes(`works in ${there}`)))
  expect(talk.state).toMatchObject({ folder: there, title: `Claude in ${basename(there)}` })
  rmSync(there, { recursive: true, force: true })
})
