import { fail, unreachable } from '../../../shared/result'
import { type Effect, type Origin, isPersonsOwn } from '../../../shared/review/proposal'
import { systemCode } from '../files/file-failure'
import { readNames } from './askers'
import type { End, Machine } from './machine'

/** How a review ended, for its view. */
export function endSentence(end: End, askers: readonly Origin[], effect: Effect): string {
  const agent = readNames(askers)
  if (effect === 'written') {
    if (end === 'confirmed') return 'Kept.'
    if (end === 'rejected') return 'Put the old text back.'
    if (end === 'withdrawn') return 'The file is back to its old text.'
  }
  switch (end) {
    case 'confirmed':
      return 'Accepted and written.'
    case 'diverged':
      return `Accepted, but the file no longer matches. Compare it with what you accepted.`
    case 'unconfirmed':
      return `Accepted; ${agent} ${isOne(askers) ? 'hasn’t' : 'haven’t'} written it.`
    case 'rejected':
      return 'Rejected. Nothing was written.'
    case 'answered-there':
      return 'Answered in the terminal.'
    case 'withdrawn':
      return `${agent} no longer ${isOne(askers) ? 'asks' : 'ask'} for this change.`
    case 'replaced':
      return `${agent} proposed a newer version.`
    case 'kept':
      return 'Written as your change.'
    case 'discarded':
      return 'Discarded. Nothing was written.'
    default:
      return unreachable(end)
  }
}

/** An agent wrote what the person was about to decide. */
export function writtenAgainst(askers: readonly Origin[]): string {
  const verb = isOne(askers) ? 'has' : 'have'
  return `${readNames(askers)} ${verb} written this change while you were reviewing it. Accept file writes your version; Reject file puts the old text back.`
}

/** The host was to put back the rest of what an agent wrote, but the file holds something else. */
export function leftAsItIs(askers: readonly Origin[]): string {
  return `The file does not hold what ${readNames(askers)} proposed, so nothing was put back. Accept file writes your version, Reject file puts the old text back.`
}

/** Why no decision can be recorded, and what to do about it. */
export function notRecorded(error: unknown): string {
  const code = systemCode(error)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const what = isFull
    ? 'The disk with Greenlight’s data is full, so decisions can’t be recorded. Free some space'
    : `Greenlight’s data directory isn’t writable${code === '' ? '' : ` (${code})`}, so decisions can’t be recorded. Make it writable`
  return `${what}; Greenlight keeps trying.`
}

/** A draft was damaged on disk; `copy` holds it as found. */
export function damagedDraft(path: string, copy: string): string {
  return `Your draft for ${path} was damaged on disk. Everything up to the damage was restored; the rest is in ${copy}.`
}

/** Too much of a draft was damaged; `path` is its file's, if known. */
export function lostDraft(path: string | null, folder: string): string {
  const what = path === null ? 'A draft' : `Your draft for ${path}`
  return `${what} was damaged on disk and can’t be restored. What’s left is in ${folder}.`
}

/** A draft can't be read at present; it stays where it is. */
export function unreadDraft(folder: string): string {
  return `A draft couldn’t be read. It’s still in ${folder}. Check that folder, then restart Greenlight.`
}

export const unknownBefore = fail(
  'unknown',
  'The old text isn’t known, so it can’t be put back. Keep the file, or edit it by hand.',
)

/** What the person must know and do about a review that needs their attention; null if there is nothing. */
export function problemSentence({ phase }: Machine, askers: readonly Origin[]): string | null {
  const agent = readNames(askers)
  if (phase.kind === 'overdue')
    return `Accepted, but ${agent} ${isOne(askers) ? 'hasn’t' : 'haven’t'} written it.`
  if (phase.kind !== 'orphaned') return null
  const choices = 'save it as a patch, or discard it'
  switch (phase.reason) {
    case 'answered-there':
      return `Answered in the terminal. Keep your version as your own change, ${choices}.`
    case 'restart':
      // Nobody waits for an answer to the person's own proposal.
      if (askers.every(isPersonsOwn)) {
        return `Greenlight restarted before you decided. Keep this change as yours, ${choices}.`
      }
      return `Greenlight can no longer answer ${agent}. Keep this change as yours, ${choices}.`
    case 'reopened':
      return `You rejected this change, and ${agent} ${isOne(askers) ? 'has' : 'have'} been told. Keep it as yours, ${choices}.`
    case 'cancelled':
      return `${agent} no longer ${isOne(askers) ? 'asks' : 'ask'} for this change. Keep it as yours, ${choices}.`
    default:
      return `${agent} ${isOne(askers) ? 'is' : 'are'} disconnected. Keep this change as yours, ${choices}.`
  }
}

function isOne(askers: readonly Origin[]): boolean {
  return new Set(askers.map(({ agent }) => agent)).size < 2
}
