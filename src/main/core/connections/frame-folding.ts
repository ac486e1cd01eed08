import { parseJson } from '../../../shared/json'

/** Stands for a text that a log doesn't show; gives its size. */
export interface FoldedText {
  $folded: { characters: number; lines: number }
}

/** Fields that hold the contents of a person's files, however short. */
const contentName =
  /^(new_file_contents|newContent|content|selectedText|old_string|new_string|newText|oldText|source|body|new_source|oldString|newString|originalFile|lines|stdout|stderr|partial_json|thinking|result|plan)$/
/** The field that holds a file's text in some messages and a protocol keyword in others. */
const textName = 'text'
const protocolWord = /^[A-Z][A-Z_]{1,39}$/
const secretName = /token|secret|password|cookie|authorization|credential|api_?key/i
/** Keys as providers format them, and tokens of our lock files, from this run and earlier ones, anywhere in a text. */
const secretText =
  /\b(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\.[\da-f]{64}|sk-[\w-]{8,}|AIza[\w-]{20,}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{8,}|eyJ[\w-]{10,}\.[\w-]{5,}\.[\w-]*)|\bBearer\s+[^\s"']+/g
const longest = 300
const deepest = 40
export const redactedText = '[redacted]'

/**
 * A copy of a protocol message that is safe to show and share: what looks like a secret, or is one of `secrets`, is
 * removed; file contents and long texts are replaced by their size. JSON inside a text is folded too.
 */
export function foldFrame(value: unknown, secrets: readonly string[] = []): unknown {
  return fold(value, '', secrets, 0)
}

export function isFolded(value: unknown): value is FoldedText {
  if (typeof value !== 'object' || value === null) return false
  const size = (value as { $folded?: { characters?: unknown; lines?: unknown } }).$folded
  return typeof size?.characters === 'number' && typeof size.lines === 'number'
}

function fold(value: unknown, name: string, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return foldText(value, name, secrets)
  if (typeof value !== 'object' || value === null) return secretName.test(name) ? redactedText : value
  if (depth >= deepest) return redactedText
  if (Array.isArray(value)) return value.map((item) => fold(item, name, secrets, depth + 1))
  if (isFolded(value)) return { $folded: { ...value.$folded } }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redactText(key, secrets),
      fold(item, key, secrets, depth + 1),
    ]),
  )
}

function foldText(text: string, name: string, secrets: readonly string[]): unknown {
  if (text === '') return text
  if (secretName.test(name)) return redactedText
  const inner = name === textName ? jsonInside(text) : undefined
  if (inner !== undefined) return JSON.stringify(fold(inner, '', secrets, 1))
  const isContent = contentName.test(name) || (name === textName && !protocolWord.test(text))
  if (isContent || text.length > longest || /[\n\r]/.test(text)) {
    return {
      $folded: { characters: text.length, lines: text.split(/\r\n|\r|\n/).length },
    } satisfies FoldedText
  }
  return redactText(text, secrets)
}

function redactText(text: string, secrets: readonly string[]): string {
  let shown = text.replace(secretText, redactedText)
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, redactedText)
  return shown
}

/** The JSON inside a text, which is how tools answer. */
function jsonInside(text: string): object | undefined {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  return typeof value === 'object' && value !== null ? value : undefined
}
