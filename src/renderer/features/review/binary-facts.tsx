import { FileDigit } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state'
import { formatSize } from '../../ui/number-format'
import type { SessionState } from './review-session'

/** What can be told of a change to a file that is no text. */
export function BinaryFacts({ session }: { session: Extract<SessionState, { kind: 'binary' }> }) {
  const { sizeBefore, sizeAfter } = session
  return (
    <EmptyState title="This is not a text file" icon={<FileDigit />}>
      <p className="number">
        {sizeBefore === null
          ? `A new file of ${formatSize(sizeAfter)}.`
          : `${formatSize(sizeBefore)} before, ${formatSize(sizeAfter)} after.`}
      </p>
      <p>It can only be accepted or rejected whole.</p>
    </EmptyState>
  )
}
