import { randomUUID } from 'node:crypto'
import type { FileSwapper } from '../../core/files/compare-and-swap'
import type { Ledger } from '../../core/files/ledger'
import { disposable, type Disposable, DisposableStack } from '../../../shared/lifetime'
import { someAgent } from '../../../shared/review/proposal'
import { type WindowSurroundings, Changes } from '../../core/changes/changes'
import type { ChangesGit, PresentAgent, WrittenChange } from '../../core/changes/changes-ports'
import {
  type GitProgram,
  findIgnoredIn,
  findUnchanged,
  readCommitted,
  readWorkTree,
} from '../../core/git/work-tree'
import type { Connections, ToldWork } from '../../core/connections/connections'
import { agents } from '../../core/agents/agents'
import type { Profiles } from '../../core/agents/profiles'
import type { Notices } from '../../core/notices/notices'
import type { WindowSettings } from '../../core/settings/window-settings'
import type { Terminals } from '../../core/terminal/terminals'
import { noSigns } from '../../core/terminal/work-signs'
import type { ReviewDesk } from '../../core/review/desk'
import type { WindowFolders } from '../window-folders'
import type { Rewinding } from './rewinding'

/** Brings what agents write unasked to the desk, and tells `Changes` what each review left on disk. */
export function connectChangesToDesk({
  directory,
  desk,
  ledger,
  swapper,
  git,
  windows,
  report,
}: {
  directory: string
  desk: ReviewDesk
  ledger: Ledger
  swapper: FileSwapper
  git: GitProgram
  windows: () => readonly { connections: Connections; rewinding?: Pick<Rewinding, 'found'> }[]
  report: (error: unknown) => void
}): { changes: Changes; wired: Disposable } {
  const changes = new Changes({
    directory,
    git: gitPort(git),
    reviews: {
      isUnderReview: (path) => desk.isUnderReview(path),
      isExpected: (path, hash) => ledger.expects(path, hash),
      open: async (change) => {
        const connection = connectionOf(windows(), change.agent)
        const { path, before, agent } = change
        // One that is connected says itself what it wrote unasked.
        if (!windows().some(({ connections }) => connections.find(connection)))
          for (const { connections } of windows()) connections.tellWrote({ connection, path, call: null })
        for (const { rewinding } of windows()) await rewinding?.found(connection, path, before)
        return desk.openWritten({
          origin: {
            ...{ dialect: 'watcher', connection, agent: agent?.name ?? someAgent, call: randomUUID() },
            ...(agent?.command === undefined ? {} : { command: agent.command }),
          },
          ...change,
        })
      },
    },
    swapper,
    ledger,
    report,
  })
  const wired = desk.onChange((event) => {
    if (event.kind !== 'ended') return
    const left = event.left.map((hash) => (hash === 'absent' ? null : hash))
    changes.settled(event.path, left, event.bytes)
  })
  return { changes, wired }
}

/** The agents that are in a window. */
interface AgentPlaces {
  terminals: Terminals
  connections: Connections
  profiles: Profiles
}

/** What `Changes` needs of one window: its folders, and the agents in it. */
export function changesSurroundings(
  places: AgentPlaces,
  { folders, settings, notices }: { folders: WindowFolders; settings: WindowSettings; notices: Notices },
): WindowSurroundings {
  const { terminals, connections } = places
  return {
    folders: () => folders.paths,
    agents: {
      list: () => presentAgents(places),
      onChange: (listener) => {
        // Many events in one turn lead to one look.
        let soon: NodeJS.Immediate | undefined
        const hear = (): void => {
          soon ??= setImmediate(() => {
            soon = undefined
            listener()
          })
        }
        return new DisposableStack(
          terminals.onChange(hear),
          connections.onChange(hear),
          disposable(() => clearImmediate(soon)),
        )
      },
    },
    isOn: () => settings.get().reviewUnasked,
    warn: (sentence) => notices.warn(sentence),
  }
}

/** The agents of a window: those whose program runs in one of its terminals, and those that connect from elsewhere. */
function presentAgents({ terminals, connections, profiles: known }: AgentPlaces): PresentAgent[] {
  const profiles = new Map(known.snapshot().map((profile) => [profile.id, profile]))
  const connected = connections.list()
  const here = terminals.snapshot().flatMap((terminal): PresentAgent[] => {
    if (terminal.state.kind !== 'running') return []
    const mine = connected.filter((one) => one.terminal === terminal.id)
    const [connection] = mine
    const profile = profiles.get(terminal.profile)
    // A shell is the person's, unless an agent in it has connected.
    if (!connection && profile?.kind === 'shell') return []
    // Its program may not have said its name.
    const agent = profile?.kind === 'agent' ? agents.find(({ id }) => id === profile.id) : undefined
    const name = connection?.agent ?? agent?.name ?? profile?.title ?? terminal.title
    const told = connections.workOf(mine.map(({ id }) => id))
    const signs = terminals.get(terminal.id)?.signsOfWork ?? noSigns
    return [
      {
        id: terminal.id,
        name,
        pid: terminal.pid,
        // What is typed may be the answer to a question, of which an agent tells only afterwards.
        ...(told ? { typedAt: signs.typedAt } : signs),
        workedAt: told?.at ?? signs.workedAt ?? 0,
        command: told?.command,
        connection: connection?.id,
        mayBeQuiet: told === null && profile?.kind === 'own',
      },
    ]
  })
  // One that has just connected is not matched with its terminal yet; it must not count as a second agent.
  const unmatched = new Set(
    here.filter(({ id }) => !connected.some(({ terminal }) => terminal === id)).map(({ name }) => name),
  )
  const elsewhere = connected.flatMap(({ id, agent, pid, terminal }): PresentAgent[] =>
    here.some((one) => one.id === terminal) || (terminal === null && unmatched.has(agent))
      ? []
      : [{ id, name: agent, pid, ...toldBy(connections.workOf([id])), mayBeQuiet: false }],
  )
  return [...here, ...elsewhere]
}

function toldBy(told: ToldWork | null): Pick<PresentAgent, 'workedAt' | 'command'> {
  return { workedAt: told?.at ?? null, command: told?.command }
}

/** The connection by which an agent can be told something; its own id where it has none. */
function connectionOf(
  windows: readonly { connections: Connections }[],
  agent: WrittenChange['agent'],
): string {
  if (agent === null) return 'unknown'
  const connected = windows.flatMap((window) => window.connections.list())
  return connected.find(({ id, terminal }) => id === agent.id || terminal === agent.id)?.id ?? agent.id
}

function gitPort(program: GitProgram): ChangesGit {
  return {
    look: (folder) => readWorkTree(folder, program),
    ignored: (folder, paths) => findIgnoredIn(folder, paths, program),
    committed: (at, paths, sizeOf, maxBytes) => readCommitted(at, paths, sizeOf, maxBytes, program),
    unchanged: (at, paths) => findUnchanged(at, paths, program),
  }
}
