import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type IncomingMessage, type RequestListener, type Server, createServer, request } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordAddress } from '../../core/platform/private-address'
import { type HookRelay, startRelay } from './hook-relay'

let base: string
let relay: HookRelay
let url: string
const servers: Server[] = []
const address = () => join(base, 'address.json')

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-relay-'))
  const started = await startRelay(address())
  if (!started.ok) throw new Error(started.failure.message)
  relay = started.value
  const hooks = readFileSync(join(relay.plugin, 'hooks', 'hooks.json'), 'utf8')
  url = /http:[^"]+/.exec(hooks)?.[0] ?? ''
})
afterEach(() => {
  relay.dispose()
  for (const server of servers.splice(0)) endApp(server)
  rmSync(base, { recursive: true, force: true })
})

/** An app that begins, in the place of one that has ended. */
async function beginApp(listener: RequestListener, name = 'socket'): Promise<Server> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(join(base, name))
  await once(server, 'listening')
  recordAddress(address(), join(base, name))
  return server
}

function endApp(server: Server): void {
  server.close()
  server.closeAllConnections()
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of message.setEncoding('utf8')) body += chunk as string
  return body
}

/** Asks as Claude Code does. */
function post(body: string, headers: Record<string, string> = {}) {
  const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
  asked.end(body)
  const answer = once(asked, 'response').then(async ([message]: IncomingMessage[]) => {
    if (!message) throw new Error('no answer')
    return { status: message.statusCode, body: await bodyOf(message) }
  })
  return { asked, answer }
}

const preToolUse = (tool: string) =>
  JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', tool_use_id: 't' },
    ...{ tool_name: tool, tool_input: { file_path: '/a' } },
  })

describe('a relay', () => {
  it('passes on what is asked and answered, as it is', async () => {
    const heard: { url: string | undefined; body: string; headers: IncomingMessage['headers'] }[] = []
    await beginApp((message, response) => {
      void bodyOf(message).then((body) => {
        heard.push({ url: message.url, body, headers: message.headers })
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"grün"}')
      })
    })
    const body = `{"text":"${'ü'.repeat(1_000_000)}"}`
    const { answer } = post(body, { authorization: 'Bearer t', 'x-greenlight-terminal': 'one' })
    expect(await answer).toEqual({ status: 401, body: '{"error":"grün"}' })
    expect(heard[0]?.body === body).toBe(true)
    expect(heard[0]).toMatchObject({
      url: '/hook',
      headers: { authorization: 'Bearer t', 'x-greenlight-terminal': 'one' },
    })
  })

  it('takes many at once, each answered when its own answer comes', async () => {
    const waiting: (() => void)[] = []
    await beginApp((message, response) => {
      void bodyOf(message).then((body) => {
        waiting.push(() => response.end(body))
        if (waiting.length === 20) for (const answer of waiting.toReversed()) answer()
      })
    })
    const bodies = Array.from({ length: 20 }, (_, at) => `{"at":${at}}`)
    const answers = await Promise.all(bodies.map((body) => post(body).answer))
    expect(answers.map(({ body }) => body)).toEqual(bodies)
  })

  it('tells the app when whoever has asked is gone', async () => {
    const gone = new Promise<void>((resolve) => {
      void beginApp((message, response) => {
        response.once('close', () => resolve())
        void bodyOf(message).then(() => asked?.destroy())
      })
    })
    await expect.poll(() => existsSync(address())).toBe(true)
    const { asked, answer } = post(preToolUse('Edit'))
    answer.catch(() => undefined)
    asked.on('error', () => undefined)
    await gone
  })

  it('refuses changes while no app is there, and holds nothing else up', async () => {
    for (const tool of ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']) {
      const { status, body } = await post(preToolUse(tool)).answer
      expect(status).toBe(200)
      expect(JSON.parse(body)).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: expect.stringContaining('Start it with this folder') as string,
        },
      })
    }
    expect(await post(preToolUse('Bash')).answer).toEqual({
      status: 200,
      body: '{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}',
    })
    const stop = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: '/' })
    expect(await post(stop).answer).toEqual({ status: 200, body: '{}' })
    for (const unknown of ['', '{', '{"hook_event_name":"Tomorrow"}'])
      expect(await post(unknown).answer).toMatchObject({ status: 500 })
  })

  it('refuses what an app was asked that ends, and asks the one that begins after it', async () => {
    const first = await beginApp((message) => void bodyOf(message).then(() => endApp(first)))
    expect((await post(preToolUse('Edit')).answer).body).toContain('"deny"')
    // Its record outlives one that was killed.
    expect((await post(preToolUse('Edit')).answer).body).toContain('"deny"')
    await beginApp((_, response) => response.end('{"again":true}'), 'other')
    expect(await post(preToolUse('Edit')).answer).toEqual({ status: 200, body: '{"again":true}' })
  })

  it('never ends an answer that its app has only begun', async () => {
    const app = await beginApp((_, response) => {
      response.write('{"begun":')
      setImmediate(() => endApp(app))
    })
    await expect(post(preToolUse('Edit')).answer).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('is for this machine’s programs, and for no page of a browser', async () => {
    await beginApp((_, response) => response.end('{}'))
    expect((await post('{}', { origin: 'https://a.example' }).answer).status).toBe(403)
    expect((await post('{}', { host: 'a.example' }).answer).status).toBe(403)
  })

  it('has its files for the owner alone, and leaves none', () => {
    expect(statSync(join(relay.plugin, 'hooks', 'hooks.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(relay.plugin, '..', '..', '..')).mode & 0o777).toBe(0o700)
    relay.dispose()
    expect(existsSync(join(relay.plugin, '..', '..', '..'))).toBe(false)
  })
})
