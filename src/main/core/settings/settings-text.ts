import {
  type ParseError,
  applyEdits,
  createScanner,
  getNodeValue,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { SettingsProblem } from '../../../shared/contract/settings'
import { settingSchemas } from '../../../shared/contract/settings'
import type { SettingName, Settings } from '../../../shared/settings/all-settings'
import { declarationOf } from '../../../shared/settings/all-settings'
import type { Setting } from '../../../shared/settings/setting'

/** What a text of settings means: its valid values, and everything that is wrong with it. */
export interface ReadSettings {
  values: Partial<Settings>
  problems: SettingsProblem[]
}

/** conf's own key in the file. */
const ownKey = '__internal__'
/** No setting nests this deeply; the parser would run out of stack at some depth. */
const deepest = 100
const nestedTooDeep = `Brackets are nested more than ${deepest} levels deep. Remove some.`
const options = { allowTrailingComma: true, disallowComments: false }

/** Parses a text of settings: JSON with comments and trailing commas. An empty text sets nothing. */
export function readSettingsText(text: string): ReadSettings {
  if (text.trim() === '') return { values: {}, problems: [] }
  const at = placesIn(text)
  const deep = tooDeep(text)
  if (deep !== null) return { values: {}, problems: [{ ...at(deep, 1), ...problem(nestedTooDeep) }] }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, options)
  const [error] = errors
  if (error) {
    return { values: {}, problems: [{ ...at(error.offset, error.length), ...problem(syntaxWords(error)) }] }
  }
  if (tree?.type !== 'object') {
    const length = tree?.length ?? text.length
    return { values: {}, problems: [{ ...at(tree?.offset ?? 0, length), ...problem(notAnObject) }] }
  }
  const values: Record<string, unknown> = {}
  const problems: SettingsProblem[] = []
  for (const property of tree.children ?? []) {
    const [nameNode, valueNode] = property.children ?? []
    const name: unknown = nameNode?.value
    if (!nameNode || !valueNode || typeof name !== 'string' || name === ownKey) continue
    const declared = declarationOf(name)
    if (!declared) {
      const sentence = `Unknown setting ${name}; it stays in the file and has no effect.`
      problems.push({ ...at(nameNode.offset, nameNode.length), kind: 'warning', sentence })
      continue
    }
    const parsed = settingSchemas[name as SettingName].safeParse(getNodeValue(valueNode))
    if (parsed.success) values[name] = parsed.data
    else {
      const sentence = expectation(name, declared)
      problems.push({ ...at(valueNode.offset, valueNode.length), ...problem(sentence) })
    }
  }
  return { values: values as Partial<Settings>, problems }
}

/** A problem as one sentence with its place, for a notice. */
export function placeProblem({ line, column, sentence }: SettingsProblem): string {
  return `Line ${line}, column ${column}: ${sentence}`
}

/** The offset at which a text nests too deeply to parse; null if it doesn't. */
function tooDeep(text: string): number | null {
  const scanner = createScanner(text, true)
  let depth = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const sign = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : ''
    if (sign === '{' || sign === '[') depth += 1
    if (sign === '}' || sign === ']') depth -= 1
    if (depth > deepest) return scanner.getTokenOffset()
  }
  return null
}

/** The object in a text of settings, or null if it is not one. */
export function parseSettings(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  if (tooDeep(text) !== null) return null
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, options)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return errors.length === 0 && isObject ? (value as Record<string, unknown>) : null
}

/**
 * The text with other values: what stays the same keeps its place, comments and spelling. A name that is not in
 * `values` is removed.
 */
export function writeSettingsText(text: string, values: Readonly<Record<string, unknown>>): string {
  const before = parseSettings(text) ?? {}
  let next = text.trim() === '' || parseSettings(text) === null ? '{}\n' : text
  const tabSize = /^( +)\S/m.exec(next)?.[1]?.length ?? 2
  const eol = next.includes('\r\n') ? '\r\n' : '\n'
  const formattingOptions = { insertSpaces: !/^\t/m.test(next), tabSize, eol }
  for (const name of new Set([...Object.keys(before), ...Object.keys(values)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(values[name])) continue
    const stays = Object.hasOwn(values, name)
    // If a name appears twice, the last one counts: changing the first would have no effect.
    for (let often = countName(next, name); often > (stays ? 1 : 0); often--) next = withoutName(next, name)
    if (stays) next = applyEdits(next, modify(next, [name], values[name], { formattingOptions }))
  }
  return next
}

function countName(text: string, name: string): number {
  const properties = parseTree(text, [], options)?.children ?? []
  return properties.filter((one) => one.children?.[0]?.value === name).length
}

/**
 * The text without a name (the first, if it appears twice). A comment next to it stays, so the comma before it may stay
 * too.
 */
function withoutName(text: string, name: string): string {
  const tree = parseTree(text, [], options)
  const property = tree?.children?.find((one) => one.children?.[0]?.value === name)
  if (!property) return text
  const from = property.offset
  const end = from + property.length
  const to = end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0)
  const indent = /(?<=^|\n)[ \t]*$/.exec(text.slice(0, from))
  const rest = /^[ \t]*\r?\n/.exec(text.slice(to))
  const isWholeLine = indent !== null && rest !== null
  return isWholeLine
    ? text.slice(0, indent.index) + text.slice(to + rest[0].length)
    : text.slice(0, from) + text.slice(to)
}

/** How conf and electron-store read and write the file, so that the person's comments in it stay. */
export function keepComments(): {
  deserialize(text: string): Record<string, unknown>
  serialize(values: Readonly<Record<string, unknown>>): string
} {
  // conf reads the file right before it writes, so this is the file's current text.
  let last = ''
  return {
    deserialize(text) {
      const values = parseSettings(text)
      if (values === null) throw new SyntaxError('The settings are not JSON.')
      last = text
      return values
    },
    serialize: (values) => (last = writeSettingsText(last, values)),
  }
}

const notAnObject = 'Write settings between { and }, each as "name": value.'

function problem(sentence: string): Pick<SettingsProblem, 'kind' | 'sentence'> {
  return { kind: 'error', sentence }
}

function expectation(name: string, declared: Setting): string {
  switch (declared.kind) {
    case 'switch':
      return `${name} is true or false.`
    case 'choice':
      return `${name} is one of ${declared.options.map(([value]) => JSON.stringify(value)).join(', ')}.`
    case 'number': {
      const whole = declared.step === 1 ? 'a whole number' : 'a number'
      return `${name} is ${whole} from ${declared.min} to ${declared.max}.`
    }
    case 'text':
      return `${name} is a text of up to ${declared.longest} characters.`
    case 'list':
      return `${name} is a list of up to ${declared.most} texts, none of them empty.`
    case 'other':
      return `${name} has the wrong form. ${declared.sentence}`
  }
}

function syntaxWords(error: ParseError): string {
  const name = printParseErrorCode(error.error)
  return syntaxSentences[name] ?? 'This isn’t valid JSON. Fix it, then save again.'
}

const syntaxSentences: Record<string, string> = {
  InvalidSymbol: 'JSON doesn’t know this word. Put text in double quotes.',
  InvalidNumberFormat: 'This isn’t a valid JSON number.',
  PropertyNameExpected: 'A name in double quotes is missing here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'A colon is missing between the name and its value.',
  CommaExpected: 'A comma is missing before this.',
  CloseBraceExpected: 'A } is missing at the end.',
  CloseBracketExpected: 'A ] is missing here.',
  EndOfFileExpected: 'There’s extra text after the settings. Remove it.',
  UnexpectedEndOfComment: 'This comment isn’t closed with */.',
  UnexpectedEndOfString: 'This text isn’t closed with a double quote.',
  InvalidEscapeCharacter: 'This character can’t follow a backslash.',
  InvalidCharacter: 'This character isn’t allowed here.',
}

/** Converts an offset to the place that the editor shows: lines and columns from 1. */
function placesIn(text: string) {
  return (offset: number, length: number) => {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - (before.lastIndexOf('\n') + 1) + 1
    return { from: offset, to: Math.min(text.length, offset + length), line, column }
  }
}
