import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import { listDirectory } from '../files/list-directory'
import type { FileWatcher } from '../files/watcher'
import { RepeatedLook } from './repeated-look'
import { companionFolder, isSessionId, type SessionPlace } from './session-places'

/** A sub-agent's own session, in a file beside that of its session. */
export interface SubAgent {
  /** As `toolUseResult.agentId` and the lines of its file name it. */
  id: string
  path: string
  /** The call that started it; null where that is not written down. */
  call: string | null
  description: string | null
  /** What kind of agent it is, in the agent's word. */
  kind: string | null
}

/** What is written down of a sub-agent beside its lines. */
const notes = z.object({
  toolUseId: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  agentType: z.string().nullish().catch(null),
})

/**
 * The sub-agents of a session: of 2.1 in SESSION/subagents, of versions before it beside the session's own file, where
 * they are asked for by name (`SubAgents.find`) since they belong to any session of the folder.
 */
export class SubAgents implements Disposable {
  readonly #place: SessionPlace
  readonly #watcher: Pick<FileWatcher, 'watchDirectory'>
  readonly #changes = new Emitter<readonly SubAgent[]>()
  /** Hears all of them when there are others than before. */
  readonly onChange: Listen<readonly SubAgent[]> = this.#changes.on
  readonly #owned = new DisposableStack()
  #all: readonly SubAgent[] = []
  readonly #looks = new RepeatedLook(() => this.#look())
  #isDisposed = false

  constructor(place: SessionPlace, watcher: Pick<FileWatcher, 'watchDirectory'>) {
    this.#place = place
    this.#watcher = watcher
  }

  get all(): readonly SubAgent[] {
    return this.#all
  }

  /** Looks for the first time, and from then on when something changes. */
  async start(): Promise<void> {
    // Both: the inner folder comes with the first sub-agent.
    for (const folder of [companionFolder(this.#place), this.#folder]) {
      this.#owned.add(await this.#watcher.watchDirectory(folder, () => this.look()))
    }
    await this.#looks.settled()
  }

  look(): void {
    this.#looks.ask()
  }

  /** Where a sub-agent's lines are; null where there is no such file. The id is checked: it is never a path. */
  async find(id: string): Promise<string | null> {
    if (!isSessionId(id)) return null
    for (const folder of [this.#folder, dirname(this.#place.path)]) {
      const listed = await listDirectory(folder, { keep: ({ name }) => name === fileOf(id) })
      if (listed.ok && listed.value.entries.length > 0) return join(folder, fileOf(id))
    }
    return null
  }

  dispose(): void {
    this.#isDisposed = true
    this.#looks.dispose()
    this.#owned.dispose()
    this.#changes.dispose()
  }

  get #folder(): string {
    return join(companionFolder(this.#place), 'subagents')
  }

  async #look(): Promise<void> {
    const listed = await listDirectory(this.#folder)
    const names = listed.ok ? listed.value.entries.map((entry) => entry.name) : []
    const all = await Promise.all(
      names.flatMap((name) => {
        const id = /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1]
        return id === undefined ? [] : readAgent(id, this.#folder)
      }),
    )
    const isSame = JSON.stringify(all) === JSON.stringify(this.#all)
    this.#all = all
    if (!isSame && !this.#isDisposed) this.#changes.emit(all)
  }
}

async function readAgent(id: string, folder: string): Promise<SubAgent> {
  const text = await readFile(join(folder, `agent-${id}.meta.json`), 'utf8').catch(() => '{}')
  const read = notes.safeParse(parseJson(text))
  const { toolUseId = null, description = null, agentType = null } = read.success ? read.data : {}
  return { id, path: join(folder, fileOf(id)), call: toolUseId, description, kind: agentType }
}

function fileOf(id: string): string {
  return `agent-${id}.jsonl`
}
