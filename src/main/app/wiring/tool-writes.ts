import { hashContent } from '../../core/files/content-hash'
import type { Ledger } from '../../core/files/ledger'
import type { ReviewDesk } from '../../core/review/desk'
import type { Receipt } from '../../core/review/record/receipts'

/** Where writes that nobody was asked about here end up. */
interface WriteRooms {
  desk: Pick<ReviewDesk, 'receive' | 'openWritten' | 'isUnderReview'>
  ledger: Ledger
  /** What went wrong in here, which is a bug. */
  report(error: unknown): void
}

/**
 * Takes a tool's write that nobody was asked about here: into the record; or, where its mode let it through and the person
 * wants to look at such writes (`isLookedAt`), into a review, from what the file held right before.
 */
export async function receiveWrite(
  receipt: Receipt,
  isLookedAt: boolean,
  { desk, ledger, report }: WriteRooms,
): Promise<void> {
  const { origin, realPath: path, title, before, after, by } = receipt
  // The agent waits for this, and need not wait until the receipt is on disk.
  const keep = () => void desk.receive(receipt).catch(report)
  if (by.kind === 'rule') return keep()
  const hash = after === null ? null : hashContent(after)
  const isSame = before === null ? hash === null : hashContent(before) === hash
  // What was accepted here, or is being asked about, has its review.
  if (isSame || ledger.expects(path, hash) || desk.isUnderReview(path)) return
  // Whoever watches the folder finds the same, which is told hereby.
  ledger.expect({ path, hash })
  if (by.kind === 'mode' && isLookedAt) await desk.openWritten({ origin, path, title, before, after })
  else keep()
}
