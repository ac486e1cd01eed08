import { agentOf } from '../../../shared/conversation/session-record'
import type { LineFile } from './line-file'
import type { AgentStart } from './search/session-hit'
import type { SessionPlace } from './session-places'
import { callsOf, type ShownPlace } from './figure-count'
import { startedAgents, SubAgentFiles } from './sub-agent-files'

/** Finds where a session's sub-agents were started, from the lines in all its files. */
export class AgentStarts {
  readonly #path: string
  readonly #files: SubAgentFiles
  readonly #open: (path: string) => LineFile | null
  readonly #known = new Map<string, Promise<AgentStart | null>>()

  /** `open` opens one of the session's files; its caller closes it. */
  constructor(session: SessionPlace, open: (path: string) => LineFile | null) {
    this.#path = session.path
    this.#files = new SubAgentFiles(session)
    this.#open = open
  }

  /** Null if none of the session's tools started this one, as for the record of a compaction. */
  of(agent: string): Promise<AgentStart | null> {
    const known = this.#known.get(agent)
    if (known) return known
    // Records that name each other in a circle lead nowhere.
    this.#known.set(agent, Promise.resolve(null))
    const found = this.#find(agent)
    this.#known.set(agent, found)
    return found
  }

  async #find(agent: string): Promise<AgentStart | null> {
    const others: { id: string; file: LineFile }[] = []
    for (const id of await this.#files.ids()) {
      const file = id === agent ? null : this.#open(this.#files.recordOf(id))
      if (file) others.push({ id, file })
    }
    const main = this.#open(this.#path)
    const files = [...(main ? [main] : []), ...others.map(({ file }) => file)]
    const call = (await this.#files.callOf(agent)) ?? callThatStarted(agent, files)
    if (call === null) return null
    const card = main && placeOfCall(main, call, false)
    if (card) return { card, above: [] }
    for (const { id, file } of others) {
      const place = placeOfCall(file, call, true)
      const start = place && (await this.of(id))
      if (start) return { card: start.card, above: [...start.above, { agent: id, ...place }] }
    }
    return null
  }
}

function callThatStarted(agent: string, files: readonly LineFile[]): string | null {
  for (const file of files) {
    for (const { record } of file.linesWith(JSON.stringify(agent))) {
      const started = startedAgents(record).find(([id]) => id === agent)
      if (started) return started[1]
    }
  }
  return null
}

/** Where a call's tool is shown in a file, before an offset if one is given. Null if it isn't there. */
export function placeOfCall(
  file: LineFile,
  call: string,
  isOfAgent: boolean,
  before?: number,
): ShownPlace | null {
  for (const { record, shown, uuid, offset } of file.linesWith(JSON.stringify(call), before)) {
    if (uuid === null || shown !== 'reply' || (!isOfAgent && agentOf(record) !== null)) continue
    if (callsOf(record).includes(call)) return { uuid, offset }
  }
  return null
}
