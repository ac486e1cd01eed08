import {
  SearchQuery,
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  search,
  selectMatches,
  setSearchQuery,
} from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import type { Command, EditorView, Panel, ViewUpdate } from '@codemirror/view'
import { countMatches, describeMatches } from './match-count'
import './find-panel.css'

/** Find at the top of an editor, and replace where its text can be changed. */
export const searchPanel: Extension = search({ top: true, createPanel: (view) => new FindPanel(view) })

type Option = 'caseSensitive' | 'wholeWord' | 'regexp'

class FindPanel implements Panel {
  readonly dom: HTMLElement
  readonly top = true
  readonly view: EditorView
  readonly searchField: HTMLInputElement
  readonly replaceField: HTMLInputElement
  readonly options: Record<Option, HTMLButtonElement>
  readonly status: HTMLElement
  readonly replacing: HTMLElement
  readonly replaceToggle: HTMLButtonElement
  query: SearchQuery
  counting: ReturnType<typeof setTimeout> | undefined

  constructor(view: EditorView) {
    this.view = view
    this.query = getSearchQuery(view.state)
    this.searchField = this.#field('Find')
    this.searchField.setAttribute('main-field', 'true')
    this.replaceField = this.#field('Replace with')
    this.options = {
      caseSensitive: this.#option('Aa', 'Match case'),
      wholeWord: this.#option('ab', 'Whole words'),
      regexp: this.#option('.*', 'Regular expression'),
    }
    this.options.wholeWord.classList.add('find-whole-word')
    this.status = element('span', 'find-status number')
    this.status.setAttribute('role', 'status')
    this.replaceToggle = button('\u203a', 'Replace', () => this.#showReplace(Boolean(this.replacing.hidden)))
    this.replaceToggle.classList.add('find-toggle')

    const fields = element('div', 'find-group')
    fields.append(this.searchField, ...Object.values(this.options))
    const finding = element('div', 'find-row')
    finding.append(
      this.replaceToggle,
      fields,
      button('\u2191', 'Previous match', () => this.#run(findPrevious)),
      button('\u2193', 'Next match', () => this.#run(findNext)),
      this.status,
      wordButton('Select all', () => this.#run(selectMatches)),
      button('\u00d7', 'Close find', () => this.#close(), 'find-close'),
    )
    const replaceGroup = element('div', 'find-group')
    replaceGroup.append(this.replaceField)
    this.replacing = element('div', 'find-row find-replacing')
    this.replacing.append(
      replaceGroup,
      wordButton('Replace', () => this.#run(replaceNext)),
      wordButton('Replace all', () => this.#run(replaceAll)),
    )
    this.#showReplace(this.query.replace !== '' && !view.state.readOnly)
    this.replaceToggle.hidden = view.state.readOnly

    this.dom = element('div', 'find-panel')
    this.dom.setAttribute('role', 'search')
    this.dom.setAttribute('aria-label', 'Find in this file')
    this.dom.append(finding, this.replacing)
    this.dom.addEventListener('keydown', (event) => this.#key(event))
    this.#show(this.query)
  }

  mount(): void {
    this.searchField.select()
  }

  update(update: ViewUpdate): void {
    this.replaceToggle.hidden = update.state.readOnly
    for (const transaction of update.transactions) {
      for (const effect of transaction.effects) {
        if (effect.is(setSearchQuery) && !effect.value.eq(this.query)) this.#show(effect.value)
      }
    }
    if (update.docChanged || update.selectionSet) this.#countSoon()
  }

  destroy(): void {
    clearTimeout(this.counting)
  }

  #field(label: string): HTMLInputElement {
    const field = document.createElement('input')
    field.className = 'find-field'
    field.placeholder = label
    field.setAttribute('aria-label', label)
    field.spellcheck = false
    field.autocomplete = 'off'
    field.addEventListener('input', () => this.#commit())
    return field
  }

  #option(sign: string, label: string): HTMLButtonElement {
    const option = button(sign, label, () => {
      option.setAttribute('aria-pressed', String(option.getAttribute('aria-pressed') !== 'true'))
      this.#commit()
    })
    option.setAttribute('aria-pressed', 'false')
    option.classList.add('find-option')
    return option
  }

  #isOn(option: Option): boolean {
    return this.options[option].getAttribute('aria-pressed') === 'true'
  }

  #commit(): void {
    const query = new SearchQuery({
      search: this.searchField.value,
      replace: this.replaceField.value,
      caseSensitive: this.#isOn('caseSensitive'),
      wholeWord: this.#isOn('wholeWord'),
      regexp: this.#isOn('regexp'),
      // Plain text is searched literally; a regular expression has its own escapes.
      literal: !this.#isOn('regexp'),
    })
    if (query.eq(this.query)) return
    this.query = query
    this.view.dispatch({ effects: setSearchQuery.of(query) })
    this.#countSoon()
  }

  #show(query: SearchQuery): void {
    this.query = query
    this.searchField.value = query.search
    this.replaceField.value = query.replace
    for (const option of ['caseSensitive', 'wholeWord', 'regexp'] as const)
      this.options[option].setAttribute('aria-pressed', String(query[option]))
    this.#countSoon()
  }

  #countSoon(): void {
    clearTimeout(this.counting)
    this.counting = setTimeout(() => {
      const isBroken = this.query.search !== '' && !this.query.valid
      this.searchField.setAttribute('aria-invalid', String(isBroken))
      if (this.query.search === '') this.status.textContent = ''
      else if (isBroken) this.status.textContent = 'Invalid regular expression'
      else this.status.textContent = describeMatches(countMatches(this.view.state, this.query))
    }, 60)
  }

  #run(command: Command): void {
    this.#commit()
    command(this.view)
  }

  #close(): void {
    closeSearchPanel(this.view)
    this.view.focus()
  }

  #showReplace(shown: boolean): void {
    this.replacing.hidden = !shown
    this.replaceToggle.setAttribute('aria-expanded', String(shown))
    if (shown && this.view.dom.isConnected) this.replaceField.focus()
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'Escape') this.#close()
    else if (event.key === 'Enter' && event.target === this.searchField) {
      this.#run(event.shiftKey ? findPrevious : findNext)
    } else if (event.key === 'Enter' && event.target === this.replaceField) this.#run(replaceNext)
    else if (event.key === 'F3') this.#run(event.shiftKey ? findPrevious : findNext)
    else return
    event.preventDefault()
  }
}

function element(tag: 'div' | 'span', className: string): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  return made
}

function button(sign: string, label: string, run: () => void, className = ''): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = `icon-button find-button ${className}`
  made.textContent = sign
  made.title = label
  made.setAttribute('aria-label', label)
  made.addEventListener('click', run)
  return made
}

function wordButton(words: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button button-quiet button-small'
  made.textContent = words
  made.addEventListener('click', run)
  return made
}
