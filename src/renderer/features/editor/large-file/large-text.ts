import { defaultKeymap } from '@codemirror/commands'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Disposable } from '../../../../shared/lifetime'
import { lineEnds } from '../../../code/line-ends'
import { attempt } from '../../../state/host/calls'
import { editorTheme } from '../editor-theme'
import {
  addBefore,
  addBehind,
  byteAt,
  type PieceWindow,
  windowEnd,
  windowStart,
  type WindowChange,
} from './piece-window'

/** Nearer to an end of the window than this, in characters, the next piece is fetched. */
const margin = 60_000

/** What the view shows of the place in the file. */
interface LargePlace {
  /** The byte at the top of the view, and the file's size in bytes. */
  at: number
  size: number
  /** The number of the line at the top, from 1; null while it is being counted. */
  line: number | null
  problem: string | null
}

/**
 * A long file, read-only. An editor holds a part of it; scrolling adds the next piece and drops the furthest one. The
 * file is never loaded whole.
 */
export class LargeText implements Disposable {
  readonly view: EditorView
  readonly place: StoreApi<LargePlace>
  readonly #path: string
  readonly #numbers = new Compartment()
  #window: PieceWindow = { pieces: [] }
  #size: number
  /** The number of the window's first line, from 0; null until it is counted. */
  #firstLine: number | null = null
  #isLoading = false
  /** Counts the calls of `goTo`; only the last one counts. */
  #wishes = 0
  #disposed = false

  constructor(path: string, size: number) {
    this.#path = path
    this.#size = size
    this.place = createStore<LargePlace>()(() => ({ at: 0, size, line: 1, problem: null }))
    this.view = new EditorView({
      state: EditorState.create({
        extensions: [
          EditorState.readOnly.of(true),
          this.#numbers.of(this.#numbering()),
          lineEnds,
          editorTheme,
          Prec.high(
            keymap.of([
              { key: 'Mod-Home', run: () => this.#go(0) },
              { key: 'Mod-End', run: () => this.#go(this.#size) },
            ]),
          ),
          keymap.of(defaultKeymap),
          EditorView.updateListener.of((update) => {
            if (update.viewportChanged || update.geometryChanged) this.#look()
          }),
          EditorView.domEventHandlers({ scroll: () => this.#look() }),
          EditorView.contentAttributes.of({ 'aria-label': `Editor: ${path}`, 'aria-readonly': 'true' }),
        ],
      }),
    })
  }

  /** Goes to a byte: its line comes to the top. */
  async goTo(at: number): Promise<void> {
    const place = Math.max(0, Math.min(at, this.#size))
    // The end is shown with the text before it.
    const isEnd = place >= this.#size && this.#size > 0
    const wish = ++this.#wishes
    const piece = await this.#read(place, isEnd)
    if (!piece || wish !== this.#wishes) return
    this.#window = { pieces: [piece] }
    this.#firstLine = piece.from === 0 ? 0 : null
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: piece.text },
      selection: { anchor: isEnd ? piece.text.length : 0 },
      effects: [
        this.#numbers.reconfigure(this.#numbering()),
        EditorView.scrollIntoView(isEnd ? piece.text.length : 0, { y: isEnd ? 'end' : 'start', yMargin: 0 }),
      ],
    })
    void this.#countLines()
    this.#look()
  }

  /** Goes to a line, counted from 1. */
  async goToLine(line: number): Promise<void> {
    const found = await attempt('pieces.offset', { path: this.#path, line: Math.max(0, line - 1) })
    if (found.ok) await this.goTo(found.value.at)
    else this.place.setState({ problem: found.failure.message })
  }

  /** The file's size has changed. */
  setSize(size: number): void {
    if (size === this.#size) return
    const isShorter = size < this.#size
    this.#size = size
    this.place.setState({ size })
    if (isShorter && windowEnd(this.#window) > size) void this.goTo(size)
    else this.#look()
  }

  dispose(): void {
    this.#disposed = true
    this.view.destroy()
  }

  #go(at: number): boolean {
    void this.goTo(at)
    return true
  }

  /** Updates the place, and fetches the next piece. */
  #look(): void {
    if (this.#disposed || this.#window.pieces.length === 0) return
    const { view } = this
    // A line of which hardly anything is visible doesn't count as the top one.
    const height = view.scrollDOM.getBoundingClientRect().top - view.documentTop
    const top = view.lineBlockAtHeight(height + 6)
    const line = this.#firstLine === null ? null : this.#firstLine + view.state.doc.lineAt(top.from).number
    const at = byteAt(this.#window, top.from)
    const now = this.place.getState()
    if (now.at !== at || now.line !== line) this.place.setState({ at, line })
    void this.#fill(view.viewport.from, view.viewport.to)
  }

  async #fill(from: number, to: number): Promise<void> {
    if (this.#isLoading) return
    const end = windowEnd(this.#window)
    const start = windowStart(this.#window)
    const isBehind = to > this.view.state.doc.length - margin && end < this.#size
    const isBefore = !isBehind && from < margin && start > 0
    if (!isBehind && !isBefore) return
    this.#isLoading = true
    const base = this.#window
    const piece = await this.#read(isBehind ? end : start, isBefore)
    // The place gone to must be drawn before the text around it changes.
    await new Promise((resolve) => requestAnimationFrame(resolve))
    this.#isLoading = false
    if (this.#disposed) return
    // The person has gone elsewhere meanwhile.
    if (!piece || base !== this.#window || piece.to === piece.from) return
    this.#change(isBehind ? addBehind(base, piece) : addBefore(base, piece))
  }

  #change({ window, cutStart, cutEnd, before, after }: WindowChange): void {
    const { doc } = this.view.state
    const { scrollTop } = this.view.scrollDOM
    const height = this.view.scrollDOM.getBoundingClientRect().top - this.view.documentTop
    const top = this.view.lineBlockAtHeight(height)
    if (this.#firstLine !== null) {
      const gone = cutStart === 0 ? 0 : doc.lineAt(cutStart).number - 1
      const come = before === '' ? 0 : before.split('\n').length - 1
      this.#firstLine += gone - come
    }
    this.#window = window
    this.view.dispatch({
      changes: [
        { from: 0, to: cutStart, insert: before },
        { from: doc.length - cutEnd, to: doc.length, insert: after },
      ],
      effects: this.#numbers.reconfigure(this.#numbering()),
    })
    // The line at the top stays there, whatever came or went above it.
    const place = Math.max(0, top.from - cutStart) + before.length
    this.view.scrollDOM.scrollTop = scrollTop + this.view.lineBlockAt(place).top - top.top
    // The new piece may not fill the view.
    this.#look()
  }

  async #read(at: number, before: boolean) {
    const read = await attempt('pieces.read', { path: this.#path, at, before })
    if (this.#disposed) return undefined
    if (!read.ok) {
      this.place.setState({ problem: read.failure.message })
      return undefined
    }
    this.#size = read.value.size
    this.place.setState({ size: read.value.size, problem: null })
    return read.value
  }

  /** Asks for the number of the first line; the host answers once it has counted that far. */
  async #countLines(): Promise<void> {
    const at = windowStart(this.#window)
    if (this.#firstLine !== null) return
    const counted = await attempt('pieces.line', { path: this.#path, at })
    if (this.#disposed || !counted.ok || this.#firstLine !== null) return
    // Scrolled since: ask again for where the text begins now.
    if (windowStart(this.#window) !== at) return this.#countLines()
    this.#firstLine = counted.value.line
    this.view.dispatch({ effects: this.#numbers.reconfigure(this.#numbering()) })
    this.#look()
  }

  #numbering(): Extension {
    const first = this.#firstLine
    return lineNumbers({ formatNumber: (line) => (first === null ? '·' : String(first + line)) })
  }
}
