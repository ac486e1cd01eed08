import { FileDigit } from 'lucide-react'
import { EmptyState } from '../../ui/layout/empty-state'
import { formatSize } from '../../ui/wording/number-format'
import type { ReviewSessionState } from './review-session'

/** What there is to say about a change to a binary file. */
export function BinaryFacts({ session }: { session: Extract<ReviewSessionState, { kind: 'binary' }> }) {
  const { sizeBefore, sizeAfter, summary } = session
  const isWritten = summary.effect === 'written'
  if (summary.isBeforeUnknown) {
    return (
      <EmptyState title="The old text isn’t known" icon={<FileDigit />}>
        <p className="number">
          {summary.isGone
            ? 'The file is gone.'
            : sizeBefore === null
              ? `${formatSize(sizeAfter)} now.`
              : `${formatSize(sizeBefore)} before, ${formatSize(sizeAfter)} after.`}
        </p>
        <p>So the change can’t be shown or put back. Keep the file, or edit it by hand.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="This isn’t a text file" icon={<FileDigit />}>
      <p className="number">
        {summary.isGone
          ? `${formatSize(sizeBefore ?? 0)} before, gone now.`
          : sizeBefore === null
            ? `A new file of ${formatSize(sizeAfter)}.`
            : `${formatSize(sizeBefore)} before, ${formatSize(sizeAfter)} after.`}
      </p>
      <p>It can only be {isWritten ? 'kept or put back' : 'accepted or rejected'} as a whole.</p>
    </EmptyState>
  )
}
