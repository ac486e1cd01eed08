import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, type ESTree } from 'vite'

/** Attributes and properties whose value a person reads or hears, even if it is a single word. */
const readNames = new Set([
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'alt', 'placeholder'],
  ...['title', 'label', 'words', 'sentence', 'hint', 'description', 'summary', 'message', 'about'],
])

/** Attributes and properties that nobody reads. */
const unreadNames = new Set(['className', 'd', 'viewBox', 'key', 'id', 'type', 'kind', 'dialect'])

/** Calls whose texts only a log or a developer sees. */
const unreadCalls = /(^|\.)(log|error|warn|info|debug|describe|querySelector(All)?|closest|matches|on|ask)$/

type Node = ESTree.Node

/**
 * The sentences of one source file that the interface can show, in order, each once. A text counts if it
 * - is text in JSX, or the value of one of `readNames`, or
 * - has at least two words and begins with a capital letter, or with something that is filled in.
 *
 * What is filled in stands in braces. Texts in `throw`, imports, types, `unreadCalls` and `unreadNames` do not count.
 */
export function sentencesOf(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const sentences = new Set<string>()

  const take = (text: string, isRead: boolean) => {
    const sentence = text.replaceAll(/\s+/g, ' ').trim()
    if (isRead ? hasWord(sentence) : isSentence(sentence)) sentences.add(sentence)
  }
  const visit = (node: Node, isRead: boolean, isPart = false): void => {
    if (isUnread(node, source)) return
    if (node.type === 'JSXAttribute' || node.type === 'Property') {
      const name = nameIn(node.type === 'Property' ? node.key : node.name, source)
      if (node.value && !unreadNames.has(name)) visit(node.value, readNames.has(name))
      return
    }
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      const whole = isPart || node.children.some((child) => child.type === 'JSXText' && hasWord(child.value))
      if (whole && !isPart) take(textOf(node, source), true)
      if (node.type === 'JSXElement') visit(node.openingElement, false)
      for (const child of node.children)
        if (child.type !== 'JSXText') visit(child, !whole, whole && child.type === 'JSXElement')
      return
    }
    if (isText(node)) take(textOf(node, source), isRead)
    const isCompared = node.type === 'BinaryExpression' && !isText(node)
    for (const part of isText(node) ? filledIn(node) : childrenOf(node)) visit(part, isRead && !isCompared)
  }
  visit(program, false)
  return [...sentences]
}

function hasWord(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\{[^}]*\}/g, ''))
}

function isSentence(text: string): boolean {
  return /^[“‘(…]?(\p{Lu}|\{)/u.test(text) && /\S\s+\S/.test(text) && hasWord(text)
}

function isUnread(node: Node, source: string): boolean {
  if (node.type === 'CallExpression')
    return unreadCalls.test(source.slice(node.callee.start, node.callee.end))
  return /^(Import|ExportAll|ThrowStatement|TS(Literal)?Type)/.test(node.type)
}

function nameIn(key: Node, source: string): string {
  return source.slice(key.start, key.end).replaceAll(/['"]/g, '')
}

/** Whether a node is a text as a whole: a literal, a template, or texts added to each other. */
function isText(node: Node): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string'
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && (isText(node.left) || isText(node.right))
  return node.type === 'TemplateLiteral'
}

/** What is worked out when a text is shown. */
function filledIn(node: Node): Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions
  if (node.type !== 'BinaryExpression') return []
  return [node.left, node.right].flatMap((side) => (isText(side) ? filledIn(side) : [side]))
}

/** A text with what is filled in as short as can be: `{name}`, `{change|changes}`, `{…}`. */
function textOf(node: Node, source: string): string {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : `{${source.slice(node.start, node.end)}}`
    case 'TemplateLiteral':
      return node.quasis
        .map(
          ({ value }, at) =>
            value.cooked + (node.expressions[at] ? textOf(node.expressions[at], source) : ''),
        )
        .join('')
    case 'JSXText':
      return node.value
    case 'JSXElement':
    case 'JSXFragment':
      return node.children.map((child) => textOf(child, source)).join('')
    case 'JSXExpressionContainer':
      return textOf(node.expression, source)
    case 'BinaryExpression':
      if (isText(node)) return textOf(node.left, source) + textOf(node.right, source)
      return '{…}'
    case 'ConditionalExpression':
      return `{${optionOf(node.consequent, source)}|${optionOf(node.alternate, source)}}`
    case 'JSXEmptyExpression':
      return ''
    default: {
      const code = source.slice(node.start, node.end)
      return /^[\w.]{1,30}$/.test(code) ? `{${code.split('.').at(-1)}}` : '{…}'
    }
  }
}

/** One side of a condition; without braces of its own. */
function optionOf(node: Node, source: string): string {
  return textOf(node, source).replaceAll(/[{}]/g, '')
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}

const src = join(import.meta.dirname, '..', 'src')

/** Every source file with sentences, below `src`. */
export function readSentences(): [file: string, sentences: string[]][] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
    .toSorted()
    .map((file): [string, string[]] => [file, sentencesOf(file, readFileSync(join(src, file), 'utf8'))])
    .filter(([, sentences]) => sentences.length > 0)
}
