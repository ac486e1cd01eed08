import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWindowOn, pageOf, startPlainApp, readyOf } from '../../../../test/plain-app'
import { RawClient, talk } from '../../../../test/session-server-rig'
import type { FieldValues } from '../../../shared/approval/approval-fields'
import { succeed } from '../../../shared/result'
import { LiveConversation } from '../../core/conversation/live-conversation'
import type { DialectWindow, WindowDialect } from '../dialect-kit/dialect'
import { sessionServer } from './app-session-server'

it('serves the sessions of the home to who has the token, until it is switched off; token and port stay', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-app-sessions-')))
  const projects = join(home, '.claude', 'projects', '-x')
  await mkdir(projects, { recursive: true })
  const path = join(projects, 'first.jsonl')
  await writeFile(
    path,
    talk(2)
      .map((line) => `${JSON.stringify({ ...line, cwd: home })}\n`)
      .join(''),
  )
  const app = await startPlainApp(home)
  const window = await openWindowOn(app, home)
  const { sessions } = readyOf(window)
  if (!sessions) throw new Error('no session server')
  const token = (await readFile(sessions.tokenFile, 'utf8')).trim()
  expect((await stat(sessions.tokenFile)).mode & 0o777).toBe(0o600)
  const headers = { authorization: `Bearer ${token}` }
  const listed = (await (await fetch(sessions.url, { headers })).json()) as { sessions: unknown[] }
  expect(listed.sessions).toMatchObject([
    { id: 'first', firstPrompt: 'said 1', workingDir: home, isRunning: false },
  ])

  const client = new RawClient(`${sessions.url.replace('http', 'ws')}/first/subscribe?token=${token}`)
  await client.count(2)
  await appendFile(path, `${JSON.stringify(talk(1, 'u', 3)[0])}\n`)
  await client.heard(({ uuid }) => uuid === 'u3')
  app.settings.set({ sessionsResume: false })
  client.send({ type: 'user_message', content: 'hello' })
  const refused = await client.heard(({ type }) => type === 'error')
  expect(refused).toMatchObject({ code: 'not-running', content: 'hello' })

  const off = await pageOf(window).call('connections.setServer', { dialect: 'session-server', on: false })
  expect(off).toMatchObject({ ok: true })
  await client.closed
  expect(readyOf(window).sessions).toBeUndefined()
  await pageOf(window).call('connections.setServer', { dialect: 'session-server', on: true })
  expect(readyOf(window).sessions).toEqual(sessions)
  expect((await readFile(sessions.tokenFile, 'utf8')).trim()).toBe(token)
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

it('resumes nothing where no folder is known, or one that isn’t trusted', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-app-untrusted-')))
  const trusted = join(home, 'above', 'project')
  const projects = join(home, '.claude', 'projects', '-x')
  await mkdir(projects, { recursive: true })
  await mkdir(trusted, { recursive: true })
  const link = join(trusted, 'link')
  await symlink(home, link)
  const write = (id: string, more: object) =>
    writeFile(
      join(projects, `${id}.jsonl`),
      talk(1)
        .map((line) => `${JSON.stringify({ ...line, ...more })}\n`)
        .join(''),
    )
  await write('nowhere', {})
  await write('elsewhere', { cwd: home })
  await write('linked', { cwd: link })
  await write('below', { cwd: trusted })
  const app = await startPlainApp(home)
  const window = await openWindowOn(app, trusted)
  await window.parts.trust.answer(trusted, true)
  const { sessions } = readyOf(window)
  const token = (await readFile(sessions?.tokenFile ?? '', 'utf8')).trim()
  const answer = async (id: string) => {
    const client = new RawClient(`${sessions?.url.replace('http', 'ws')}/${id}/subscribe?token=${token}`)
    await client.opened
    client.send({ type: 'user_message', content: 'hello' })
    return client.heard(({ type }) => type === 'error')
  }
  expect(await answer('nowhere')).toMatchObject({
    code: 'untrusted',
    error: expect.stringMatching(/isn’t known/),
  })
  expect(await answer('elsewhere')).toMatchObject({ code: 'untrusted' })
  expect(await answer('linked')).toMatchObject({ code: 'untrusted' })
  // Servers that a folder above names would run too.
  await writeFile(join(home, 'above', '.mcp.json'), '{}')
  expect(await answer('below')).toMatchObject({
    code: 'untrusted',
    error: expect.stringContaining('.mcp.json'),
  })
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

describe('sessions that Greenlight drives', () => {
  let home: string
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-app-driven-')))
  })
  afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const session = '6c685c7c-2156-4d3a-ad27-2d3e76874231'

  /** The app with a dialect whose only conversation writes its session's file, as Claude Code does. */
  async function start() {
    const said: string[] = []
    const begun: FieldValues[] = []
    const live: LiveConversation[] = []
    const dialect = starting((window, values) => {
      const path = join(
        home,
        '.claude',
        'projects',
        home.replaceAll(/[^A-Za-z0-9]/g, '-'),
        `${session}.jsonl`,
      )
      const conversation: LiveConversation = new LiveConversation(
        { title: 'A session', agent: 'Claude', folder: home },
        {
          ...{ stop: done, end: done, choose: done },
          restart: () => {
            conversation.update({ process: { phase: 'running', startedAt: 2 } })
            return done()
          },
          send: async ({ text }) => {
            said.push(text)
            conversation.update({ session })
            await mkdir(dirname(path), { recursive: true })
            const message = { role: 'user', content: text }
            const line = { ...talk(1, `p${said.length}-`)[0], cwd: home, sessionId: session, message }
            await appendFile(path, `${JSON.stringify(line)}\n`)
            return succeed({})
          },
        },
      )
      conversation.update({ process: { phase: 'running', startedAt: 1 } })
      begun.push(values)
      live.push(conversation)
      return window.conversations.add(conversation).id
    })
    const app = await startPlainApp(home, { dialects: [sessionServer, dialect] })
    const window = await openWindowOn(app, home)
    const { sessions } = readyOf(window)
    const token = (await readFile(sessions?.tokenFile ?? '', 'utf8')).trim()
    const connect = (id: string) =>
      new RawClient(`${sessions?.url.replace('http', 'ws')}/${id}/subscribe?token=${token}`)
    return { app, window, said, begun, live, connect }
  }

  it('are begun by the first message for a new id, asking in the usual mode, and reached by the next', async () => {
    const { app, said, begun, live, connect } = await start()
    const client = connect(session)
    await client.opened
    client.send({ type: 'user_message', content: 'Begin', clientId: 1 })
    await client.heard(({ type, clientId }) => type === 'ack' && clientId === 1)
    expect(begun).toMatchObject([{ sessionId: session, permissionMode: 'default' }])
    await client.heard(({ type, isTyping }) => type === 'typing' && isTyping === true)
    live[0]?.streamed({ type: 'message_start' })
    await client.heard(({ type }) => type === 'stream_event')
    live[0]?.update({ activity: 'idle' })
    await client.heard(({ type, isTyping }) => type === 'typing' && isTyping === false)
    client.send({ type: 'user_message', content: 'Go on', clientId: 2 })
    await client.heard(({ type, clientId }) => type === 'ack' && clientId === 2)
    expect([said, begun.length]).toEqual([['Begin', 'Go on'], 1])
    await app.shutdown()
  })

  it('are resumed by a message after their end, if the setting allows', async () => {
    const { app, said, live, connect } = await start()
    const client = connect(session)
    await client.opened
    client.send({ type: 'user_message', content: 'Begin', clientId: 1 })
    await client.heard(({ clientId }) => clientId === 1)
    const end = { code: 'stopped' as const, message: 'Ended.', complaints: '' }
    live[0]?.update({ process: { phase: 'ended', end } })
    app.settings.set({ sessionsResume: false })
    client.send({ type: 'user_message', content: 'Refused', clientId: 2 })
    expect(await client.heard(({ clientId }) => clientId === 2)).toMatchObject({ code: 'not-running' })
    app.settings.set({ sessionsResume: true })
    client.send({ type: 'user_message', content: 'Resume', clientId: 3 })
    expect(await client.heard(({ clientId }) => clientId === 3)).toMatchObject({ type: 'ack' })
    expect(said).toEqual(['Begin', 'Resume'])
    await app.shutdown()
  })

  it('are not begun where the setting forbids it, or for an id that no session can be given', async () => {
    const { app, begun, connect } = await start()
    await expect(connect('no-uuid').opened).rejects.toThrow('404')
    app.settings.set({ sessionsResume: false })
    await expect(connect(session).opened).rejects.toThrow('404')
    expect(begun).toEqual([])
    await app.shutdown()
  })
})

const done = () => Promise.resolve(succeed({}))
const nothing = () => Promise.resolve()

/** A dialect of tests that begins conversations as Claude's does. */
function starting(begin: (window: DialectWindow, values: FieldValues) => string): WindowDialect {
  return {
    ...{
      scope: 'window',
      id: 'starting',
      readyAs: 'starting',
      agents: 'Claude',
      known: [],
      portVariable: '',
    },
    ...{ anywhereByVariable: false, containerVariable: null, connectCommand: null },
    about: {
      ...{ agent: null, name: 'tests', toggle: 'Tests', protocol: 'tests', address: '', file: '' },
      ...{ whenOff: '', command: null, noteWhenKnown: null },
    },
    findFiles: () => Promise.resolve([]),
    open: (window) => ({
      server: {
        ...{ switch: done, rewriteFiles: done, start: nothing, stop: nothing, follow: () => undefined },
        ...{
          secrets: [],
          checked: () => ({ on: false, problem: null, port: null, started: null, files: [], tokens: [] }),
        },
      },
      readiness: () => null,
      variables: () => ({}),
      starters: [
        {
          agent: 'claude',
          offer: () => Promise.reject(new Error('not asked')),
          begin: async (values, first) => {
            const id = begin(window, values)
            if (first) await window.conversations.get(id)?.send(first)
            return succeed({ id })
          },
        },
      ],
    }),
  }
}
