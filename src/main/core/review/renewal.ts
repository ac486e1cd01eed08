import { Text } from '@codemirror/state'
import { changesBetween, diffLines } from '../../../shared/text/line-diff'
import { type DraftStep, baseOf, undecideAll } from '../../../shared/review/draft'
import { type FactualText, encodeText, toText } from '../../../shared/text/text-facts'
import { hashContent } from '../files/content-hash'
import type { DiskFile } from '../files/read-file'
import { asMixed, inOneTerm, textOf } from './comparison'
import { type Fingerprint, fingerprintOf } from './fingerprint'
import { type ExactText, type TextContent, baseFactsOf } from './review-content'

/** How a review of a written change continues after its file was written again. */
export interface Renewal {
  step: Extract<DraftStep, { kind: 'renew' }>
  /** The content, before the step is applied to its draft. */
  content: TextContent & { exact: ExactText }
  /** The fingerprint of the text that would be put back. */
  base: Fingerprint
  proposed: Fingerprint
}

/**
 * An agent's later write changes what is proposed. What the person wrote is also carried into the text from before, so
 * that it survives putting the rest back; where it touches the agent's own lines it stays part of the change. Null if
 * the file is no longer text.
 */
export function renew(
  content: TextContent,
  base: Fingerprint,
  disk: DiskFile,
  isPersons: boolean,
): Renewal | null {
  const read = textOf(disk)
  if (!read) return null
  const isGone = disk.kind === 'absent'
  const old: FactualText = { text: baseOf(content.draft).toString(), facts: baseFactsOf(content) }
  const terms = inOneTerm(old, isGone ? { text: '', facts: content.facts } : read)
  const isNewTerm = terms.now.facts.eol === 'mixed' && content.facts.eol !== 'mixed'
  const seen = isNewTerm
    ? toText(asMixed({ text: content.firstProposed.toString(), facts: content.facts }).text)
    : content.firstProposed
  const plain = undecideAll(content.draft)
  const before = toText(terms.base.text)
  const now = toText(terms.now.text)
  const isMerged = isPersons && base !== 'absent' && !isGone
  const a = isMerged ? carryOver(before, seen, now) : before
  const isUnedited = plain.b.eq(content.firstProposed)
  const b = isUnedited ? now : withEdits(content.firstProposed, plain.b, seen, now)
  const facts = isGone ? content.facts : terms.now.facts
  return {
    step: { kind: 'renew', a: changesBetween(plain.a, a), b: changesBetween(plain.b, b) },
    content: {
      ...content,
      facts,
      firstProposed: now,
      lineEnds: null,
      exact: { baseFacts: terms.base.facts, isGone },
    },
    base: isMerged ? hashContent(encodeText(a.toString(), terms.base.facts)) : base,
    proposed: fingerprintOf(disk),
  }
}

/** The file's newest text with the edits the person made in the review. */
function withEdits(was: Text, edited: Text, seen: Text, now: Text): Text {
  if (!was.eq(seen)) return now
  const edits = changesBetween(was, edited)
  return changesBetween(was, now).map(edits).apply(edited)
}

/**
 * The text from before, with the person's changes to the agent's text carried over line by line. Changes to lines that
 * the agent wrote have no place there and stay part of the agent's change.
 */
export function carryOver(before: Text, agents: Text, persons: Text): Text {
  const [old, seen, now] = [before.toJSON(), agents.toJSON(), persons.toJSON()]
  const theirs = diffLines(old, seen)
  const carried: string[] = []
  let at = 0
  for (const { fromA: from, toA: to, fromB, toB } of diffLines(seen, now)) {
    const isMet = theirs.some(({ fromA, toA, fromB: first, toB: last }) => {
      // Lines that the agent removed and the person put back are already in the text from before.
      const isBack = from === first && from === to && isSame(old.slice(fromA, toA), now.slice(fromB, toB))
      if (first === last) return isBack || (from < first && first < to)
      return from === to ? first < from && from < last : Math.max(first, from) < Math.min(last, to)
    })
    if (isMet) continue
    const shift = theirs.reduce((sum, one) => {
      return one.toB <= from ? sum + (one.toA - one.fromA) - (one.toB - one.fromB) : sum
    }, 0)
    for (; at < from + shift; at++) carried.push(old[at] ?? '')
    for (let line = fromB; line < toB; line++) carried.push(now[line] ?? '')
    at = Math.max(at, to + shift)
  }
  for (; at < old.length; at++) carried.push(old[at] ?? '')
  return Text.of(carried.length > 0 ? carried : [''])
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, index) => line === others[index])
}
