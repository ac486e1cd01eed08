import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { isolation } from '../../scripts/isolation.mjs'
import { makeClaudeHome } from './claude-home'
import { claudeCodeVersion, installClaudeCode } from './install-cli'
import { inOrder, say, startMessagesApi, use, type MessagesApi, type Script } from './messages-api'

const run = promisify(execFile)
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(script: Script): Promise<MessagesApi> {
  const api = await startMessagesApi(script)
  closing.push(() => api.close())
  return api
}

interface Ask {
  messages: unknown[]
  tools?: { name: string }[]
  system?: unknown
  stream?: boolean
}

const ask = (api: MessagesApi, body: Ask) =>
  fetch(`${api.url}/v1/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, ...body }),
  })

/** The events of a stream, parsed. */
async function events(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
}

const tools = [{ name: 'Edit' }, { name: 'Write' }]
const prompt = { role: 'user', content: 'hello' }

describe('the scripted Messages API', () => {
  it('streams blocks in the shape of the real one', async () => {
    const api = await start(() => ({
      blocks: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'hello' },
        { type: 'tool_use', name: 'Write', input: { file_path: '/a' } },
      ],
    }))
    const all = await events(await ask(api, { messages: [prompt], tools }))
    expect(all.map((event) => event['type'])).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ])
    expect(all.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
    expect(all.at(-4)).toMatchObject({ delta: { partial_json: '{"file_path":"/a"}' } })
  })

  it('answers whole where no stream is asked for, and errors with their status', async () => {
    const api = await start((request) =>
      request.stream ? { status: 529, error: 'overloaded_error', message: 'busy' } : say('whole'),
    )
    const whole = await ask(api, { messages: [prompt], stream: false })
    expect(await whole.json()).toMatchObject({
      content: [{ type: 'text', text: 'whole' }],
      stop_reason: 'end_turn',
    })
    const failed = await ask(api, { messages: [prompt] })
    expect(failed.status).toBe(529)
    expect(await failed.json()).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'busy' },
    })
  })

  it('lets a test hold a stream back, and break it off', async () => {
    let letGo: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    async function* slowly() {
      yield 'first '
      await gate
      yield 'second'
    }
    const api = await start((request) =>
      request.turn === 0
        ? { blocks: [{ type: 'text', text: slowly() }] }
        : { blocks: [{ type: 'text', text: 'half' }], breakOff: true },
    )
    const response = await ask(api, { messages: [prompt], tools })
    letGo()
    const deltas = (await events(response)).filter((event) => event['type'] === 'content_block_delta')
    expect(deltas).toMatchObject([{ delta: { text: 'first ' } }, { delta: { text: 'second' } }])
    await expect(ask(api, { messages: [prompt], tools }).then((broken) => broken.text())).rejects.toThrow()
  })

  it('shows the script what is new, and keeps side questions apart', async () => {
    const api = await start(inOrder(use({ name: 'Write', input: {}, id: 't1' }), say('done')))
    await ask(api, { messages: [prompt], system: [{ type: 'text', text: 'rules' }], tools })
    await ask(api, { messages: [{ role: 'user', content: 'a title?' }] })
    const result = {
      type: 'tool_result',
      tool_use_id: 't1',
      is_error: true,
      content: [{ type: 'text', text: 'no' }],
    }
    const second = api.waitFor((request) => request.results.length > 0)
    const answer = await ask(api, {
      messages: [
        prompt,
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Write', input: {} }] },
        { role: 'user', content: [result, { type: 'text', text: 'a hint' }] },
      ],
      tools,
    })
    expect(await answer.text()).toContain('done')
    expect(await second).toMatchObject({
      index: 2,
      turn: 1,
      main: true,
      latest: 'no\na hint',
      results: [{ id: 't1', text: 'no', isError: true }],
    })
    expect(api.requests[0]?.everything).toBe('rules\nhello')
    expect(api.requests[1]).toMatchObject({ main: false, turn: 1 })
  })

  it('rejects when what a test waits for does not come', async () => {
    const api = await start(() => say('ok'))
    await expect(api.waitFor(() => true, 1)).rejects.toThrow(/no such request/)
  })
})

describe('a home for the command line', () => {
  it('trusts its project, and others when told', async () => {
    const home = await makeClaudeHome('http://127.0.0.1:1', { separateConfig: true })
    closing.push(() => home.remove())
    await home.trust(home.root)
    const state = JSON.parse(await readFile(join(home.config, '.claude.json'), 'utf8')) as {
      projects: object
    }
    expect(Object.keys(state.projects)).toEqual([home.project, home.root])
    expect(home.env).toMatchObject({ HOME: home.home, CLAUDE_CONFIG_DIR: home.config })
    expect(Object.keys(home.env).filter((name) => /TOKEN|SECRET/.test(name))).toEqual([])
  })

  it('can be cut off from every network but loopback, where the system allows it', async (context) => {
    const isolated = isolation()
    if ('reason' in isolated) return context.skip(isolated.reason)
    const program = `
      const net = require('node:net')
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        net.connect(server.address().port, '127.0.0.1', () => {
          net.connect(53, '192.0.2.1').on('error', (error) => { console.log(error.code); process.exit(0) })
        })
      })`
    const [command = '', ...rest] = isolated.prefix
    const { stdout } = await run(command, [...rest, process.execPath, '-e', program])
    expect(stdout.trim()).toBe('ENETUNREACH')
  })
})

describe('the command line itself', () => {
  it('is installed from npm, outside the product, and runs', async (context) => {
    const cli = await installClaudeCode()
    if ('skipped' in cli) return context.skip(cli.skipped)
    const isolated = isolation()
    const [program, ...words] = [...('prefix' in isolated ? isolated.prefix : []), cli.path, '--version']
    const { stdout } = await run(program, words)
    expect(stdout).toContain(claudeCodeVersion)
    expect(await installClaudeCode()).toEqual(cli)
  }, 300_000)

  it('fails, and is not skipped, where its version does not exist', async (context) => {
    const cli = await installClaudeCode()
    if ('skipped' in cli) return context.skip(cli.skipped)
    const cache = await mkdtemp(join(tmpdir(), 'broken-pin-'))
    closing.push(() => rm(cache, { recursive: true, force: true }))
    await expect(installClaudeCode({ version: '0.0.0-none', cache })).rejects.toThrow(/npm could not install/)
  }, 300_000)
})
