import type { Language } from '@codemirror/language'
import type { Disposable } from '../../shared/lifetime'
import { addRules } from '../ui/theme/added-rules'
import { type CodeKind, paintedColors } from './code-colors'
import { CodeReader } from './code-language'
import { paintText, type PaintedStretch } from './painted-text'

addRules(paintedColors)

/**
 * Code in parts of 32 lines. A part with an element of its own is not laid out or painted again while the end grows.
 */
export function partsOf(code: string): readonly string[] {
  return code.match(/(?!$)(?:[^\n]*\n){0,31}[^\n]*(?:\n|$)/g) ?? []
}

/** How many parts at the end may still change their colours when more code follows. */
const open = 2

/** Paints code that may grow at its end; only the last parts are then painted again. */
export class CodePainter implements Disposable {
  readonly #reader = new CodeReader()
  #code = ''
  #language: Language | null = null
  /** The colours of each part. */
  #painted: Disposable[][] = []

  /** Paints elements that each hold one part of the code as a single text. */
  paint(code: string, language: Language, elements: Iterable<Element>): void {
    const isMore = language === this.#language && code.startsWith(this.#code)
    this.#clear(isMore ? Math.max(0, this.#painted.length - open) : 0)
    this.#code = code
    this.#language = language
    const settled = this.#painted.length
    const texts = Array.from(elements, ({ firstChild }) => (firstChild instanceof Text ? firstChild : null))
    let start = 0
    for (const text of texts.slice(0, settled)) start += text?.length ?? 0
    const stretches = this.#reader.read(code, language, start)
    let at = 0
    for (const node of texts.slice(settled)) {
      if (!node) return
      const end = start + node.length
      const byKind = new Map<CodeKind, PaintedStretch[]>()
      for (let one = stretches[at]; one && one.from < end; one = stretches[++at]) {
        const list = byKind.get(one.kind) ?? []
        list.push({ node, from: Math.max(0, one.from - start), to: Math.min(one.to, end) - start })
        byKind.set(one.kind, list)
        // The rest of it is in the next part.
        if (one.to > end) break
      }
      this.#painted.push([...byKind].map(([kind, list]) => paintText(`code-${kind}`, list)))
      start = end
    }
  }

  dispose(): void {
    this.#clear(0)
    this.#code = ''
  }

  /** Removes the colours of all parts from this one on. */
  #clear(from: number): void {
    for (const one of this.#painted.splice(from).flat()) one.dispose()
  }
}
