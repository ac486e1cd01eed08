import type { Text } from '@codemirror/state'
import type { Tree } from '@lezer/common'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'

/** A name that a text defines. The line counts from 0. */
export interface Definition {
  name: string
  line: number
}

/** More are not told of one text. */
const mostDefinitions = 2000

const highlighter = tagHighlighter([
  {
    tag: [
      tags.definition(tags.variableName),
      tags.definition(tags.typeName),
      tags.definition(tags.className),
      tags.definition(tags.propertyName),
      tags.definition(tags.name),
    ],
    class: 'definition',
  },
])

/** The names that a text defines, as far as it has been parsed: functions, types, classes, variables, members. */
export function definitionsIn(tree: Tree, doc: Text): Definition[] {
  const found: Definition[] = []
  highlightTree(tree, highlighter, (from, to) => {
    if (found.length >= mostDefinitions || to > doc.length) return
    found.push({ name: doc.sliceString(from, to), line: doc.lineAt(from).number - 1 })
  })
  return found
}
