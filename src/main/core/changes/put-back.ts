import type { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import type { Ledger } from '../files/ledger'
import { removeIfSame } from '../files/remove-if-same'
import { type BytesBefore, bytesIn, isAsBefore, readBefore } from './baseline'
import type { GroupedFile } from './change-groups'
import { diskHashOf, readDisk } from './disk-bytes'
import type { ChangesGit, ChangesReviews } from './changes-ports'
import type { Snapshots } from './snapshots'

export interface PutBackParts {
  git: ChangesGit
  reviews: Pick<ChangesReviews, 'isUnderReview'>
  snapshots: Snapshots
  swapper: FileSwapper
  ledger: Ledger
}

/** How many files' old texts are read at a time, which bounds the memory they take. */
const readAtOnce = 64
/** How many files are written in parallel. */
const writtenAtOnce = 8

/**
 * Puts files back to what they held before an agent wrote them, if they still hold what the agent left. Files written
 * since, under review, or with unknown old content stay as they are. `onDone` gets the paths that are as before, some
 * at a time.
 */
export async function putBackFiles(
  files: readonly GroupedFile[],
  parts: PutBackParts,
  onDone: (paths: readonly string[]) => void,
): Promise<void> {
  for (let at = 0; at < files.length; at += readAtOnce) {
    const some = files.slice(at, at + readAtOnce)
    const texts = await readBefore(new Map(some.map(({ path, before }) => [path, before])), parts)
    const done: string[] = []
    for (let from = 0; from < some.length; from += writtenAtOnce) {
      await Promise.all(
        some.slice(from, from + writtenAtOnce).map(async (file) => {
          if (await putBack(file, bytesIn(texts, file.path), parts)) done.push(file.path)
        }),
      )
    }
    onDone(done)
  }
}

/** Resolves to whether the file is as before now. */
async function putBack(
  { path, after }: GroupedFile,
  before: BytesBefore,
  { reviews, swapper, ledger }: PutBackParts,
): Promise<boolean> {
  if (before === 'unknown' || reviews.isUnderReview(path)) return false
  const disk = await readDisk(path)
  if (isAsBefore(before, disk)) return true
  const found = diskHashOf(disk)
  if (found === undefined || found !== after) return false
  const write = { path, hash: before === null ? null : hashContent(before) }
  ledger.expect(write)
  const result =
    before === null
      ? await removeIfSame(path, found ?? '')
      : await swapper.swap(path, found, before, { createParents: true })
  if (!result.ok) ledger.cancel(write)
  return result.ok
}
