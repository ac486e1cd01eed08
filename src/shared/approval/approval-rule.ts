import { isWithin } from '../text/path-name'
import type { ApprovalKind, ApprovalRule, NewRule, Question, RuleKind } from './approval'

export function isRuleKind(kind: ApprovalKind): kind is RuleKind {
  return kind === 'run' || kind === 'fetch' || kind === 'other'
}

/** Whether rules may answer a question at all. */
export function mayBeRuled({ kind, needsPerson, fields }: Question): boolean {
  return isRuleKind(kind) && !needsPerson && fields.length === 0
}

/** The rule that answers a question, or null. Rules that deny take precedence. */
export function ruleFor(rules: readonly ApprovalRule[], question: Question): ApprovalRule | null {
  if (!mayBeRuled(question)) return null
  const matching = rules.filter((rule) => matches(rule, question))
  return matching.find(({ answer }) => answer === 'deny') ?? matching[0] ?? null
}

/** The session of a question's requester, or its connection if the agent has no sessions. */
export function sessionOf({ requester }: Pick<Question, 'requester'>): string {
  return requester.session ?? requester.connection
}

function matches(rule: ApprovalRule, question: Question): boolean {
  const { kind, subject, tool, folder, requester } = question
  if (rule.kind !== kind) return false
  if (rule.agent !== null && rule.agent !== requester.agent) return false
  if (rule.tool !== null && rule.tool !== tool) return false
  if (rule.session !== null && rule.session !== sessionOf(question)) return false
  if (rule.folder !== null && (folder === null || !holdsIn(rule.folder, folder))) return false
  return kind === 'fetch' ? matchesAddress(rule.pattern, subject) : matchesText(rule.pattern, subject)
}

/** Whether a rule for one folder holds in another; a path with `.` or `..` could lead out of the folder. */
function holdsIn(outer: string, folder: string): boolean {
  return !/(^|[\\/])\.\.?([\\/]|$)/.test(folder) && isWithin(outer, folder)
}

/** What a star matches in a command: nothing that begins another command, is invisible, or breaks the line. */
const starInText = /^[^\n\r;&|`$<>(){}\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u
const starInHost = /^[a-z0-9.-]*$/
const starInPath = /^[^\s\\\p{Cc}\p{Cf}]*$/u

/** Whether the whole of a command, or of what a tool is for, matches a pattern. */
export function matchesText(pattern: string, subject: string): boolean {
  return fits(pattern, subject, starInText)
}

/**
 * Whether an address matches a pattern, compared in two parts: scheme with host, and the rest. A star in the host
 * matches only characters of a host name; one in the rest can't match a way out of a folder.
 */
export function matchesAddress(pattern: string, subject: string): boolean {
  const wanted = partsOf(pattern)
  const given = partsOf(subject)
  if (unescaped(pattern) === subject) return true
  if (wanted === null || given === null) return false
  if (!fits(wanted.host.toLowerCase(), given.host.toLowerCase(), starInHost)) return false
  if (unescaped(wanted.rest) === given.rest) return true
  if (/(\.|%2e){2}|%2f|%5c/i.test(given.rest)) return false
  return fits(wanted.rest, given.rest, starInPath)
}

/** Scheme with host, and the rest; null for anything but a plain address, such as one with a user name. */
function partsOf(address: string): { host: string; rest: string } | null {
  const found = /^([a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+)([/?#].*)?$/is.exec(address)
  return found?.[1] === undefined ? null : { host: found[1], rest: found[2] ?? '/' }
}

/** The texts of a pattern that are separated by stars. */
function plainTextsOf(pattern: string): string[] {
  const texts = ['']
  for (const [piece] of pattern.matchAll(/\\[\\*]|[^\\*]+|\*+|\\/g)) {
    if (piece.startsWith('*')) texts.push('')
    else texts[texts.length - 1] += unescaped(piece)
  }
  return texts
}

/**
 * Whether the whole subject is a pattern's texts with what a star matches between them. Each text is matched where it
 * first occurs: if a later place fits, then so does the first, since the next star can cover what the previous one did.
 */
function fits(pattern: string, subject: string, star: RegExp): boolean {
  const [first = '', ...others] = plainTextsOf(pattern)
  const last = others.pop()
  if (last === undefined) return subject === first
  if (!subject.startsWith(first)) return false
  let at = first.length
  for (const text of others) {
    const found = subject.indexOf(text, at)
    if (found < 0 || !star.test(subject.slice(at, found))) return false
    at = found + text.length
  }
  const end = subject.length - last.length
  return end >= at && subject.endsWith(last) && star.test(subject.slice(at, end))
}

/** Why a pattern can't match anything, as a sentence; null if it can. */
export function problemOfPattern(kind: RuleKind, pattern: string): string | null {
  if (pattern.trim() === '') return 'The pattern is empty. Write what the rule is for.'
  const isAddress = partsOf(pattern) !== null || plainTextsOf(pattern).length === 1
  if (kind === 'fetch' && !isAddress)
    return 'No address fits this pattern. Begin with a scheme and a host, such as https://example.com/*.'
  return null
}

function unescaped(pattern: string): string {
  return pattern.replace(/\\([\\*])/g, '$1')
}

/** A rule as a sentence. */
export function describeRule({ answer, kind, agent, tool, folder, session }: NewRule): string {
  const what = { run: 'run', fetch: 'fetch', other: 'use a tool for' }[kind]
  const who = `${answer === 'allow' ? 'Allow' : 'Do not allow'} ${agent ?? 'every agent'} to ${what}`
  const where = folder === null ? 'everywhere' : `in ${folder}`
  const by = tool === null ? '' : `, by ${tool}`
  return `${who}${by}, ${where}${session === null ? '' : ', until its session ends'}`
}
