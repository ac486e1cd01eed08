import type { FilePiece } from '../../../../shared/contract/file-pieces'

/** The part of a long file that the page holds: consecutive pieces. */
export interface PieceWindow {
  readonly pieces: readonly FilePiece[]
}

/** A change of the window's text: what goes at one end, and what comes at the other. */
export interface WindowChange {
  readonly window: PieceWindow
  /** Characters taken away at the start and at the end. */
  readonly cutStart: number
  readonly cutEnd: number
  readonly before: string
  readonly after: string
}

/** At most this many pieces are kept; those furthest from the view go. */
const mostPieces = 8

/** Where the window begins, in bytes. */
export function windowStart({ pieces }: PieceWindow): number {
  return pieces[0]?.from ?? 0
}

/** Where the window ends, in bytes. */
export function windowEnd({ pieces }: PieceWindow): number {
  return pieces.at(-1)?.to ?? 0
}

/** Adds the piece behind the window; pieces at its start may go. */
export function addBehind({ pieces }: PieceWindow, piece: FilePiece): WindowChange {
  const kept = [...pieces, piece]
  const gone = kept.splice(0, Math.max(0, kept.length - mostPieces))
  const cutStart = gone.reduce((sum, { text }) => sum + text.length, 0)
  return { window: { pieces: kept }, cutStart, cutEnd: 0, before: '', after: piece.text }
}

/** Adds the piece before the window; pieces at its end may go. */
export function addBefore({ pieces }: PieceWindow, piece: FilePiece): WindowChange {
  const all = [piece, ...pieces]
  const kept = all.slice(0, mostPieces)
  const cutEnd = all.slice(mostPieces).reduce((sum, { text }) => sum + text.length, 0)
  return { window: { pieces: kept }, cutStart: 0, cutEnd, before: piece.text, after: '' }
}

/** The byte of a character of the window's text, estimated from its piece's length. */
export function byteAt({ pieces }: PieceWindow, character: number): number {
  let left = character
  for (const { text, from, to } of pieces) {
    if (left <= text.length) return from + Math.round(((to - from) * left) / Math.max(1, text.length))
    left -= text.length
  }
  return windowEnd({ pieces })
}
