import { join } from 'node:path'
import { z } from 'zod'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, fail } from '../../../shared/result'
import { isWithin } from '../../../shared/text/path-name'
import { readJsonFile, writeJsonFile } from '../files/json-file'

/** Beyond this the oldest answer is forgotten, and its folder is asked about again. */
const mostAnswers = 1000

const trustFile = z.object({
  version: z.literal(1),
  /** By real path, the oldest answer first. */
  folders: z.array(z.object({ path: z.string().min(1), mayRun: z.boolean() })),
})
type Answer = z.infer<typeof trustFile>['folders'][number]

/** Whether what belongs to a folder may run; `declined`: the person has said not now. */
export type TrustState = 'trusted' | 'declined' | 'unasked'

/**
 * Which folders the person trusts, so that what belongs to them may run: hooks, MCP servers and whatever else their
 * files name. Kept in DATA/trusted-folders.json by real path. What lies in a trusted folder is trusted too. An answer
 * holds at once, even if the disk refuses to keep it.
 */
export class FolderTrust implements Disposable {
  readonly #path: string
  readonly #own: readonly string[]
  readonly #changed = new Emitter<void>()
  #answers: readonly Answer[]
  #writing: Promise<unknown> = Promise.resolve()
  readonly onChange = this.#changed.on
  /** What was wrong with the file at the start, as a sentence; in that case no folder is trusted. */
  readonly problem: string | null

  /** `own`: real paths of the app's own folders, which need no answer. */
  constructor(dataDirectory: string, own: readonly string[] = []) {
    this.#path = join(dataDirectory, 'trusted-folders.json')
    this.#own = own
    const { value, problem } = readJsonFile(this.#path, trustFile, 'The list of trusted folders')
    this.#answers = value?.folders ?? []
    this.problem = problem
  }

  /** The folders that the person has trusted, the latest last. */
  get trusted(): readonly string[] {
    return this.#answers.filter(({ mayRun }) => mayRun).map(({ path }) => path)
  }

  /** Whether what belongs to a folder, given by its real path, may run. */
  mayRun(folder: string): boolean {
    return [...this.#own, ...this.trusted].some((trusted) => isWithin(trusted, folder))
  }

  stateOf(folder: string): TrustState {
    if (this.mayRun(folder)) return 'trusted'
    return this.#answers.some(({ path }) => path === folder) ? 'declined' : 'unasked'
  }

  /** The person's answer about a folder, or that they take it back. Fails if it can't be kept for the next start. */
  answer(folder: string, mayRun: boolean): Promise<Done> {
    const others = this.#answers.filter(({ path }) => path !== folder)
    this.#answers = [...others, { path: folder, mayRun }].slice(-mostAnswers)
    this.#changed.emit()
    const done = this.#writing.then(() => this.#write())
    this.#writing = done
    return done
  }

  dispose(): void {
    this.#changed.dispose()
  }

  async #write(): Promise<Done> {
    const written = await writeJsonFile(this.#path, { version: 1, folders: this.#answers })
    if (written.ok) return written
    return fail(written.failure.code, `This holds only until Greenlight ends. ${written.failure.message}`)
  }
}

/** Why nothing is started in a folder, and what can be done about it. */
export function untrusted(folder: string) {
  return fail(
    'untrusted',
    `${folder} isn’t trusted, so nothing that belongs to it may run. Trust it in the status bar of its window, then try again.`,
  )
}
