import type { Check } from '../../../shared/contract/connections'
import { isWithin } from '../../../shared/text/path-name'

/** A running command line of an agent that could be connected. */
export interface CliFacts {
  pid: number
  /** Its name for the person. */
  agent: string
  isConnected: boolean
  /** The terminal of this window that it runs in; null if it runs elsewhere. */
  terminal: { id: string; title: string } | null
  cwd: string | null
  /** Milliseconds since the epoch. */
  started: number | null
  variables: Readonly<Record<string, string>> | null
}

/** A discovery file as it is on disk now. */
export interface DiscoveryFileFacts {
  path: string
  state: 'fine' | 'missing' | 'wrong' | 'open-to-others'
}

/** A connection attempt that was refused. */
export interface Refusal {
  at: number
  status: number
  message: string
}

/** A client's own switch for editors, or why it can't be read. */
export type ClientSwitch = { path: string; enabled: boolean | null } | { path: string; problem: string }

/** Everything that the checks of one server look at. Times in milliseconds since the epoch. */
export interface ServerFacts {
  dialect: string
  /** Whether the server belongs to the window, rather than to all windows. */
  isOwn: boolean
  /** What its file is called. */
  fileNoun: string
  /** The names of the agents it serves, for the person. */
  agents: string
  on: boolean
  problem: string | null
  port: number | null
  /** When it began to listen; null if it doesn't. */
  started: number | null
  now: number
  folders: readonly string[]
  files: readonly DiscoveryFileFacts[]
  refusals: readonly Refusal[]
  clis: readonly CliFacts[]
  /** Installed versions of its agents, with the oldest version known to connect. */
  versions: readonly { agent: string; version: string | null; needs: string | null }[]
  /** The client's own switch, if it has one that is off by default; null otherwise. */
  clientSwitch: ClientSwitch | null
  /** The environment variable that tells a client an editor's port. */
  portVariable: string
  /** Whether a client that uses that variable may run outside the window's folders. */
  anywhereByVariable: boolean
  isContainer: boolean
  /** The variable that keeps a client in a container on loopback. Null if the client needs none. */
  containerVariable: string | null
  /** What to type into a command line to connect it; null if only a new start helps. */
  connectCommand: string | null
}

/** How long a command line may take from its start to connecting, in milliseconds. */
export const connectingTime = 15_000
/** Older refusals say nothing about now. In milliseconds. */
const recently = 10 * 60_000

/** Why a server's agents are connected or not, in words, and how to fix it. Says what is good, too. */
export function checkServer(facts: ServerFacts): Check[] {
  if (!facts.on) {
    return [
      {
        id: `${facts.dialect} server`,
        state: 'bad',
        words:
          facts.problem ??
          `The server for ${facts.agents} is off${facts.isOwn ? ' for this folder' : ''}. Nobody can connect.`,
        mend: { id: `switch-on ${facts.dialect}`, label: 'Turn it on', asks: null },
      },
    ]
  }
  return [
    {
      id: `${facts.dialect} server`,
      state: 'good',
      words: `Listening on 127.0.0.1:${facts.port ?? '?'}.`,
      mend: null,
    },
    ...checkFiles(facts),
    ...checkClientSwitch(facts),
    ...checkVersions(facts),
    ...checkRefusals(facts),
    ...facts.clis.flatMap((cli) => checkCli(facts, cli)),
  ]
}

function checkFiles({ dialect, fileNoun: noun, files }: ServerFacts): Check[] {
  const id = `${dialect} files`
  const mend = { id: `rewrite-files ${dialect}`, label: 'Rewrite it', asks: null }
  const wrong = files.find(({ state }) => state !== 'fine')
  if (files.length === 0) {
    return [{ id, state: 'bad', words: 'No file says where the server is, so agents can’t find it.', mend }]
  }
  if (wrong === undefined) {
    const words = files.length === 1 ? `Its ${noun} is in place.` : `Its ${noun}s are in place.`
    return [{ id, state: 'good', words, mend: null }]
  }
  return [{ id, state: 'bad', words: fileWords[wrong.state](wrong.path), mend }]
}

const fileWords: Record<DiscoveryFileFacts['state'], (path: string) => string> = {
  fine: (path) => `${path} is in place.`,
  missing: (path) => `${path} is gone, so new agents can’t find the server.`,
  wrong: (path) => `${path} doesn’t match this server: another program wrote it, or it’s old.`,
  'open-to-others': (path) => `${path} can be read by other users, so agents may refuse it.`,
}

function checkClientSwitch({ dialect, clientSwitch, agents }: ServerFacts): Check[] {
  const id = `${dialect} client switch`
  if (clientSwitch === null) return []
  if ('problem' in clientSwitch) return [{ id, state: 'unsure', words: clientSwitch.problem, mend: null }]
  if (clientSwitch.enabled === true) {
    return [{ id, state: 'good', words: `${agents} may connect to an editor.`, mend: null }]
  }
  return [
    {
      id,
      state: 'bad',
      words: `${agents} won’t look for an editor: “ide.enabled” is off in its settings.`,
      mend: {
        id: `client-switch ${dialect}`,
        label: 'Turn it on …',
        asks: `Greenlight sets “ide.enabled” and “ide.hasSeenNudge” to true in ${clientSwitch.path}. The rest of the file stays as it is. Restart ${agents} to apply it.`,
      },
    },
  ]
}

function checkVersions({ dialect, versions }: ServerFacts): Check[] {
  return versions.flatMap(({ agent, version, needs }): Check[] => {
    if (version === null || needs === null || !isOlder(version, needs)) return []
    const words = `${agent} ${version} is too old to connect; ${needs} or newer is needed. Update it.`
    return [{ id: `${dialect} version ${agent}`, state: 'unsure', words, mend: null }]
  })
}

function checkRefusals({ dialect, isOwn, refusals, now }: ServerFacts): Check[] {
  const recent = refusals.filter(({ at }) => now - at < recently)
  const last = recent.at(-1)
  if (last === undefined) return []
  const times = recent.length === 1 ? 'once' : `${recent.length} times`
  const why =
    last.status === 401 && isOwn
      ? 'Its token isn’t this server’s. An agent that was already running before Greenlight last started may have an old one: restart it.'
      : last.status === 403
        ? 'It came from a web page or under another host name. Only programs on this computer may connect.'
        : last.message
  return [
    {
      id: `${dialect} refused`,
      state: 'unsure',
      words: `A connection was refused ${times} in the last ten minutes. ${why}`,
      mend: null,
    },
  ]
}

function checkCli(facts: ServerFacts, cli: CliFacts): Check[] {
  if (cli.isConnected) return []
  const { now, dialect } = facts
  if (cli.started !== null && now - cli.started < connectingTime) return []
  const where = cli.terminal ? `in terminal “${cli.terminal.title}”` : `(process ${cli.pid})`
  const subject = `${cli.agent} ${where} isn’t connected`
  const { connectCommand } = facts
  const mend =
    cli.terminal && connectCommand !== null
      ? {
          id: `type-connect ${dialect} ${cli.terminal.id}`,
          label: `Type ${connectCommand} for me`,
          asks: null,
        }
      : null
  const { why, isTypable } = obstacleOf(facts, cli) ?? {
    why: `it has not looked for an editor, or was told not to. ${wayToConnect(facts)}`,
    isTypable: true,
  }
  return [
    {
      id: `${dialect} cli ${cli.pid}`,
      state: 'bad',
      words: `${subject}: ${why}`,
      mend: isTypable ? mend : null,
    },
  ]
}

function wayToConnect({ connectCommand }: Pick<ServerFacts, 'connectCommand'>): string {
  return connectCommand === null ? 'Restart it.' : `Type ${connectCommand} in it, or restart it.`
}

/** What keeps a command line from connecting to a server, as far as can be seen; null if nothing does. */
export function obstacleOf(
  facts: Omit<
    ServerFacts,
    'clis' | 'files' | 'refusals' | 'versions' | 'clientSwitch' | 'on' | 'problem' | 'isOwn' | 'fileNoun'
  >,
  cli: CliFacts,
): { why: string; isTypable: boolean } | null {
  const ledTo = cli.variables?.[facts.portVariable]
  const stays = (why: string) => ({ why, isTypable: false })
  if (ledTo !== undefined && ledTo !== String(facts.port)) {
    return stays('it was started for another editor. Start it in a terminal of this window.')
  }
  const mayBeAnywhere = facts.anywhereByVariable && ledTo !== undefined
  const { cwd } = cli
  if (cwd !== null && !mayBeAnywhere && !facts.folders.some((folder) => isWithin(folder, cwd))) {
    return stays(`it runs in ${cwd}, which is outside of this window’s folders. Start it inside them.`)
  }
  const proxy = proxyInTheWay(cli.variables)
  if (proxy !== null) {
    return stays(
      `${proxy} is set for it, but NO_PROXY doesn’t include 127.0.0.1, so it goes through the proxy. Start it in a terminal in this window.`,
    )
  }
  const { containerVariable } = facts
  if (facts.isContainer && containerVariable !== null && cli.variables && !isLoopbackKept(cli.variables)) {
    return stays(
      `it runs in a container and looks for editors outside of it. Set ${containerVariable}=1 for it, or start it in a terminal of this window.`,
    )
  }
  if (cli.started !== null && facts.started !== null && cli.started < facts.started) {
    return {
      why: `it was started before this server, and looks for an editor only at its start. ${wayToConnect(facts)}`,
      isTypable: true,
    }
  }
  return null
}

/** Any of these keeps Gemini's client on loopback inside a container (measured with 0.61.0). */
function isLoopbackKept(variables: Readonly<Record<string, string>>): boolean {
  return ['REMOTE_CONTAINERS', 'VSCODE_REMOTE_CONTAINERS_SESSION', 'SSH_CONNECTION'].some(
    (name) => (variables[name] ?? '') !== '',
  )
}

/** The name of a proxy variable that catches loopback, or null. */
export function proxyInTheWay(variables: Readonly<Record<string, string>> | null): string | null {
  if (variables === null) return null
  const name = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'].find(
    (candidate) => (variables[candidate] ?? '') !== '',
  )
  if (name === undefined) return null
  const direct = (variables['NO_PROXY'] ?? variables['no_proxy'] ?? '').split(/[\s,]+/)
  return direct.includes('*') || direct.includes('127.0.0.1') ? null : name
}

/** Whether a version is older than another, by its numbers; a pre-release counts as its release. */
export function isOlder(version: string, needed: string): boolean {
  const numbers = (text: string) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number)
  const have = numbers(version)
  for (const [index, wanted] of numbers(needed).entries()) {
    const part = have[index] ?? 0
    if (Number.isNaN(part)) return false
    if (part !== wanted) return part < wanted
  }
  return false
}
