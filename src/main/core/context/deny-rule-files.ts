import { join } from 'node:path'
import { type Disposable, DisposableStack, Emitter } from '../../../shared/lifetime'
import { systemCode } from '../files/file-failure'
import { resolveRealPath } from '../files/real-path'
import { readIfShort } from '../files/regular-file'
import { type Anchors, anchorRules, plainStart, readDenyRules } from './deny-rules'
import { type RuleList, allNames, escapePattern, slashed } from '../files/path-rules'

/** Longer settings files are not read. In bytes. */
const longest = 4 * 1024 * 1024

/** Watches a file; resolves once it tells every later change. */
export type WatchFile = (path: string, listener: () => void) => Promise<Disposable>

interface Followed {
  readonly anchors: Anchors
  readonly path: string
  rules: readonly string[]
  /** The absolute rules again, with symbolic links at their start resolved. */
  twins: RuleList['rules']
  problem: string | null
  /** Counts the reads, so that a slow one doesn't undo a newer one. */
  readings: number
}

/** Follows the `Read` deny rules in the Claude Code settings files of some folders, and in the person's own. */
export class DenyRuleFiles implements Disposable {
  readonly #watch: WatchFile
  readonly #changed = new Emitter<void>()
  readonly onChange = this.#changed.on
  #files: readonly Followed[] = []
  #homes: readonly string[] = []
  #watches = new DisposableStack()

  constructor(watch: WatchFile) {
    this.#watch = watch
  }

  /** All names of the home folder, with slashes; empty before `follow`. */
  get homes(): readonly string[] {
    return this.#homes
  }

  /** All rules in force. */
  get lists(): RuleList[] {
    return this.#files.flatMap(({ rules, twins, anchors }) => [
      ...anchorRules(rules, anchors),
      { base: '/', rules: twins, file: anchors.file },
    ])
  }

  /** What is wrong with each file, as sentences. */
  get problems(): string[] {
    return this.#files.flatMap(({ problem }) => problem ?? [])
  }

  /** Follows these folders from now on. Resolves when their rules are known. */
  async follow(folders: readonly string[], home: string, configFolder: string): Promise<void> {
    this.#watches.dispose()
    const watches = new DisposableStack()
    this.#watches = watches
    const [homes, configs] = await Promise.all([allNames(home), allNames(configFolder)])
    if (this.#watches !== watches) return
    this.#homes = homes
    const shared = { folders: folders.map((folder) => slashed(folder)), homes }
    const files = [
      ...folders.flatMap((folder) =>
        ['settings.json', 'settings.local.json'].map((name) =>
          followed(join(folder, '.claude', name), {
            ...shared,
            roots: [slashed(folder)],
            folders: [slashed(folder)],
          }),
        ),
      ),
      followed(join(configFolder, 'settings.json'), { ...shared, roots: configs }),
    ]
    this.#files = files
    await Promise.all(
      files.map(async (file) => {
        watches.add(await this.#watch(file.path, () => void this.#read(file)))
        await this.#read(file)
      }),
    )
  }

  dispose(): void {
    this.#watches.dispose()
    this.#changed.dispose()
  }

  async #read(file: Followed): Promise<void> {
    const reading = (file.readings += 1)
    const rules = await readRules(file.path)
    const twins = rules === null ? [] : await realTwins(rules)
    if (reading !== file.readings || !this.#files.includes(file)) return
    // A file that can't be understood now doesn't lift what it forbade before.
    file.problem =
      rules === null
        ? `${file.path} can’t be parsed, so its last valid deny rules apply. Fix the file.`
        : null
    if (rules !== null) [file.rules, file.twins] = [rules, twins]
    this.#changed.emit()
  }
}

function followed(path: string, anchors: Omit<Anchors, 'file'>): Followed {
  return { path, anchors: { ...anchors, file: path }, rules: [], twins: [], problem: null, readings: 0 }
}

/** The rules in a file; none if there is no file, null if it can't be read or understood. */
async function readRules(path: string): Promise<string[] | null> {
  try {
    const bytes = await readIfShort(path, longest)
    return bytes === undefined ? null : readDenyRules(bytes.toString('utf8'))
  } catch (error) {
    const code = systemCode(error)
    if (code === '') throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : null
  }
}

async function realTwins(rules: readonly string[]): Promise<RuleList['rules']> {
  const twins = await Promise.all(
    rules.map(async (rule) => {
      const plain = plainStart(rule)
      if (!plain) return []
      const real = await resolveRealPath(plain.start).catch(() => plain.start)
      if (real === plain.start) return []
      return [{ pattern: escapePattern(slashed(real)) + plain.rest, spelled: rule }]
    }),
  )
  return twins.flat()
}
