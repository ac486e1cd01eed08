import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import type { ReviewComment } from '../../../../shared/review/comments'

/** Says which lines have a comment. */
export const setCommented = StateEffect.define<readonly ReviewComment[]>()

const mark = Decoration.line({ class: 'gl-commented' })

/** Marks the lines that have a comment. */
export const commentMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, state }) {
    const marked = effects.findLast((effect) => effect.is(setCommented))
    if (!marked) return before.map(changes)
    const lines = new Set<number>()
    for (const { lines: at } of marked.value) {
      if (at === null) continue
      const last = Math.min(Math.max(at.from, at.to), state.doc.lines)
      for (let line = at.from; line <= last; line++) lines.add(line)
    }
    const sorted = [...lines].sort((one, other) => one - other)
    return Decoration.set(sorted.map((line) => mark.range(state.doc.line(line).from)))
  },
  provide: (field) => EditorView.decorations.from(field),
})
