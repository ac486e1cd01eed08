import { createServer, type AddressInfo } from 'node:net'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HttpPeer } from '../../../../test/mcp-http-peer'
import { nothingSeen, type OpenFile, type Seen } from '../../../shared/agent-view'
import type { SentItem } from '../../../shared/contract/context'
import { Emitter } from '../../../shared/lifetime'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { FrameParser } from '../kit/frame-parser'
import { startCompanionServer, type CompanionOptions, type CompanionServer } from './companion-server'
import { companionEnvironment } from './companion-environment'
import type { ConnectionFacts } from '../kit/connection'
import type { GeminiCompanionPorts } from './ports'

/** A review as the desk would hold it: the test is the person. */
interface Asked {
  proposal: Proposal
  signal: AbortSignal
  answer(opening: Opening): void
}

class Desk {
  readonly asked: Asked[] = []
  readonly handedOver: { connection: string; call: string }[] = []
  draft: string | null = null
  readonly #came = new Emitter<void>()

  readonly port: GeminiCompanionPorts['review'] = {
    open: (proposal, signal) =>
      new Promise((resolve) => {
        this.asked.push({ proposal, signal, answer: resolve })
        signal.addEventListener('abort', () =>
          resolve({ kind: 'withdrawn', reason: signal.reason as 'answered-there' }),
        )
        this.#came.emit()
      }),
    handOver: (question) => {
      this.handedOver.push(question)
      return this.draft
    },
  }

  async next(number: number): Promise<Asked> {
    for (;;) {
      const asked = this.asked[number]
      if (asked) return asked
      await new Promise<void>((resolve) => {
        const listening = this.#came.on(() => {
          listening.dispose()
          resolve()
        })
      })
    }
  }
}

let root: string
let folders: string[]
let desk: Desk
let seen: Seen
let handed: [string, SentItem][]
let facts: Map<string, ConnectionFacts>
let said: string[]
let refused: number[]
let context: Emitter<{ atOnce: boolean }>
let foldersChanged: Emitter<void>
let frames: FrameParser
const closing: (() => unknown)[] = []

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-companion-')))
  folders = [join(root, 'project')]
  mkdirSync(join(root, 'project'))
  desk = new Desk()
  seen = nothingSeen
  handed = []
  facts = new Map()
  said = []
  refused = []
  context = new Emitter()
  foldersChanged = new Emitter()
  frames = new FrameParser()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  frames.dispose()
  rmSync(root, { recursive: true, force: true })
})

function ports(): GeminiCompanionPorts {
  return {
    review: desk.port,
    context: { seen: () => seen, onChange: context.on, handed: (to, item) => handed.push([to.agent, item]) },
    folders: { folders: () => folders, onChange: foldersChanged.on },
    connections: {
      opened: (given) => {
        facts.set(given.id, given)
        return {
          update: (more) => facts.set(more.id, more),
          frame: () => undefined,
          say: (message) => said.push(message),
          closed: () => facts.delete(given.id),
        }
      },
      refused: (status) => refused.push(status),
      processAt: () => Promise.resolve(4711),
    },
  }
}

async function start(more: Partial<CompanionOptions> = {}): Promise<CompanionServer> {
  const started = await startCompanionServer({
    ports: ports(),
    frames,
    version: '1.2.3',
    places: {
      temporary: join(root, 'tmp'),
      home: join(root, 'home'),
      pid: process.pid,
      parentPid: process.ppid,
    },
    ...more,
  })
  if (!started.ok) throw new Error(started.failure.message)
  closing.push(() => started.value.stop())
  return started.value
}

async function connect(server: { port: number; token: string }): Promise<HttpPeer> {
  const peer = await HttpPeer.connect(server)
  closing.push(() => peer.cut())
  return peer
}

const pathOf = (name: string): string => join(root, 'project', name)
const content = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>

describe('discovery', () => {
  it('is by files for our process and its parent, and by Qwen Code’s lock with a living process', async () => {
    const server = await start({
      places: { temporary: join(root, 'tmp'), home: join(root, 'home'), pid: 4001, parentPid: 4000 },
    })
    const { port, token } = server
    const gemini = join(root, 'tmp', 'gemini', 'ide')
    const lock = join(root, 'home', '.qwen', 'ide', `${port}.lock`)
    const paths = [
      join(gemini, `gemini-ide-server-4001-${port}.json`),
      join(gemini, `gemini-ide-server-4000-${port}.json`),
    ]
    expect(server.discoveryFiles).toEqual([...paths, lock])
    const about = {
      port,
      workspacePath: folders[0],
      ideInfo: { name: 'greenlight', displayName: 'Greenlight' },
      pid: 4001,
    }
    for (const path of paths) expect(content(path)).toEqual({ ...about, authToken: token })
    expect(content(lock)).toEqual({ ...about, authToken: server.tokens[1], ppid: 4001 })
    expect(server.tokens[1]).not.toBe(token)
    for (const path of server.discoveryFiles) expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(gemini).mode & 0o777).toBe(0o700)
    await server.stop()
    expect(readdirSync(gemini)).toEqual([])
  })

  it('has no file for a parent that is the first process, and one more lock where QWEN_HOME is elsewhere', async () => {
    const qwenHome = join(root, 'elsewhere')
    const server = await start({
      places: { temporary: join(root, 'tmp'), home: join(root, 'home'), qwenHome, pid: 4001, parentPid: 1 },
    })
    expect(readdirSync(join(root, 'tmp', 'gemini', 'ide'))).toHaveLength(1)
    expect(server.discoveryFiles.slice(1)).toEqual([
      join(qwenHome, 'ide', `${server.port}.lock`),
      join(root, 'home', '.qwen', 'ide', `${server.port}.lock`),
    ])
  })

  it('follows the folders, and what a dead process of ours left is removed', async () => {
    const gemini = join(root, 'tmp', 'gemini', 'ide')
    mkdirSync(gemini, { recursive: true })
    const left = { ideInfo: { name: 'greenlight' }, pid: 2 ** 30 }
    writeFileSync(join(gemini, 'gemini-ide-server-1-2.json'), JSON.stringify(left))
    writeFileSync(
      join(gemini, 'gemini-ide-server-1-3.json'),
      JSON.stringify({ ...left, ideInfo: { name: 'vscode' } }),
    )
    const server = await start()
    expect(readdirSync(gemini)).not.toContain('gemini-ide-server-1-2.json')
    expect(readdirSync(gemini)).toContain('gemini-ide-server-1-3.json')
    folders = [join(root, 'project'), join(root, 'other')]
    foldersChanged.emit()
    await server.rewriteFiles()
    for (const path of server.discoveryFiles) {
      expect(content(path)['workspacePath']).toBe(folders.join(delimiter))
    }
  })

  it('tells a folder in its files that came while they were first written', async () => {
    const app = ports()
    let reads = 0
    app.folders.folders = () => {
      const now = folders
      if (++reads === 1) {
        setImmediate(() => {
          folders = [...folders, join(root, 'other')]
          foldersChanged.emit()
        })
      }
      return now
    }
    const server = await start({ ports: app })
    const wanted = [join(root, 'project'), join(root, 'other')].join(delimiter)
    for (const path of server.discoveryFiles) {
      await expect.poll(() => content(path)['workspacePath']).toBe(wanted)
    }
  })

  it('keeps port and token, unless the port is taken', async () => {
    const first = await start()
    const { port, token } = first
    await first.stop()
    const second = await start({ kept: { port, token } })
    expect([second.port, second.token]).toEqual([port, token])
    await second.stop()
    const other = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    closing.push(() => other.close())
    const third = await start({ kept: { port: (other.address() as AddressInfo).port, token } })
    expect(third.port).not.toBe(port)
    expect(third.token).toBe(token)
  })

  it('is by the environment too, which without a server leads nowhere', async () => {
    const server = await start()
    const variables = companionEnvironment({ ...server, folders: ['/a', '/b'] }, true)
    expect(variables).toMatchObject({
      GEMINI_CLI_IDE_PID: String(process.pid),
      GEMINI_CLI_IDE_SERVER_PORT: String(server.port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: `/a${delimiter}/b`,
      GEMINI_CLI_IDE_AUTH_TOKEN: server.token,
      QWEN_CODE_IDE_SERVER_PORT: String(server.port),
      QWEN_CODE_IDE_WORKSPACE_PATH: `/a${delimiter}/b`,
      REMOTE_CONTAINERS: '1',
      GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: undefined,
    })
    expect(Object.values(companionEnvironment(null, true)).every((value) => value === undefined)).toBe(true)
    expect('REMOTE_CONTAINERS' in companionEnvironment({ ...server, folders: [] }, false)).toBe(false)
  })
})

describe('a connection', () => {
  it('is listed with what is known of it, by whose token it has', async () => {
    const server = await start()
    await connect(server)
    const qwen = await connect({ port: server.port, token: server.tokens[1] ?? '' })
    const listed = [...facts.values()].map(({ agent, version, pid }) => [agent, version, pid])
    expect(listed).toEqual([
      ['Gemini', '0.61.0', 4711],
      ['Qwen', '0.61.0', 4711],
    ])
    await qwen.send('DELETE')
    expect(server.connections).toBe(1)
    expect(facts.size).toBe(1)
  })

  it('lists both tools with the schemas of their arguments', async () => {
    const peer = await connect(await start())
    const { result } = (await peer.request('tools/list', {})) as {
      result: { tools: { name: string; inputSchema: { properties: object; required: string[] } }[] }
    }
    expect(
      result.tools.map(({ name, inputSchema }) => [
        name,
        Object.keys(inputSchema.properties),
        inputSchema.required,
      ]),
    ).toEqual([
      ['openDiff', ['filePath', 'newContent'], ['filePath', 'newContent']],
      ['closeDiff', ['filePath', 'suppressNotification'], ['filePath']],
    ])
  })

  it('without the token is refused', async () => {
    const server = await start()
    await expect(HttpPeer.connect({ port: server.port, token: 'wrong' })).rejects.toThrow()
    expect(refused).toContain(401)
  })
})

describe('a diff', () => {
  it('is answered at once with nothing, and accepted with the text that the person made', async () => {
    const peer = await connect(await start())
    expect(await peer.openDiff(pathOf('a.ts'), 'new\n')).toEqual({ content: [] })
    const { proposal, answer } = await desk.next(0)
    expect(proposal).toMatchObject({
      origin: { dialect: 'gemini-companion', agent: 'Gemini', call: '3', pid: 4711 },
      path: pathOf('a.ts'),
      proposed: 'new\n',
      title: 'a.ts',
      effect: 'agent',
    })
    answer({ kind: 'accepted', text: 'newer\n' })
    const told = await peer.take('ide/diffAccepted')
    expect(told.params).toEqual({ filePath: pathOf('a.ts'), content: 'newer\n' })
    expect(await peer.closeDiff(pathOf('a.ts'))).toBeUndefined()
  })

  it('that is rejected says so, with the path to the letter', async () => {
    const peer = await connect(await start())
    const odd = join(root, 'project', '.', 'ä b', '..', 'a.ts').replace('/ä', '/./ä')
    await peer.openDiff(odd, 'new\n')
    ;(await desk.next(0)).answer({ kind: 'rejected', note: 'no' })
    expect((await peer.take('ide/diffRejected')).params).toEqual({ filePath: odd })
  })

  it('answered in the terminal gives the draft as JSON and is told by nothing else', async () => {
    const peer = await connect(await start())
    desk.draft = 'edited\n'
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const { signal, proposal } = await desk.next(0)
    expect(await peer.closeDiff(pathOf('a.ts'))).toBe('edited\n')
    expect(signal.reason).toBe('answered-there')
    expect(desk.handedOver).toEqual([{ connection: proposal.origin.connection, call: '3' }])
    await peer.request('ping', {})
    expect(peer.heard.map(({ method }) => method)).toEqual(['ide/contextUpdate'])
    expect(await peer.closeDiff(pathOf('a.ts'))).toBeUndefined()
  })

  it('that the client gives up is rejected, or it would wait for ever', async () => {
    const peer = await connect(await start())
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const { signal } = await desk.next(0)
    expect(await peer.closeDiff(pathOf('a.ts'), false)).toBe('new\n')
    expect(signal.reason).toBe('cancelled')
    expect((await peer.take('ide/diffRejected')).params).toEqual({ filePath: pathOf('a.ts') })
  })

  it('that the client has forgotten is rejected when it closes another one', async () => {
    const peer = await connect(await start())
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const { signal } = await desk.next(0)
    expect(await peer.closeDiff(pathOf('b.ts'))).toBeUndefined()
    expect((await peer.take('ide/diffRejected')).params).toEqual({ filePath: pathOf('a.ts') })
    expect(signal.reason).toBe('cancelled')
  })

  it('that the client forgets when it is interrupted is rejected once it has settled, and no later one', async () => {
    const server = await start()
    const peer = await connect(server)
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const [first] = [await desk.next(0), await peer.take('ide/contextUpdate')]
    let settle = (): void => undefined
    const settled = new Promise<void>((resolve) => (settle = resolve))
    const free = server.interrupt(first.proposal.origin.connection, settled)
    await peer.openDiff(pathOf('b.ts'), 'new\n')
    const later = await desk.next(1)
    expect(peer.heard).toEqual([])
    settle()
    await free
    expect((await peer.take('ide/diffRejected')).params).toEqual({ filePath: pathOf('a.ts') })
    expect(first.signal.reason).toBe('cancelled')
    expect(later.signal.aborted).toBe(false)
  })

  it('that takes the place of another is the only one that is answered', async () => {
    const peer = await connect(await start())
    await peer.openDiff(pathOf('a.ts'), 'first\n')
    const first = await desk.next(0)
    await peer.openDiff(pathOf('a.ts'), 'second\n')
    const second = await desk.next(1)
    first.answer({ kind: 'withdrawn', reason: 'replaced' })
    second.answer({ kind: 'accepted', text: 'second\n' })
    expect((await peer.take('ide/diffAccepted')).params['content']).toBe('second\n')
    expect(peer.heard.filter(({ method }) => method.startsWith('ide/diff'))).toEqual([])
  })

  it('that cannot be reviewed is left to the terminal, and never answered with an error', async () => {
    const peer = await connect(await start())
    expect(await peer.openDiff('relative.ts', 'x')).toEqual({ content: [] })
    ;(await desk.next(0)).answer({ kind: 'refused', message: 'It is no absolute path.' })
    await peer.request('ping', {})
    expect(said).toEqual(["It is no absolute path. Answer Gemini's question in its terminal."])
    expect(await peer.closeDiff('relative.ts')).toBeUndefined()
    expect(peer.heard.some(({ method }) => method.startsWith('ide/diff'))).toBe(false)
  })

  it('is not accepted as empty where the client would write its proposal instead', async () => {
    const peer = await connect(await start())
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const { proposal, answer } = await desk.next(0)
    expect(proposal.objection?.('x', 'd')).toBeNull()
    expect(proposal.objection?.('', 'd')).toContain('Reject the file')
    answer({ kind: 'accepted', text: '' })
    await peer.take('ide/diffRejected')
    expect(said[0]).toContain('can’t leave a.ts empty')
    await peer.openDiff(pathOf('b.ts'), '')
    const empty = await desk.next(1)
    expect(empty.proposal.objection?.('', 'd')).toBeNull()
    empty.answer({ kind: 'accepted', text: '' })
    expect((await peer.take('ide/diffAccepted')).params['content']).toBe('')
  })

  it('goes back to the letter where only line ends differ, with the file’s byte order mark', async () => {
    const server = await start()
    const gemini = await connect(server)
    await gemini.openDiff(pathOf('a.ts'), 'one\ntwo\n')
    ;(await desk.next(0)).answer({ kind: 'accepted', text: '\uFEFFone\r\ntwo\r\n' })
    expect((await gemini.take('ide/diffAccepted')).params['content']).toBe('\uFEFFone\ntwo\n')
    // It keeps the mark by itself.
    const qwen = await connect({ port: server.port, token: server.tokens[1] ?? '' })
    await qwen.openDiff(pathOf('a.ts'), 'one\n')
    ;(await desk.next(1)).answer({ kind: 'accepted', text: '\uFEFFtwo\r\n' })
    expect((await qwen.take('ide/diffAccepted')).params['content']).toBe('two\r\n')
  })

  it('of 25 MB is taken and answered', async () => {
    const peer = await connect(await start())
    const large = 'a line of text that is neither short nor long\n'.repeat(560_000)
    await peer.openDiff(pathOf('a.ts'), large)
    const { proposal, answer } = await desk.next(0)
    expect(proposal.proposed).toHaveLength(large.length)
    answer({ kind: 'accepted', text: large })
    expect((await peer.take('ide/diffAccepted')).params['content']).toBe(large)
  })

  it('accepted while the stream is broken is told on the next one', async () => {
    const peer = await connect(await start())
    await peer.take('ide/contextUpdate')
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const { answer, signal } = await desk.next(0)
    peer.cut()
    answer({ kind: 'accepted', text: 'new\n' })
    await peer.listen()
    expect((await peer.take('ide/diffAccepted')).params['content']).toBe('new\n')
    expect(signal.aborted).toBe(false)
  })

  it('of a client that is gone is withdrawn', async () => {
    const server = await start({ patience: { afterStream: 30, beforeStream: 60_000 } })
    const peer = await connect(server)
    await peer.openDiff(pathOf('a.ts'), 'new\n')
    const { signal } = await desk.next(0)
    const gone = new Promise((resolve) => signal.addEventListener('abort', resolve))
    peer.cut()
    await gone
    expect(signal.reason).toBe('connection-lost')
    expect(facts.size).toBe(0)
  })

  it('of each of two clients is its own', async () => {
    const server = await start()
    const [one, other] = [await connect(server), await connect(server)]
    await one.openDiff(pathOf('a.ts'), 'one\n')
    await other.openDiff(pathOf('a.ts'), 'other\n')
    const [first, second] = [await desk.next(0), await desk.next(1)]
    expect(first.proposal.origin.connection).not.toBe(second.proposal.origin.connection)
    second.answer({ kind: 'accepted', text: 'other\n' })
    await other.take('ide/diffAccepted')
    first.answer({ kind: 'rejected' })
    await one.take('ide/diffRejected')
    expect(one.heard.some(({ method }) => method === 'ide/diffAccepted')).toBe(false)
  })

  it('is rejected before the server stops', async () => {
    const server = await start()
    const peers = [await connect(server), await connect(server)]
    for (const [index, peer] of peers.entries()) await peer.openDiff(pathOf(`${index}.ts`), 'new\n')
    await server.stop()
    for (const [index, peer] of peers.entries()) {
      expect((await peer.take('ide/diffRejected')).params).toEqual({ filePath: pathOf(`${index}.ts`) })
      expect((await desk.next(index)).signal.reason).toBe('shutdown')
    }
    expect(server.discoveryFiles).toEqual([])
    expect(facts.size).toBe(0)
  })

  it('with wrong arguments is refused as such', async () => {
    const peer = await connect(await start())
    await expect(peer.call('openDiff', { filePath: pathOf('a.ts') })).rejects.toThrow(/newContent/)
    await expect(peer.call('closeDiff', {})).rejects.toThrow(/filePath/)
    await expect(peer.call('other', {})).rejects.toThrow(/no tool/)
  })
})

describe('the context', () => {
  const file = (name: string, shownAt: number, isActive = false): OpenFile => {
    writeFileSync(pathOf(name), 'text')
    return { path: pathOf(name), label: name, languageId: 'typescript', isActive, isDirty: false, shownAt }
  }

  it('comes with the stream, then once it rests after a change, and not where nothing differs', async () => {
    seen = { files: [file('a.ts', 5, true)], current: null, latest: null }
    const peer = await connect(await start())
    const first = await peer.take('ide/contextUpdate')
    expect(first.params).toEqual({
      workspaceState: { openFiles: [{ path: pathOf('a.ts'), timestamp: 5, isActive: true }] },
    })
    const selection = {
      path: pathOf('a.ts'),
      start: { line: 1, character: 2 },
      end: { line: 1, character: 6 },
      text: 'text',
    }
    seen = { ...seen, current: selection }
    for (let i = 0; i < 20; i += 1) context.emit({ atOnce: false })
    const second = await peer.take('ide/contextUpdate')
    expect(second.params).toMatchObject({
      workspaceState: { openFiles: [{ cursor: { line: 2, character: 7 }, selectedText: 'text' }] },
    })
    context.emit({ atOnce: true })
    seen = nothingSeen
    context.emit({ atOnce: true })
    expect((await peer.take('ide/contextUpdate')).params).toEqual({ workspaceState: { openFiles: [] } })
    expect(peer.heard).toEqual([])
    expect(handed.map(([agent, item]) => [agent, item.kind])).toEqual([
      ['Gemini', 'files'],
      ['Gemini', 'selection'],
      ['Gemini', 'nothing'],
    ])
  })

  it('is not kept for a client that does not listen: it is told anew when it does', async () => {
    const server = await start()
    const listening = await connect(server)
    await listening.take('ide/contextUpdate')
    const peer = new HttpPeer(server)
    await peer.initialize({ name: 'x', version: '1' })
    closing.push(() => peer.cut())
    seen = { files: [file('a.ts', 5, true)], current: null, latest: null }
    context.emit({ atOnce: true })
    // By then it has been told to all who listen.
    await listening.take('ide/contextUpdate')
    seen = nothingSeen
    await peer.listen()
    expect((await peer.take('ide/contextUpdate')).params).toEqual({ workspaceState: { openFiles: [] } })
    expect(handed.map(([, item]) => item.kind)).toEqual(['nothing', 'files', 'nothing'])
    expect(peer.heard).toEqual([])
  })

  it('has only files that are on disk', async () => {
    const gone = file('gone.ts', 9, true)
    rmSync(gone.path)
    seen = { files: [file('a.ts', 5), gone], current: null, latest: null }
    const peer = await connect(await start())
    expect((await peer.take('ide/contextUpdate')).params).toEqual({
      workspaceState: { openFiles: [{ path: pathOf('a.ts'), timestamp: 5 }] },
    })
  })
})
