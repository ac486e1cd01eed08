import type { Ledger } from '../../core/files/ledger'
import type { ReviewDesk } from '../../core/review/desk'
import { type Receipt, sumOf } from '../../core/review/record/receipts'

/** Where writes that nobody was asked about here end up. */
interface WriteRooms {
  desk: Pick<ReviewDesk, 'tellsOf' | 'receive' | 'openWritten'>
  ledger: Ledger
  /** What went wrong in here, which is a bug. */
  report(error: unknown): void
}

/**
 * Takes a tool's write that nobody was asked about here and no review tells of: into the record; or, where its mode let it
 * through and the person wants to look at such writes (`isLookedAt`), into a review, from what the file held right before.
 */
export async function receiveWrite(
  receipt: Receipt,
  isLookedAt: boolean,
  { desk, ledger, report }: WriteRooms,
): Promise<void> {
  const { origin, realPath: path, title, before, after, by } = receipt
  const hash = after && sumOf(after).hash
  const was = before && sumOf(before).hash
  if (by.kind !== 'rule' && was === hash) return
  if (await desk.tellsOf(receipt)) return
  // Whoever watches the folder finds the same, which is told hereby.
  ledger.expect({ path, hash })
  const isOpened =
    by.kind === 'mode' &&
    isLookedAt &&
    (await desk.openWritten({ origin, path, title, before, after })) !== null
  // The agent waits for this, and need not wait until the receipt is on disk.
  if (!isOpened) void desk.receive(receipt).catch(report)
}
