import { syntaxTree } from '@codemirror/language'
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView, type ViewUpdate } from '@codemirror/view'
import { type StoreApi, createStore } from 'zustand/vanilla'
import type { Range } from '../../../shared/contract/define'
import { type Disposable, DisposableStack, Emitter, disposable } from '../../../shared/lifetime'
import { offsetAt, positionAt } from '../../../shared/text/text-facts'
import type { DocumentMeta } from '../../../shared/contract/documents'
import { isInLayer } from '../../commands/layers'
import { client } from '../../state/host/client'
import type { Indentation } from '../../state/tabs/editor-status'
import { link } from '../../state/host/link'
import { registerDocument } from '../../state/tabs/open-documents'
import { DocumentSync } from './document/document-sync'
import { editorExtensions, pathExtensions } from './editor-extensions'
import { indentationExtension, indentationFor } from './indentation'
import { findLanguage, longestParsed } from '../../code/code-language'
import { definitionsIn } from '../../code/definitions'

/** A file open in an editor: its link to the host and its view. It lives as long as its tab. */
export class EditorSession implements Disposable {
  readonly sync: DocumentSync
  /** The view, once the text is here. */
  readonly view: StoreApi<{ view: EditorView | null }> = createStore<{ view: EditorView | null }>()(() => ({
    view: null,
  }))
  /** The language's name, for the status bar. */
  language = 'Plain text'
  readonly #updates = new Emitter<ViewUpdate>()
  readonly #owned = new DisposableStack()
  #path: string
  #name: string
  /** Its registration by path. */
  #known: Disposable
  readonly #pathSlot = new Compartment()
  readonly #languageSlot = new Compartment()
  readonly #readOnlySlot = new Compartment()
  readonly #indentationSlot = new Compartment()
  #indentation: Indentation = { style: 'space', size: 2, from: 'file' }
  /** Where to go once the text is here and visible: a hidden editor neither scrolls nor takes the focus. */
  #wanted: { range: Range | null; focus: boolean } | null = null

  constructor(path: string, name: string) {
    this.#path = path
    this.#name = name
    this.sync = this.#owned.add(
      new DocumentSync(
        client,
        path,
        // Each editor is its own author: the same file may be open on both sides.
        crypto.randomUUID(),
        () => link.getState().state === 'live',
        (text, sync) => this.#makeView(text, sync),
      ),
    )
    this.#known = this.#register(path)
    this.#owned.add(disposable(() => this.#known.dispose()))
    const stop = this.sync.view.subscribe((state, before) => {
      if (state.kind !== 'text') return
      const known = before.kind === 'text' ? before.meta : null
      const isReadOnly = state.meta.readOnly || state.meta.guessed
      const { view } = this.view.getState()
      // The view survives a failure in between.
      if (view && view.state.readOnly !== isReadOnly) {
        view.dispatch({ effects: this.#readOnlySlot.reconfigure(EditorState.readOnly.of(isReadOnly)) })
      }
      const wanted = JSON.stringify(state.meta.indent)
      if (wanted !== JSON.stringify(known?.indent ?? null)) this.#followIndentation(state.meta.indent)
    })
    this.#owned.add(disposable(stop))
  }

  get path(): string {
    return this.#path
  }

  get name(): string {
    return this.#name
  }

  /** The file has a new path: the text, its undo history, the cursor and the folds stay. */
  rename(path: string, name: string): void {
    if (path === this.#path) return
    this.#path = path
    this.#known.dispose()
    this.#known = this.#register(path)
    const { view } = this.view.getState()
    view?.dispatch({ effects: this.#pathSlot.reconfigure(pathExtensions(path)) })
    this.sync.follow(path)
    if (name === this.#name) return
    this.#name = name
    if (view && view.state.doc.length <= longestParsed) void this.#loadLanguage(view)
  }

  get indentation(): Indentation {
    return this.#indentation
  }

  /** Changes the indentation of what is typed from now on. */
  indentWith(indentation: Indentation): void {
    this.#indentation = indentation
    this.view.getState().view?.dispatch({
      effects: this.#indentationSlot.reconfigure(indentationExtension(indentation)),
    })
  }

  /** Every change of the view: text, selection, focus. */
  readonly onUpdate = this.#updates.on

  /** Selects a range and scrolls to it; without one only moves the focus. Waits until the editor is shown. */
  reveal(range: Range | null, focus: boolean): void {
    const { view } = this.view.getState()
    if (!view?.dom.checkVisibility()) {
      this.#wanted = {
        range: range ?? this.#wanted?.range ?? null,
        focus: focus || (this.#wanted?.focus ?? false),
      }
      return
    }
    if (range) {
      const anchor = offsetAt(view.state.doc, range.start)
      const head = offsetAt(view.state.doc, range.end)
      view.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
        userEvent: 'select',
      })
    }
    // A menu or a dialog that was opened while the file was loading keeps the focus.
    if (focus && !isInLayer()) view.focus()
  }

  /** Call it when its tab is shown. */
  shown(): void {
    const wanted = this.#wanted
    if (!wanted || !this.view.getState().view?.dom.checkVisibility()) return
    this.#wanted = null
    this.reveal(wanted.range, wanted.focus)
  }

  /** The selection for the host; null while the host doesn't have the text it is in. */
  selection(): { path: string; version: number; range: Range } | null {
    const { view } = this.view.getState()
    const { version, confirmed } = this.sync.position
    if (!view || !confirmed) return null
    const { from, to } = view.state.selection.main
    const { doc } = view.state
    return { path: this.path, version, range: { start: positionAt(doc, from), end: positionAt(doc, to) } }
  }

  dispose(): void {
    this.#owned.dispose()
    this.view.getState().view?.destroy()
    this.view.setState({ view: null })
    this.#updates.dispose()
  }

  #register(path: string): Disposable {
    return registerDocument(path, {
      flush: () => this.sync.flush(),
      symbols: () => {
        const { view } = this.view.getState()
        return view ? definitionsIn(syntaxTree(view.state), view.state.doc) : []
      },
    })
  }

  /** The project's indentation applies unless the person has chosen another. */
  #followIndentation(wanted: DocumentMeta['indent']): void {
    const { view } = this.view.getState()
    if (view && this.#indentation.from !== 'person') this.indentWith(indentationFor(view.state.doc, wanted))
  }

  #makeView(text: Text, sync: Extension): EditorView {
    this.#indentation = indentationFor(text, null)
    const state = EditorState.create({
      doc: text,
      extensions: [
        editorExtensions(text),
        this.#pathSlot.of(pathExtensions(this.#path)),
        sync,
        this.#languageSlot.of([]),
        this.#indentationSlot.of(indentationExtension(this.#indentation)),
        this.#readOnlySlot.of(EditorState.readOnly.of(false)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.sync.changed()
          this.#updates.emit(update)
        }),
      ],
    })
    const view = new EditorView({ state })
    this.view.setState({ view })
    if (text.length <= longestParsed) void this.#loadLanguage(view)
    return view
  }

  async #loadLanguage(view: EditorView): Promise<void> {
    const name = this.#name
    const language = await findLanguage({ file: name })
    if (name !== this.#name || this.view.getState().view !== view) return
    const now = language?.name ?? 'Plain text'
    if (now === this.language) return
    this.language = now
    view.dispatch({ effects: this.#languageSlot.reconfigure(language?.support ?? []) })
  }
}
