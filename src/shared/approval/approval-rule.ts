import type { ApprovalKind, ApprovalRule, NewRule, Question, RuleKind } from './approval'

export function isRuleKind(kind: ApprovalKind): kind is RuleKind {
  return kind === 'run' || kind === 'fetch' || kind === 'other'
}

/** Whether rules may answer a question at all. */
export function mayBeRuled({ kind, needsPerson, fields }: Question): boolean {
  return isRuleKind(kind) && !needsPerson && fields.length === 0
}

/** The rule that answers a question, or null. What denies goes before what allows. */
export function ruleFor(rules: readonly ApprovalRule[], question: Question): ApprovalRule | null {
  if (!mayBeRuled(question)) return null
  const matching = rules.filter((rule) => matches(rule, question))
  return matching.find(({ answer }) => answer === 'deny') ?? matching[0] ?? null
}

/** The session of a question's requester, or its connection where the agent names none. */
export function sessionOf({ requester }: Pick<Question, 'requester'>): string {
  return requester.session ?? requester.connection
}

function matches(rule: ApprovalRule, question: Question): boolean {
  const { kind, subject, tool, folder, requester } = question
  if (rule.kind !== kind) return false
  if (rule.agent !== null && rule.agent !== requester.agent) return false
  if (rule.tool !== null && rule.tool !== tool) return false
  if (rule.session !== null && rule.session !== sessionOf(question)) return false
  if (rule.folder !== null && (folder === null || !isWithin(rule.folder, folder))) return false
  return kind === 'fetch' ? matchesAddress(rule.pattern, subject) : matchesText(rule.pattern, subject)
}

function isWithin(outer: string, folder: string): boolean {
  if (/(^|[\\/])\.\.?([\\/]|$)/.test(folder)) return false
  if (folder === outer) return true
  const next = /[\\/]$/.test(outer) ? '/' : (folder[outer.length] ?? '')
  return folder.startsWith(outer) && /[\\/]/.test(next)
}

/** What a star may stand for in a command: nothing that begins another one, hides, or breaks the line. */
const starInText = /^[^\n\r;&|`$<>(){}\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u
const starInHost = /^[a-z0-9.-]*$/
const starInPath = /^[^\s\\\p{Cc}\p{Cf}]*$/u

/** Whether a command, or what a tool is for, fits a pattern as a whole. */
export function matchesText(pattern: string, subject: string): boolean {
  return fits(pattern, subject, starInText)
}

/**
 * Whether an address fits a pattern: scheme and host as a whole, the rest as a whole. A star in the host stands for
 * parts of a host's name only; one in the rest for no way out of a folder.
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

/** Scheme and host in one, and the rest; null for what is no plain address, such as one with a name and a password. */
function partsOf(address: string): { host: string; rest: string } | null {
  const found = /^([a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+)([/?#].*)?$/is.exec(address)
  return found?.[1] === undefined ? null : { host: found[1], rest: found[2] ?? '/' }
}

/** The plain texts of a pattern, between which there are stars. */
function plainTextsOf(pattern: string): string[] {
  const texts = ['']
  for (const [piece] of pattern.matchAll(/\\[\\*]|[^\\*]+|\*+|\\/g)) {
    if (piece.startsWith('*')) texts.push('')
    else texts[texts.length - 1] += unescaped(piece)
  }
  return texts
}

/**
 * Whether a whole subject is a pattern's texts with what a star may stand for between them. Each text is matched where
 * it first occurs: if a later place were right, the star before it would cover what lies between, and so can the next.
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

/** Why a pattern could fit nothing, as a sentence; null where it could. */
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

/** What a rule says, as a sentence. */
export function describeRule({ answer, kind, agent, tool, folder, session }: NewRule): string {
  const what = { run: 'run', fetch: 'fetch', other: 'use a tool for' }[kind]
  const who = `${answer === 'allow' ? 'Allow' : 'Do not allow'} ${agent ?? 'every agent'} to ${what}`
  const where = folder === null ? 'everywhere' : `in ${folder}`
  const by = tool === null ? '' : `, by ${tool}`
  return `${who}${by}, ${where}${session === null ? '' : ', until its session ends'}`
}
