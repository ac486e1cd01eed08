import { formatNumber } from '../wording/number-format'

/** "+11 −9": lines added and removed. */
export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="number">
      <span className="added">+{formatNumber(added)}</span>{' '}
      <span className="removed">{`\u2212${formatNumber(removed)}`}</span>
    </span>
  )
}
