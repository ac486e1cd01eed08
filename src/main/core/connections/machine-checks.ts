import { type ServerFacts, isOlder, obstacleOf, proxyInTheWay, type CliFacts } from './server-checks'

/** An editor's discovery file, as found on disk. */
export interface FoundDiscoveryFile {
  path: string
  /** The editor that wrote it, by its own name. */
  editor: string
  isOurs: boolean
  /** Whether its process is alive, or its port answers; null if the file names neither. */
  isAlive: boolean | null
  port: number | null
  /** Null if the file doesn’t say which. */
  folders: readonly string[] | null
  /** Whether other accounts may read it. */
  isOpen: boolean
  /** Milliseconds since the epoch. */
  written: number
}

/** What the doctor looks at for one kind of server. */
export interface MachineFacts extends Pick<
  ServerFacts,
  | 'agents'
  | 'dialect'
  | 'portVariable'
  | 'anywhereByVariable'
  | 'isContainer'
  | 'containerVariable'
  | 'connectCommand'
  | 'clientSwitch'
> {
  installed: readonly {
    agent: string
    version: string | null
    isInstalled: boolean
    install: string
    needs: string | null
  }[]
  files: readonly FoundDiscoveryFile[]
  clis: readonly CliFacts[]
  variables: Readonly<Record<string, string | undefined>>
}

/** One line of the doctor's report. `note` is neither good nor bad. */
export interface Finding {
  state: 'good' | 'bad' | 'note'
  words: string
}

/** Says in words what keeps this machine's agents from Greenlight. Changes nothing. */
export function examine(facts: MachineFacts): Finding[] {
  return [
    ...facts.installed.flatMap(examineInstalled),
    ...examineSwitch(facts),
    ...examineFiles(facts),
    ...examineProxy(facts),
    ...facts.clis.map((cli) => examineCli(facts, cli)),
  ]
}

function examineInstalled(one: MachineFacts['installed'][number]): Finding[] {
  const { agent, version, isInstalled, install, needs } = one
  if (!isInstalled) return [{ state: 'note', words: `${agent} isn’t installed. To install it: ${install}` }]
  if (version === null) return [{ state: 'good', words: `${agent} is installed.` }]
  if (needs === null || !isOlder(version, needs))
    return [{ state: 'good', words: `${agent} ${version} is installed.` }]
  const words = `${agent} ${version} is too old to connect; ${needs} or newer is needed. Update it: ${install}`
  return [{ state: 'bad', words }]
}

function examineSwitch({ clientSwitch, agents, installed }: MachineFacts): Finding[] {
  if (clientSwitch === null || !installed.some(({ isInstalled }) => isInstalled)) return []
  if ('problem' in clientSwitch) return [{ state: 'bad', words: clientSwitch.problem }]
  if (clientSwitch.enabled === true) return [{ state: 'good', words: `${agents} may connect to an editor.` }]
  return [
    {
      state: 'bad',
      words: `${agents} won’t look for an editor. Set "ide": {"enabled": true} in ${clientSwitch.path}, or type /ide enable in it. Greenlight’s Connections view can do it for you.`,
    },
  ]
}

function examineFiles({ files }: MachineFacts): Finding[] {
  const ours = files.filter(({ isOurs, isAlive }) => isOurs && isAlive !== false)
  const running: Finding[] = ours.map(({ port, folders }) => ({
    state: 'good',
    words: `Greenlight listens on 127.0.0.1:${port ?? '?'}${folders ? ` for ${folders.join(', ') || 'no folder'}` : ''}.`,
  }))
  const none: Finding[] =
    ours.length === 0 ? [{ state: 'note', words: 'Greenlight isn’t running for it.' }] : []
  const rest = files.flatMap(({ path, editor, isOurs, isAlive, isOpen }): Finding[] => {
    if (isAlive === false) {
      const words = isOurs
        ? `${path} was left behind by a Greenlight that has ended. The next start removes it.`
        : `${path} was left behind by ${editor}, which has ended. Agents may try it first; you can delete it.`
      return [{ state: 'note', words }]
    }
    if (isOpen) return [{ state: 'bad', words: `${path} can be read by other users. Run chmod 600 ${path}` }]
    return isOurs ? [] : [{ state: 'note', words: `${editor} also offers itself as its editor (${path}).` }]
  })
  return [...running, ...none, ...rest]
}

function examineProxy({ variables }: MachineFacts): Finding[] {
  const set = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const proxy = proxyInTheWay(set)
  if (proxy === null) return []
  return [
    {
      state: 'note',
      words: `${proxy} is set, but NO_PROXY doesn’t include 127.0.0.1. Agents outside Greenlight’s terminals may go through the proxy. Run export NO_PROXY=127.0.0.1,localhost`,
    },
  ]
}

/** Compared with our server that has its folder, or else with the latest. */
function examineCli(facts: MachineFacts, cli: CliFacts): Finding {
  const name = `${cli.agent} (process ${cli.pid})`
  const ours = facts.files.filter(({ isOurs, isAlive }) => isOurs && isAlive !== false)
  if (ours.length === 0) return { state: 'note', words: `${name} is running.` }
  const obstacles = ours.map((file) =>
    obstacleOf(
      { ...facts, port: file.port, started: file.written, folders: file.folders ?? [], now: Date.now() },
      cli,
    ),
  )
  if (obstacles.includes(null))
    return { state: 'good', words: `${name} is running, and nothing prevents it from connecting.` }
  const why = obstacles.at(-1)?.why ?? ''
  return { state: 'bad', words: `${name} can’t connect automatically: ${why}` }
}
