import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolders } from '../journal-reading'
import { type KeptReview, keptSchema, sumOfFile } from '../journal-format'

/** A data directory's folder of decided reviews: one folder for each, with its texts. */
export function keptFolderOf(directory: string): string {
  return join(directory, 'decided-reviews')
}

/**
 * The texts that are kept of a decided review, each in a file of its own, with line ends as in a draft.
 * - `base`: what an undo writes.
 * - `proposed`: the proposal; if rejected, with the person's edits, as reopening shows it.
 * - `before`: what the file held before the change, if that isn't `base`.
 * - `asked`: the proposal as the agent made it, if that isn't `proposed`.
 * - `written`: what was written, if it is neither the text from before nor the proposal.
 */
export const keptTextNames = ['base', 'proposed', 'before', 'asked', 'written'] as const
export type KeptTextName = (typeof keptTextNames)[number]
export type KeptTexts = Partial<Record<KeptTextName, string>>

export const keptFile = 'kept.json'
export const keptTextFile = (name: KeptTextName) => `${name}.txt`

/** One folder of decided reviews as it was found. */
type FoundKept = { readonly id: string } & (
  | { readonly kind: 'kept'; readonly kept: KeptReview; readonly bytes: number }
  /** The app ended before all of it was kept. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'unreadable'; readonly error: unknown }
)

/** How many folders are read at once. */
const atOnce = 32

/** Reads what is kept, in no order. Changes nothing, so it may be called while an app has the directory. */
export async function* readKept(folder: string): AsyncGenerator<FoundKept> {
  const ids = await listFolders(folder)
  for (let from = 0; from < ids.length; from += atOnce)
    yield* await Promise.all(ids.slice(from, from + atOnce).map((id) => readOne(folder, id)))
}

async function readOne(folder: string, id: string): Promise<FoundKept> {
  const own = join(folder, id)
  const text = await readFile(join(own, keptFile), 'utf8').catch(() => null)
  if (text === null) return { id, kind: 'cut' }
  try {
    return { id, kind: 'kept', kept: keptSchema.parse(JSON.parse(text)), bytes: await sizeOf(own) }
  } catch (error) {
    return { id, kind: 'unreadable', error }
  }
}

/** A text that is kept of a decided review; null if there is none, or it is damaged. */
export async function readKeptText(
  folder: string,
  { id, sum }: Pick<KeptReview, 'id' | 'sum'>,
  name: KeptTextName,
): Promise<string | null> {
  const bytes = await readFile(join(folder, id, keptTextFile(name))).catch(() => null)
  const isDamaged = bytes !== null && name === 'base' && sum !== undefined && sum !== sumOfFile(bytes)
  return isDamaged ? null : (bytes?.toString() ?? null)
}

/** Newest first; those decided in the same millisecond always in the same order. */
export function newestFirst(one: KeptReview, other: KeptReview): number {
  return other.decidedAt - one.decidedAt || (one.id < other.id ? 1 : -1)
}

/** How many bytes the files in a folder have. */
export async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
