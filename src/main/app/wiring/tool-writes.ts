import { hashContent } from '../../core/files/content-hash'
import type { Ledger } from '../../core/files/ledger'
import type { ReviewDesk } from '../../core/review/desk'
import type { Receipt } from '../../core/review/receipts'

/** Where writes that nobody was asked about here end up. */
interface WriteRooms {
  desk: Pick<ReviewDesk, 'receive' | 'openWritten' | 'isUnderReview'>
  ledger: Ledger
}

/**
 * Takes a tool's write that nobody was asked about here: into the record; or, where its mode let it through and the person
 * wants to look at such writes (`isLookedAt`), into a review, from what the file held right before.
 */
export async function receiveWrite(
  receipt: Receipt,
  isLookedAt: boolean,
  { desk, ledger }: WriteRooms,
): Promise<void> {
  const { origin, realPath: path, title, before, after, by } = receipt
  if (by.kind === 'rule') return desk.receive(receipt)
  const hash = after === null ? null : hashContent(after)
  const isSame = before === null ? hash === null : hashContent(before) === hash
  // What was accepted here, or is being asked about, has its review.
  if (isSame || ledger.expects(path, hash) || desk.isUnderReview(path)) return
  // Whoever watches the folder finds the same, which is told hereby.
  ledger.expect({ path, hash })
  if (by.kind === 'mode' && isLookedAt) await desk.openWritten({ origin, path, title, before, after })
  else await desk.receive(receipt)
}
