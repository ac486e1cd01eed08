import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Tag, tagHighlighter, tags } from '@lezer/highlight'

interface Look {
  tag: Tag[]
  color?: string
  fontStyle?: string
  fontWeight?: string
  textDecoration?: string
}

/** The look of each kind, in the page's tokens, which follow the theme. */
const looks = {
  comment: {
    tag: [tags.comment, tags.docComment, tags.docString],
    color: 'var(--syntax-comment)',
    fontStyle: 'italic',
  },
  keyword: {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword],
    color: 'var(--syntax-keyword)',
  },
  string: { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--syntax-string)' },
  number: {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.escape, tags.unit, tags.color],
    color: 'var(--syntax-number)',
  },
  type: { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: 'var(--syntax-type)' },
  function: {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.function(tags.definition(tags.variableName)),
      tags.macroName,
    ],
    color: 'var(--syntax-function)',
  },
  property: {
    tag: [tags.propertyName, tags.attributeName, tags.labelName],
    color: 'var(--syntax-property)',
  },
  name: { tag: [tags.variableName, tags.definition(tags.variableName)], color: 'var(--syntax-name)' },
  meta: { tag: [tags.meta, tags.processingInstruction, tags.annotation], color: 'var(--syntax-meta)' },
  link: { tag: [tags.link, tags.url], color: 'var(--syntax-link)', textDecoration: 'underline' },
  heading: { tag: [tags.heading], color: 'var(--syntax-type)', fontWeight: '600' },
  strong: { tag: [tags.strong], fontWeight: '600' },
  emphasis: { tag: [tags.emphasis], fontStyle: 'italic' },
  struck: { tag: [tags.strikethrough], textDecoration: 'line-through' },
  added: { tag: [tags.inserted], color: 'var(--added)' },
  removed: { tag: [tags.deleted], color: 'var(--removed)' },
  invalid: { tag: [tags.invalid], color: 'var(--syntax-invalid)' },
} satisfies Record<string, Look>

export type CodeKind = keyof typeof looks

/** The colours of code in an editor. */
export const codeColors = syntaxHighlighting(HighlightStyle.define(Object.values<Look>(looks)))

/** The kinds with a colour other than the text’s own. */
const colored = Object.entries<Look>(looks).filter(([kind, { color }]) => kind !== 'name' && color)

/** Names each stretch of code by its `CodeKind`, where that has a colour. */
export const codeHighlighter = tagHighlighter(colored.map(([kind, { tag }]) => ({ tag, class: kind })))

/** The CSS rules for code that is painted: a `::highlight(code-KIND)` for each colour. */
export const paintedColors = colored.map(
  ([kind, { color = '' }]) => `::highlight(code-${kind}) { color: ${color} }
    @media (forced-colors: active) { ::highlight(code-${kind}) { color: CanvasText } }`,
)
