import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view'
import { picture } from './draft-picture'

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
