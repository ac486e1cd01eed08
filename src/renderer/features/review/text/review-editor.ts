import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import type { LanguageSupport } from '@codemirror/language'
import { searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state'
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view'
import { shallow } from 'zustand/vanilla/shallow'
import { type ReviewComment, quoteOf } from '../../../../shared/review/comments'
import { findHunk, type Draft } from '../../../../shared/review/draft'
import type { Disposable } from '../../../../shared/lifetime'
import { codeColors } from '../../../code/code-colors'
import { findLanguage } from '../../../code/code-language'
import { searchPanel } from '../../../code/find-panel'
import { lineEnds } from '../../../code/line-ends'
import { blocks } from './text-blocks'
import { finalNewline } from './final-newline'
import type { Followed, OwnWork } from '../../../../shared/review/draft-sync'
import { hunkActions, type HunkActions } from './hunk-actions'
import { differenceIn, placeOf } from './hunk-places'
import { commentMarks, setCommented } from './comment-marks'
import { lineMarks, numberGutter } from './line-marks'
import {
  firstPicture,
  followDraft,
  type Look,
  type Picture,
  picture,
  revealRemoved,
  setCurrent,
  setLook,
  sideOf,
  takeDecision,
  toggleOpened,
  undoableDecisions,
  unfoldAt,
} from './draft-picture'
import { keepPlace } from './place-keeper'
import { ReferenceSide } from './reference-side'
import { ScrollAcross } from './scroll-across'
import { fillers } from './side-by-side'

/** What a review's editor needs, and who hears of what happens in it. */
export interface ReviewEditorOptions {
  readonly parent: HTMLElement
  readonly draft: Draft
  /** Only the head of the draft is there yet (see shared/review/draft-head): it is read-only until the whole is followed. */
  readonly isHead?: boolean
  /** How many lines the longer of the whole texts has, where these are not whole: their numbers have room at once. */
  readonly lines?: number
  /** Names the language and the text fields. */
  readonly path: string
  readonly look: Look
  readonly canEdit?: boolean
  /** The accessible names of two texts that are only compared: there is nothing to decide. */
  readonly labels?: { readonly before: string; readonly after: string }
  /** Whether a change may be decided by its buttons just now; a decision can be taken back at any time. */
  mayDecide?(): boolean
  /** The person wants to say something about lines of the result. Without it nothing can be said. */
  onComment?(lines: ReviewComment['lines'], quote: string): void
  /** Hears everything that the person does to the draft, in order, right after it is done. */
  onWork?(work: OwnWork): void
  /** Hears each new picture. */
  onPicture?(picture: Picture): void
}

/**
 * The text of a review: the result, editable, with what it changes of the reference shown above its lines or beside
 * them. Decisions and typing are transactions of one editor, so one undo takes back either; the reference is either
 * drawn into it or a second, read-only editor that follows. Changing the look keeps text, history, selection and
 * place. It never takes the focus by itself.
 */
export class ReviewEditor implements Disposable {
  readonly #options: ReviewEditorOptions
  readonly #scroller: HTMLElement
  readonly #row: HTMLElement
  readonly #across = new ScrollAcross()
  readonly #result: EditorView
  readonly #language = new Compartment()
  readonly #wrap = new Compartment()
  readonly #access = new Compartment()
  #reference: { side: ReferenceSide; host: HTMLElement } | null = null
  #support: LanguageSupport | null = null
  /** The first frame is past. */
  #isPainted = false
  #canEdit: boolean
  #isDisposed = false

  constructor(options: ReviewEditorOptions) {
    this.#options = options
    const { draft, look, path, lines = Math.max(draft.a.lines, draft.b.lines) } = options
    this.#canEdit = options.canEdit === true
    this.#scroller = document.createElement('div')
    this.#scroller.className = 'gl-review-text'
    this.#scroller.style.setProperty('--number-digits', String(String(lines).length))
    this.#row = document.createElement('div')
    this.#row.className = 'gl-review-sides'
    this.#scroller.append(this.#row, this.#across.dom)
    const host = this.#addHost('gl-side-b')
    this.#result = new EditorView({
      parent: host,
      state: EditorState.create({
        doc: draft.b,
        extensions: [
          sideOf.of('b'),
          picture.init(() => firstPicture(draft, look, options.isHead)),
          history(),
          undoableDecisions,
          keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
          searchPanel,
          this.#access.of(this.#makeAccess()),
          commentMarks,
          this.#shared(options.labels?.after ?? `Proposed text of ${path}`, look),
          EditorView.updateListener.of((update) => this.#hearResult(update)),
        ],
      }),
    })
    this.#across.add(this.#result)
    this.#applyLayout(look)
    options.parent.append(this.#scroller)
    this.#measure()
    this.#finishLater()
  }

  /** Measures now, so that the next frame only has to paint. */
  #measure(): void {
    this.#result.elementAtHeight(0)
    this.#reference?.side.view.elementAtHeight(0)
  }

  /** The draft as it is shown. */
  get draft(): Draft {
    return this.picture.draft
  }

  get picture(): Picture {
    return this.#result.state.field(picture)
  }

  /** Whether the person is composing a character. */
  get isComposing(): boolean {
    return this.#result.composing
  }

  /** Follows what the host made of the draft: others' steps, or a new snapshot. */
  follow(followed: Followed): void {
    // The rest of a long text comes after the first frame. Its bars come with it: they would draw all of it again.
    const bars = this.picture.isHead && !this.#isPainted
    if (bars) this.#isPainted = true
    this.#result.dispatch({
      ...(followed.b ? { changes: followed.b } : {}),
      effects: [
        followDraft.of(followed.draft),
        ...(bars ? [this.#access.reconfigure(this.#makeAccess())] : []),
      ],
      annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
    })
  }

  /** Changes how the review looks; text, history, selection and the place looked at stay. */
  setLook(look: Look): void {
    const before = this.picture.look
    if (shallow(look, before)) return
    if (look.wrap === before.wrap && look.layout === before.layout) {
      this.#result.dispatch({ effects: setLook.of(look) })
      return
    }
    keepPlace(this.#result, this.#scroller, () => {
      this.#result.dispatch({
        effects: [setLook.of(look), this.#wrap.reconfigure(wrapping(look))],
      })
      this.#reference?.side.reconfigure(this.#wrap.reconfigure(wrapping(look)))
      this.#applyLayout(look)
    })
  }

  /** Lets the person edit and decide, or only read. */
  setAccess(canEdit: boolean): void {
    this.#canEdit = canEdit
    this.#result.dispatch({ effects: this.#access.reconfigure(this.#makeAccess()) })
  }

  /** Takes a decision on one change; false when it cannot be taken. */
  decide(kind: 'accept' | 'reject' | 'undecide', number: number): boolean {
    const { state } = this.#result
    const hunk = findHunk(this.draft, number)
    if (!hunk || state.readOnly || (hunk.decision.kind === 'undecided') === (kind === 'undecide'))
      return false
    const insert =
      kind === 'reject'
        ? this.draft.a.slice(hunk.fromA, hunk.toA)
        : kind === 'undecide' && hunk.decision.kind === 'rejected'
          ? state.toText(hunk.decision.was)
          : null
    this.#result.dispatch({
      ...(insert ? { changes: { from: hunk.fromB, to: hunk.toB, insert } } : {}),
      effects: [takeDecision.of({ kind, hunk: number }), setCurrent.of(number)],
      annotations: [isolateHistory.of('full'), Transaction.userEvent.of(`review.${kind}`)],
    })
    return true
  }

  /** The first of the changes that are wanted, if the person sees where it begins. */
  firstInView(wanted: (number: number) => boolean): number | null {
    const hunk = this.draft.hunks.find(({ number }) => wanted(number))
    if (!hunk) return null
    const at = this.#result.documentTop + this.#result.lineBlockAt(hunk.fromB).top
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    return at >= top && at < Math.min(bottom, innerHeight) ? hunk.number : null
  }

  /** Goes to the next or previous change, round at the ends. False when there is none. */
  goTo(direction: 1 | -1, wanted: (number: number) => boolean = () => true): boolean {
    const { hunks } = this.draft
    const at = hunks.findIndex((hunk) => hunk.number === this.picture.current)
    const start = at < 0 ? (direction > 0 ? -1 : hunks.length) : at
    for (let i = 1; i <= hunks.length; i++) {
      const index = (start + direction * i + hunks.length * 2) % hunks.length
      const hunk = hunks[index]
      if (!hunk || !wanted(hunk.number)) continue
      this.show(hunk.number)
      return true
    }
    return false
  }

  /** Makes a change the current one and brings it into view, so far from the edge that its bar does not cover it. */
  show(number: number): void {
    const hunk = findHunk(this.draft, number)
    if (!hunk) return
    const pos = differenceIn({ ...this.draft, b: this.#result.state.doc }, hunk)
    this.#result.dispatch({
      selection: { anchor: pos },
      effects: [
        setCurrent.of(number),
        EditorView.scrollIntoView(pos, { y: 'start', yMargin: 80, xMargin: 240 }),
      ],
    })
  }

  /** Begins a comment on the selected lines. */
  commentOnSelection(): void {
    this.#commentBetween(this.#result.state.selection.main)
  }

  /** Begins a comment on a change; on one that only removes, about what it removes. */
  #commentOn(number: number): void {
    const index = this.draft.hunks.findIndex((hunk) => hunk.number === number)
    const hunk = this.draft.hunks[index]
    if (!hunk) return
    const { a, b } = placeOf(this.draft, index)
    if (b) this.#commentBetween(b)
    else if (a) {
      const from = this.#result.state.doc.lineAt(hunk.fromB).number
      this.#options.onComment?.({ from, to: from - 1 }, this.draft.a.sliceString(a.from, a.to))
    }
  }

  #commentBetween({ from, to }: { from: number; to: number }): void {
    const { doc } = this.#result.state
    const lines = { from: doc.lineAt(from).number, to: doc.lineAt(to).number }
    this.#options.onComment?.(lines, quoteOf(doc, lines))
  }

  /** Marks the lines that have a comment. */
  markComments(comments: readonly ReviewComment[]): void {
    this.#result.dispatch({ effects: setCommented.of(comments) })
  }

  /** Brings a line into view, and the cursor there. */
  showLine(number: number): void {
    const { doc } = this.#result.state
    const { from } = doc.line(Math.max(1, Math.min(number, doc.lines)))
    this.#result.dispatch({
      selection: { anchor: from },
      effects: [unfoldAt.of(from), EditorView.scrollIntoView(from, { y: 'center' })],
    })
    this.focus()
  }

  undo(): boolean {
    return undo(this.#result)
  }

  redo(): boolean {
    return redo(this.#result)
  }

  /** Moves the focus into the text. */
  focus(): void {
    // Focusing must not move what the person looks at.
    this.#result.contentDOM.focus({ preventScroll: true })
  }

  dispose(): void {
    this.#isDisposed = true
    this.#removeReference()
    this.#across.dispose()
    this.#result.destroy()
    this.#scroller.remove()
  }

  #addHost(className: string): HTMLElement {
    const host = document.createElement('div')
    host.className = `gl-side ${className}`
    if (className === 'gl-side-a') this.#row.prepend(host)
    else this.#row.append(host)
    return host
  }

  #shared(label: string, look: Look): Extension {
    return [
      lineEnds,
      EditorState.tabSize.of(4),
      numberGutter,
      blocks,
      fillers,
      lineMarks,
      finalNewline,
      codeColors,
      this.#language.of(this.#support ?? []),
      this.#wrap.of(wrapping(look)),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true' }),
    ]
  }

  #makeAccess(): Extension {
    const canEdit = this.#canEdit
    const actions: HunkActions = {
      canDecide: canEdit,
      hasBars: this.#isPainted,
      isProposal: this.#options.labels === undefined,
      accept: (hunk) => this.#pressToDecide('accept', hunk),
      reject: (hunk) => this.#pressToDecide('reject', hunk),
      ...(this.#options.onComment ? { comment: (hunk: number) => this.#commentOn(hunk) } : {}),
      undo: (hunk) => this.#press(hunk, () => this.decide('undecide', hunk)),
      toggleOpened: (hunk) =>
        this.#press(hunk, () =>
          this.#result.dispatch({ effects: [toggleOpened.of(hunk), setCurrent.of(hunk)] }),
        ),
      reveal: (hunk, lines) => this.#result.dispatch({ effects: revealRemoved.of({ hunk, lines }) }),
      unfold: (from) => this.#result.dispatch({ effects: unfoldAt.of(from) }),
    }
    return [
      hunkActions.of(actions),
      // What is done to a mere head could not be kept.
      EditorState.readOnly.compute([picture], (state) => !canEdit || state.field(picture).isHead),
    ]
  }

  #pressToDecide(kind: 'accept' | 'reject', hunk: number): void {
    if (this.#options.mayDecide?.()) this.#press(hunk, () => this.decide(kind, hunk))
  }

  /** Runs what a change's button does; the focus stays at that change although its buttons are replaced. */
  #press(number: number, run: () => void): void {
    const before = document.activeElement
    const hadFocus = before !== null && this.#scroller.contains(before)
    run()
    if (!hadFocus || (before.isConnected && document.activeElement === before)) return
    const next = this.#result.contentDOM.querySelector<HTMLElement>(`[data-hunk="${number}"] button`)
    if (next) next.focus({ preventScroll: true })
    else this.focus()
  }

  #hearResult(update: ViewUpdate): void {
    if (this.#isDisposed) return
    this.#reference?.side.hear(update)
    const now = update.state.field(picture)
    if (now !== update.startState.field(picture)) this.#options.onPicture?.(now)
    if (update.geometryChanged || update.viewportChanged) this.#across.measure()
    // Last, because the answer may be something to follow.
    this.#tellWork(update)
  }

  #tellWork({ transactions, startState, state, changes }: ViewUpdate): void {
    const [before, after] = [startState.field(picture).draft, state.field(picture).draft]
    const isFollowing = transactions.some(({ effects }) => effects.some((effect) => effect.is(followDraft)))
    if (before === after || isFollowing) return
    const steps = transactions.flatMap((transaction) => transaction.state.field(picture).steps)
    this.#options.onWork?.({ before, after, steps, edit: changes })
  }

  #applyLayout(look: Look): void {
    const isBeside = look.layout === 'side-by-side'
    this.#scroller.classList.toggle('gl-beside', isBeside)
    if (isBeside === (this.#reference !== null)) return
    if (isBeside) this.#addReference(look)
    else this.#removeReference()
  }

  #addReference(look: Look): void {
    const host = this.#addHost('gl-side-a')
    const extensions = this.#shared(
      this.#options.labels?.before ?? `Text of ${this.#options.path} before`,
      look,
    )
    const side = new ReferenceSide(host, this.#result, extensions)
    this.#reference = { side, host }
    this.#across.add(side.view)
  }

  #removeReference(): void {
    const reference = this.#reference
    if (!reference) return
    this.#reference = null
    this.#across.remove(reference.side.view)
    reference.side.dispose()
    reference.host.remove()
  }

  /** Adds what the first frame need not wait for: the changes' bars and the colours of the language. */
  #finishLater(): void {
    requestAnimationFrame(() => {
      // After that frame has been painted.
      setTimeout(() => {
        if (this.#isDisposed) return
        if (!this.#isPainted) {
          this.#isPainted = true
          this.setAccess(this.#canEdit)
        }
        void this.#loadLanguage()
      })
    })
  }

  async #loadLanguage(): Promise<void> {
    const found = await findLanguage({ file: this.#options.path })
    if (!found || this.#isDisposed) return
    this.#support = found.support
    for (const view of [this.#result, this.#reference?.side.view]) {
      view?.dispatch({ effects: this.#language.reconfigure(found.support) })
    }
  }
}

function wrapping(look: Look): Extension {
  return look.wrap ? EditorView.lineWrapping : []
}
