import { appendFile, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWindowOn, pageOf, startPlainApp, readyOf } from '../../../../test/plain-app'
import { RawClient, talk } from '../../../../test/session-server-rig'

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
