import { type ChildProcess, execFile, fork } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dialectId } from '../src/main/protocols/claude-hooks/dialect-id'
import { writePlugin } from '../src/main/protocols/claude-hooks/launch-files'
import { tokenFor } from '../src/main/protocols/claude-hooks/terminal-token'
import { FolderStates } from '../src/main/core/settings/folder-state'
import { afterTool, beforeTool, decisionIn, HookPeer } from '../test/hook-peer'
import { type ClaudeHome, makeClaudeHome } from '../test/interop/claude-home'
import { installClaudeCode } from '../test/interop/install-cli'
import { inOrder, type MessagesApi, say, startMessagesApi, use } from '../test/interop/messages-api'
import limitServer from './gate-limit-server?modulePath'
import { HookSwitch, type Kind, kindOf } from './hook-switch'
import { endHost, processorTime, readReady, startHost } from './measured-host'
import { type Row, quantile, rowOf } from './row'

/** Writes that are measured with the real command line, so many in each message of its model, and those without it. */
const writesOfCli = 600
const inMessage = 10
const writesOfPeer = 1000
/** What the gate may add to a write that a rule lets through, in milliseconds. */
const usual = 5
const rare = 15
/** Calls that are held, how long it is watched what they cost, in milliseconds, and what they may, in percent of a core. */
const held = 50
const watched = 30_000
/** Until what a start and new reviews begin is done, in milliseconds. */
const settled = 15_000
const mostShare = 0.2

const terminal = 'bench'
const folder = 'docs'

/** What is written: some 4 KB. */
const content = 'a line of text that is neither short nor long, ünicode\n'.repeat(72)

interface Bench {
  place: ClaudeHome
  /** Where the writes of each kind go. What passes by the host must be none of its business, or it looks at it afterwards. */
  folders: Record<Kind, string>
  api: MessagesApi
  ports: Record<Kind, number>
  token: string
}

/** A host, and how its hooks are called. */
interface Gate {
  host: ChildProcess
  port: number
  token: string
  /** Where it keeps a folder for each open review. */
  reviews: string
}

/** How long the calls before and after one write took together, in milliseconds, in the order of the writes. */
type Times = Record<Kind, number[]>

/**
 * What the gate adds to a write that a rule lets through, its receipt included, beside a bare server in the same run;
 * and what calls cost that wait for the person.
 */
export async function run(): Promise<Row[]> {
  const api = await startMessagesApi(inOrder(say('ok')))
  const place = await makeClaudeHome(api.url)
  const folders = { limit: join(place.root, 'elsewhere'), ours: join(place.project, folder) }
  for (const path of Object.values(folders)) mkdirSync(path)
  const limit = fork(limitServer, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  try {
    const port = await portOf(limit)
    const writes = await withGate(place, 'data', async ({ port: ours, token }) => {
      const bench = { place, folders, api, ports: { limit: port, ours }, token }
      return [...(await measurePeer(bench)), ...(await measureCli(bench))]
    })
    return [...writes, ...(await withGate(place, 'other-data', (gate) => measureHeld(place, gate)))]
  } finally {
    limit.disconnect()
    await api.close()
    await place.remove()
  }
}

async function withGate(
  place: ClaudeHome,
  dataName: string,
  measure: (gate: Gate) => Promise<Row[]>,
): Promise<Row[]> {
  const data = join(place.root, dataName)
  const reviews = join(data, 'reviews')
  mkdirSync(reviews, { recursive: true, mode: 0o700 })
  const rules = [{ pattern: `${folder}/**`, answer: 'write' }]
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ reviewPathRules: rules }), { mode: 0o600 })
  const host = startHost(place.home, place.project, data, place.config)
  try {
    const { hooks } = await readReady<{ hooks: { port: number } }>(host)
    const secret = new FolderStates(data).servers(dialectId)[0]?.token ?? ''
    return await measure({ host, port: hooks.port, token: tokenFor(secret, terminal), reviews })
  } finally {
    await endHost(host)
  }
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve) =>
    server.once('message', (message) => resolve((message as { port: number }).port)),
  )
}

/** What both have, and what ours adds. `client`: who calls. */
function rowsOf(client: string, { ours, limit }: Times): Row[] {
  const at = (share: number) => ({ ours: quantile(ours, share), limit: quantile(limit, share) })
  const added = (share: number) => at(share).ours - at(share).limit
  return [
    rowOf({ name: `${client}: the calls of a write that a rule lets through (p50)`, ...at(0.5) }),
    rowOf({ name: `${client}: the same (p99)`, ...at(0.99) }),
    rowOf({
      name: `${client}: added to a write (p50), beside what it may`,
      ...{ ours: added(0.5), limit: usual, target: { most: 1 } },
    }),
    rowOf({
      name: `${client}: added to a write (p99), beside what it may`,
      ...{ ours: added(0.99), limit: rare, target: { most: 1 } },
    }),
  ]
}

/** The same calls as the command line's, over new connections. */
async function measurePeer({ folders, ports, token }: Bench): Promise<Row[]> {
  const peers = {
    limit: new HookPeer(`http://127.0.0.1:${ports.limit}/hook`, { terminal, token }),
    ours: new HookPeer(`http://127.0.0.1:${ports.ours}/hook`, { terminal, token }),
  }
  const times: Times = { limit: [], ours: [] }
  // The first ones warm both up.
  for (let number = -50; number < writesOfPeer; number++) {
    const kind = kindOf(Math.abs(number))
    const path = join(folders[kind], `peer-${number}.txt`)
    const call = beforeTool('Write', { file_path: path, content }, { tool_use_id: `peer_${number}` })
    const begun = performance.now()
    const { permissionDecision } = decisionIn(await peers[kind].ask(call))
    const before = performance.now() - begun
    if (permissionDecision !== 'allow') throw new Error('no rule has let it through')
    await writeFile(path, content)
    const done = { type: 'create', filePath: path, content, structuredPatch: [], originalFile: null }
    const again = performance.now()
    await peers[kind].ask(afterTool(call, { tool_response: done }))
    if (number >= 0) times[kind].push(before + performance.now() - again)
  }
  return rowsOf('without the CLI', times)
}

/** The real command line writes, in a mode that asks about nothing by itself. */
async function measureCli({ place, folders, api, ports, token }: Bench): Promise<Row[]> {
  const cli = await installClaudeCode()
  if ('skipped' in cli) return []
  const way = await HookSwitch.open(ports)
  const plugin = join(place.root, 'plugin')
  const written = await writePlugin(plugin, way.url)
  if (!written.ok) throw new Error(written.failure.message)
  const writes = Array.from({ length: writesOfCli + inMessage }, (_, number) => ({
    name: 'Write',
    input: { file_path: join(folders[kindOf(number)], `cli-${number}.txt`), content },
  }))
  const messages = Array.from({ length: writes.length / inMessage }, (_, number) =>
    use(...writes.slice(number * inMessage, (number + 1) * inMessage)),
  )
  api.setScript(inOrder(...messages, say('done')))
  const words = ['-p', 'write them', '--permission-mode', 'acceptEdits', '--add-dir', folders.limit]
  const child = promisify(execFile)(cli.path, words, {
    cwd: place.project,
    env: {
      ...place.env,
      GREENLIGHT_HOOK_TOKEN: token,
      GREENLIGHT_TERMINAL: terminal,
      CLAUDE_CODE_PLUGIN_DIRS: plugin,
    },
  })
  child.child.stdin?.end()
  await child
  way.close()
  // The first message warms both up.
  const measured = way.writes.slice(inMessage)
  if (measured.length !== writesOfCli || measured.some(({ after }) => Number.isNaN(after)))
    throw new Error(`${measured.length} writes were called about`)
  const times: Times = { limit: [], ours: [] }
  const betweens: Times = { limit: [], ours: [] }
  for (const [index, { kind, at, before, after }] of measured.entries()) {
    times[kind].push(before + after)
    const next = measured[index + 1]
    // Between two messages is the model.
    if (next && (index + 1) % inMessage !== 0) betweens[kind].push(next.at - at)
  }
  const middle = { ours: quantile(betweens.ours, 0.5), limit: quantile(betweens.limit, 0.5) }
  return [
    ...rowsOf('Claude Code', times),
    rowOf({ name: 'Claude Code: from one write to the next (p50)', ...middle }),
  ]
}

/** Calls that wait for the person, who does nothing: what the host uses, beside the same host without them. */
async function measureHeld(place: ClaudeHome, { host, port, token, reviews }: Gate): Promise<Row[]> {
  const share = async (): Promise<number> => {
    const begun = processorTime(host.pid)
    await rest(watched)
    return ((processorTime(host.pid) - begun) / watched) * 100
  }
  await rest(settled)
  const idle = await share()
  const peer = new HookPeer(`http://127.0.0.1:${port}/hook`, { terminal, token })
  const calls = Array.from({ length: held }, (_, number) => {
    const path = join(place.project, `held-${number}.txt`)
    return peer.send(beforeTool('Write', { file_path: path, content }, { tool_use_id: `held_${number}` }))
  })
  // Each review has a folder.
  while (readdirSync(reviews).length < held) await rest(100)
  await rest(settled)
  const waiting = await share()
  for (const { hangUp } of calls) hangUp()
  const unit = '% of a core'
  return [
    rowOf({
      name: `${held} calls held open while nobody acts, beside what they may`,
      ...{ ours: waiting, limit: mostShare, unit, target: { most: 1 } },
    }),
    rowOf({ name: `${held} calls held open, beside none`, ours: waiting, limit: idle, unit }),
  ]
}

function rest(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time))
}
