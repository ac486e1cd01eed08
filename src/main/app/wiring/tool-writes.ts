import { hashContent } from '../../core/files/content-hash'
import type { Ledger } from '../../core/files/ledger'
import type { ReviewDesk } from '../../core/review/desk'
import type { Receipt } from '../../core/review/receipts'

/**
 * Has the person look at what a tool wrote in a mode that asks nobody, from what the file held right before. Nothing is
 * asked about what they had agreed to, here or in the terminal (`isAgreed`), or are being asked about.
 */
export async function reviewToolWrite(
  { origin, realPath: path, title, before, after }: Receipt,
  isAgreed: boolean,
  { desk, ledger }: { desk: Pick<ReviewDesk, 'openWritten' | 'isUnderReview'>; ledger: Ledger },
): Promise<void> {
  const hash = after === null ? null : hashContent(after)
  const isSame = before === null ? hash === null : hashContent(before) === hash
  if (isSame || ledger.expects(path, hash) || desk.isUnderReview(path)) return
  // Whoever watches the folder finds the same, which is told hereby.
  ledger.expect({ path, hash })
  if (!isAgreed) await desk.openWritten({ origin, path, title, before, after })
}
