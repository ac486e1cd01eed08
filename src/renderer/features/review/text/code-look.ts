import {
  HighlightStyle,
  LanguageDescription,
  syntaxHighlighting,
  type LanguageSupport,
} from '@codemirror/language'
import { Decoration, highlightSpecialChars, ViewPlugin, WidgetType } from '@codemirror/view'
import type { DecorationSet, EditorView, ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { picture } from './draft-picture'

const highlightStyle = HighlightStyle.define([
  { tag: [tags.comment, tags.docComment], color: 'var(--syntax-comment)' },
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword],
    color: 'var(--syntax-keyword)',
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--syntax-number)' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: 'var(--syntax-type)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.labelName],
    color: 'var(--syntax-function)',
  },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--syntax-property)' },
  { tag: [tags.meta, tags.processingInstruction], color: 'var(--syntax-meta)' },
  { tag: [tags.link, tags.url], color: 'var(--syntax-link)' },
  { tag: tags.heading, color: 'var(--syntax-keyword)', fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.invalid, color: 'var(--syntax-invalid)' },
])

/** The colours of code, by the page's tokens; light and dark come with them. */
export const codeColours = syntaxHighlighting(highlightStyle)

/** The language of a file by its name, loaded when it is needed; null where none is known or it does not load. */
export async function loadLanguage(path: string): Promise<LanguageSupport | null> {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  try {
    const { languages } = await import('@codemirror/language-data')
    return (await LanguageDescription.matchFilename(languages, name)?.load()) ?? null
  } catch {
    // Without colours the review is as good as with them; a reload tries again.
    return null
  }
}

/** Characters that one would not see otherwise; a carriage return at a line's end is a quiet mark. */
export const unseenCharacters = highlightSpecialChars({
  render(code, description, placeholder) {
    const dom = document.createElement('span')
    dom.className = code === 13 ? 'cm-specialChar gl-return' : 'cm-specialChar'
    dom.textContent = code === 13 ? 'CR' : (placeholder ?? '•')
    dom.title = code === 13 ? 'Carriage return: this line ends with CRLF' : (description ?? '')
    dom.setAttribute('aria-label', dom.title)
    return dom
  },
})

class NoFinalNewline extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement('span')
    dom.className = 'gl-no-newline'
    dom.textContent = 'no newline at the end'
    return dom
  }
}

const noFinalNewline = Decoration.widget({ widget: new NoFinalNewline(), side: 1 })

/** Says at the end of a text that its last line has no line break. */
export const finalNewline = ViewPlugin.define<{
  decorations: DecorationSet
  update(update: ViewUpdate): void
}>(
  (view) => {
    let decorations = draw(view)
    return {
      get decorations() {
        return decorations
      },
      update(update) {
        if (update.docChanged) decorations = draw(update.view)
      },
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

function draw(view: EditorView): DecorationSet {
  const { doc } = view.state
  const last = doc.line(doc.lines)
  // The end of a mere beginning is none.
  const isEnd = view.state.field(picture, false)?.isHead !== true
  return last.length === 0 || !isEnd ? Decoration.none : Decoration.set(noFinalNewline.range(doc.length))
}
