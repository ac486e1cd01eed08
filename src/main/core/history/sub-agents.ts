import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import type { FileWatcher } from '../files/watcher'
import { RepeatedLook } from '../files/repeated-look'
import { companionFolder, type SessionPlace } from './session-places'
import { SubAgentFiles, type SubAgentNotes } from './sub-agent-files'

/** A sub-agent's own session, in a separate file. */
export interface SubAgent extends SubAgentNotes {
  /** As in `toolUseResult.agentId` and in the lines of its file. */
  id: string
  path: string
}

/** A session's sub-agents that have a file in its own folder, followed as they come. */
export class SubAgents implements Disposable {
  readonly #place: SessionPlace
  readonly #files: SubAgentFiles
  readonly #watcher: Pick<FileWatcher, 'watchDirectory'>
  readonly #changes = new Emitter<readonly SubAgent[]>()
  /** Tells all of them whenever that has changed. */
  readonly onChange: Listen<readonly SubAgent[]> = this.#changes.on
  readonly #owned = new DisposableStack()
  #all: readonly SubAgent[] = []
  readonly #looks = new RepeatedLook(() => this.#look())
  #isDisposed = false

  constructor(place: SessionPlace, watcher: Pick<FileWatcher, 'watchDirectory'>) {
    this.#place = place
    this.#files = new SubAgentFiles(place)
    this.#watcher = watcher
  }

  get all(): readonly SubAgent[] {
    return this.#all
  }

  /** Looks for the first time, and then at every change. */
  async start(): Promise<void> {
    // Both, because the inner folder comes with the first sub-agent.
    for (const folder of [companionFolder(this.#place), this.#files.folder]) {
      this.#owned.add(await this.#watcher.watchDirectory(folder, () => this.#looks.ask()))
    }
    await this.#looks.settled()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#looks.dispose()
    this.#owned.dispose()
    this.#changes.dispose()
  }

  async #look(): Promise<void> {
    const ids = await this.#files.ids()
    const all = await Promise.all(
      ids.map(async (id) => ({
        id,
        path: this.#files.recordOf(id),
        ...(await this.#files.notesOf(id)),
      })),
    )
    const isSame = JSON.stringify(all) === JSON.stringify(this.#all)
    this.#all = all
    if (!isSame && !this.#isDisposed) this.#changes.emit(all)
  }
}
