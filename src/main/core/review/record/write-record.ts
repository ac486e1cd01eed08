import { basename } from 'node:path'
import type { WriteEntry } from '../../../../shared/contract/write-record'
import { isWithin } from '../../../../shared/text/path-name'
import { noRipgrep, runRipgrep } from '../../platform/ripgrep'
import type { KeptReview } from '../journal-format'
import type { KeptTextName } from './kept-folder'

/** Where the record comes from: the decided reviews of an app, or their folder. */
export interface RecordSource {
  /** Newest first. */
  all(): Promise<readonly KeptReview[]>
  text(kept: KeptReview, name: KeptTextName): Promise<string | null>
  readonly folder: string
  /** Null: there is none. */
  ripgrep(): Promise<string | null>
}

/** An entry without the folder that is shown, which depends on the window. */
export type EntryAnywhere = Omit<WriteEntry, 'folder'>

/** The last entry that was given; what follows is older. */
interface RecordMark {
  readonly at: number
  readonly id: string
}

/** The texts of an entry, with line ends as in a draft. `written` is null if nothing is known. */
export interface EntryTexts {
  readonly before: string
  readonly proposed: string
  readonly written: string | null
}

/** What agents have written or asked to write, and what became of it; as much of it as is kept. */
export class WriteRecord {
  readonly #source: RecordSource

  constructor(source: RecordSource) {
    this.#source = source
  }

  /**
   * The newest entries, or those that follow `after`. `text`: words that each entry has in its path, agent, rule or
   * texts, in any case. `problem`: why the texts couldn't be searched.
   */
  async page({
    text,
    after,
    limit,
  }: {
    text: string
    after?: RecordMark | undefined
    limit: number
  }): Promise<{ entries: EntryAnywhere[]; more: boolean; problem?: string }> {
    const found = await this.#find(text.split(/\s+/).filter((word) => word !== ''))
    const rest = following(found.entries, after)
    const entries = rest.slice(0, limit).map(entryOf)
    const problem = found.problem === undefined ? {} : { problem: found.problem }
    return { entries, more: rest.length > limit, ...problem }
  }

  /** What is compared of an entry; null if its texts aren't kept. */
  async texts(id: string): Promise<(EntryTexts & { path: string }) | null> {
    const kept = (await this.#source.all()).find((one) => one.id === id)
    const texts = kept && (await this.#textsOf(kept))
    return texts ? { ...texts, path: kept.path } : null
  }

  /**
   * The record as JSON lines, newest first: one line for each entry of a file or folder (a real path; undefined: all of
   * them) that follows `after`. With `texts` each holds its texts, which may hold secrets.
   */
  async *lines(options: {
    path?: string | undefined
    texts: boolean
    after?: RecordMark | undefined
  }): AsyncGenerator<{ line: string; mark: RecordMark }> {
    const { path, after } = options
    for (const kept of thoseIn(path, following(await this.#source.all(), after))) {
      const texts = options.texts ? await this.#textsOf(kept) : null
      yield { line: JSON.stringify(lineOf(kept, texts)), mark: { at: kept.decidedAt, id: kept.id } }
    }
  }

  /** The entries of a file or folder (a real path; undefined: all of them), newest first. */
  async list(path?: string): Promise<EntryAnywhere[]> {
    return thoseIn(path, await this.#source.all()).map(entryOf)
  }

  async #find(words: readonly string[]): Promise<{ entries: readonly KeptReview[]; problem?: string }> {
    let entries = await this.#source.all()
    if (words.length === 0) return { entries }
    const program = await this.#source.ripgrep()
    for (const word of words) {
      const inTexts = program === null ? new Set<string>() : await this.#idsWith(word, program)
      const lower = word.toLowerCase()
      entries = entries.filter((kept) => inTexts.has(kept.id) || wordsOf(kept).includes(lower))
      if (entries.length === 0) break
    }
    return { entries, ...(program === null ? { problem: noRipgrep.failure.message } : {}) }
  }

  /** The ids of those with a word in one of their texts. */
  async #idsWith(word: string, program: string): Promise<Set<string>> {
    const ids = new Set<string>()
    let names = ''
    const how = ['--ignore-case', '--fixed-strings', '--files-with-matches', '--no-ignore', '--hidden']
    await runRipgrep({
      program,
      folder: this.#source.folder,
      args: [...how, '--text', '--glob', '*.txt', '--regexp', word, '.'],
      output: (piece) => {
        names += piece.toString()
        return true
      },
      signal: new AbortController().signal,
    })
    for (const name of names.split('\n')) {
      const [, id] = name.split(/[\\/]/)
      if (id !== undefined) ids.add(id)
    }
    return ids
  }

  async #textsOf(kept: KeptReview): Promise<EntryTexts | null> {
    const read = (name: KeptTextName) => this.#source.text(kept, name)
    const [base, proposed] = await Promise.all([read('base'), read('proposed')])
    if (base === null || proposed === null) return null
    const before = (await read('before')) ?? base
    const asked = (await read('asked')) ?? proposed
    switch (writtenOf(kept)) {
      case 'as-proposed':
        return { before, proposed: asked, written: asked }
      case 'nothing':
        return { before, proposed: asked, written: before }
      case 'otherwise':
        return { before, proposed: asked, written: await read('written') }
      case 'unknown':
        return { before, proposed: asked, written: null }
    }
  }
}

function following(all: readonly KeptReview[], after: RecordMark | undefined): readonly KeptReview[] {
  if (after === undefined) return all
  const at = all.findIndex(({ id }) => id === after.id)
  // It may be gone meanwhile.
  return at >= 0 ? all.slice(at + 1) : all.filter(({ decidedAt }) => decidedAt < after.at)
}

function thoseIn(place: string | undefined, all: readonly KeptReview[]): readonly KeptReview[] {
  return place === undefined ? all : all.filter(({ path }) => isWithin(place, path))
}

function wordsOf({ path, agent, by }: KeptReview): string {
  const rule = by?.kind === 'rule' ? by.pattern : ''
  return [path, agent, rule].join('\n').toLowerCase()
}

function writtenOf({ sides, wrote }: KeptReview): WriteEntry['written'] {
  if (wrote === null) return 'nothing'
  if (!sides || !wrote) return 'unknown'
  if (wrote.hash === sides.proposed) return 'as-proposed'
  return wrote.hash === sides.before ? 'nothing' : 'otherwise'
}

function entryOf(kept: KeptReview): EntryAnywhere {
  const { id, path, agent, how, by, source, lines, takenBack } = kept
  return {
    id,
    path,
    name: basename(path),
    agent,
    at: kept.decidedAt,
    how,
    ...(by?.kind === 'rule' ? { rule: by.pattern } : {}),
    ...(by?.kind === 'mode' ? { mode: by.mode } : {}),
    ...(source?.session === undefined ? {} : { session: source.session }),
    ...(lines ? { addedLines: lines.added, removedLines: lines.removed } : {}),
    written: writtenOf(kept),
    hasTexts: kept.content !== 'binary',
    ...(kept.content === 'binary' ? sizesOf(kept) : {}),
    canUndo: kept.accepted !== null,
    canReopen: kept.question !== undefined,
    ...(takenBack === undefined ? {} : { takenBack }),
  }
}

function sizesOf({ sides, wrote }: KeptReview): Pick<WriteEntry, 'bytesBefore' | 'bytesAfter'> {
  const [bytesBefore, bytesAfter] = [sides?.bytesBefore, wrote?.bytes]
  return {
    ...(bytesBefore === undefined ? {} : { bytesBefore }),
    ...(bytesAfter === undefined ? {} : { bytesAfter }),
  }
}

/** One line of an export. Hashes are SHA-256 of the file's bytes, null for no file; texts have LF line ends. */
function lineOf(kept: KeptReview, texts: EntryTexts | null) {
  const { id, path, agent, how, by, source, sides, wrote, takenBack } = kept
  // JSON leaves out undefined values.
  const side = (sha256?: string | null, text?: string | null) => ({ sha256, text: text ?? undefined })
  return {
    format: 1,
    id,
    at: new Date(kept.decidedAt).toISOString(),
    path,
    agent,
    ...source,
    how,
    by,
    before: { ...side(sides?.before, texts?.before), bytes: sides?.bytesBefore },
    proposed: side(sides?.proposed, texts?.proposed),
    written: wrote && { ...side(wrote.hash, texts?.written), bytes: wrote.bytes },
    takenBack: takenBack === undefined ? undefined : new Date(takenBack).toISOString(),
  }
}
