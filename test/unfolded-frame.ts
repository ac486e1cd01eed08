import { type FoldedText, isFolded } from '../src/main/core/connections/frame-folding'

/** A message of the same shape as the one that was folded, each folded text filled up to its size. */
export function unfoldFrame(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unfoldFrame)
  if (isFolded(value)) return filler(value.$folded)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unfoldFrame(item)]))
}

function filler({ characters, lines }: FoldedText['$folded']): string {
  const breaks = Math.max(0, Math.min(lines - 1, characters))
  return 'x'.repeat(characters - breaks) + '\n'.repeat(breaks)
}
