import { readFileSync, writeFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import type { FakeAgent } from '../e2e/fake-agent'
import { type OpenApp, button, mod, press, proposedText, review, tab } from '../e2e/open-app'
import { linesWith } from '../e2e/thirty-lines'
import type { Chance } from './chance'

/** The lines the agent changes. The person decides the first four changes and types after the last. */
const changed = [3, 9, 15, 21, 27]
export const decidable = [1, 2, 3, 4]
const typedInto = 5
export const before = linesWith([])
const proposed = linesWith(changed)

export type Decision = 'undecided' | 'accepted' | 'rejected'

/** When something was begun and when the person saw it done, in milliseconds since the epoch. */
interface Moment {
  begun: number
  seen: number
}

/** A file under review as the person remembers it. */
export interface ReviewedFile {
  name: string
  path: string
  decisions: (Moment & { change: number; decision: Decision })[]
  typed: (Moment & { letter: string })[]
  /** The decision on the whole file. */
  word: (Moment & { accepted: boolean }) | null
  /** What the agent was told; it writes an accepted text at once. */
  answer: { accepted: true; text: string } | { accepted: false } | null
}

/** A file in the editor. */
export interface EditedFile {
  name: string
  path: string
  base: string
  typed: (Moment & { letter: string })[]
  /** The text that was saved last. */
  saved: (Moment & { text: string }) | null
}

/** Everything the person did and saw done, kept outside the app. */
export interface Diary {
  reviews: ReviewedFile[]
  editors: EditedFile[]
  tabs: (Moment & { name: string })[]
}

export const emptyDiary = (): Diary => ({ reviews: [], editors: [], tabs: [] })

const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('')
/** So few reviews at once each have a tab of their own. */
const mostReviews = 3

/** The runs of the app within one test. */
export const marks = ['one', 'two']

const namesOf = (mark: string, kind: 'review' | 'editor'): string[] =>
  Array.from({ length: kind === 'review' ? 8 : 3 }, (_, index) => `${mark}-${kind}-${index + 1}.txt`)

/** Writes every file the test will use, before the app starts: a file that appears later may count as the agent's. */
export function writeFiles(app: OpenApp): void {
  for (const mark of marks) {
    for (const name of namesOf(mark, 'review')) app.write(name, before)
    for (const name of namesOf(mark, 'editor')) app.write(name, `${name}\nlast line: `)
  }
}

export const editorOf = (page: Page, path: string): Locator =>
  page.getByRole('textbox', { name: `Editor: ${path}` })

/** Does one random thing per `act` and notes it in the diary. */
export class BusyPerson {
  readonly #app: OpenApp
  readonly #agent: FakeAgent
  readonly #chance: Chance
  readonly #diary: Diary
  /** Names of files not used yet. */
  readonly #reviews: string[]
  readonly #editors: string[]
  readonly #open: ReviewedFile[] = []
  readonly #edited: EditedFile[] = []
  /** Called just before a file is accepted. */
  onAccept: () => void = () => undefined

  constructor(
    app: OpenApp,
    agent: FakeAgent,
    chance: Chance,
    { diary, mark }: { diary: Diary; mark: string },
  ) {
    this.#app = app
    this.#agent = agent
    this.#chance = chance
    this.#diary = diary
    this.#reviews = namesOf(mark, 'review')
    this.#editors = namesOf(mark, 'editor')
  }

  async act(): Promise<void> {
    const chance = this.#chance
    const roll = chance.next()
    const canAsk = this.#open.length < mostReviews && this.#reviews.length > 0
    if (canAsk && (this.#open.length === 0 || roll < 0.1)) return this.#getProposal()
    if (this.#editors.length > 0 && (this.#edited.length === 0 || roll < 0.16)) return this.#openFile()
    if (this.#open.length === 0) return this.#typeInEditor(chance.pick(this.#edited))
    if (roll < 0.45) return this.#decide(chance.pick(this.#open))
    if (roll < 0.57) return this.#typeInReview(chance.pick(this.#open))
    if (roll < 0.69) return this.#typeInEditor(chance.pick(this.#edited))
    if (roll < 0.75) return this.#save(chance.pick(this.#edited))
    return this.#answer(chance.pick(this.#open))
  }

  get #page(): Page {
    return this.#app.page
  }

  /** The agent proposes a change, and writes it as soon as it is accepted. */
  async #getProposal(): Promise<void> {
    const name = this.#reviews.shift() ?? ''
    const path = this.#app.path(name)
    const file: ReviewedFile = { name, path, decisions: [], typed: [], word: null, answer: null }
    this.#diary.reviews.push(file)
    void this.#agent.openDiff(path, proposed, name).then(([word = '', text = '']) => {
      file.answer = word === 'FILE_SAVED' ? { accepted: true, text } : { accepted: false }
      if (file.answer.accepted) writeFileSync(path, text)
    })
    await this.#seeTab(name, () => expect(tab(this.#page, name)).toBeVisible())
    this.#open.push(file)
  }

  async #openFile(): Promise<void> {
    const name = this.#editors.shift() ?? ''
    const path = this.#app.path(name)
    const base = readFileSync(path, 'utf8')
    const editor: EditedFile = { name, path, base, typed: [], saved: null }
    this.#diary.editors.push(editor)
    await this.#seeTab(name, async () => {
      await this.#page.getByRole('treeitem', { name, exact: true }).dblclick()
      await expect(editorOf(this.#page, path)).toBeVisible()
    })
    this.#edited.push(editor)
  }

  async #decide(file: ReviewedFile): Promise<void> {
    await this.#show(file)
    const change = this.#chance.pick(decidable)
    const now = file.decisions.findLast((one) => one.change === change)?.decision ?? 'undecided'
    const decision: Decision = now === 'undecided' ? this.#chance.pick(['accepted', 'rejected']) : 'undecided'
    const noted: ReviewedFile['decisions'][number] = { change, decision, ...this.#begin() }
    file.decisions.push(noted)
    if (decision === 'undecided') {
      await press(this.#page, `Undo change ${change}`)
      await expect(button(review(this.#page), `Accept change ${change}`)).toBeVisible()
    } else {
      await press(this.#page, `${decision === 'accepted' ? 'Accept' : 'Reject'} change ${change}`)
      await expect(button(review(this.#page), `Undo change ${change}`)).toBeVisible()
    }
    noted.seen = Date.now()
  }

  async #typeInReview(file: ReviewedFile): Promise<void> {
    await this.#show(file)
    await proposedText(this.#page)
      .getByText(new RegExp(`^LINE ${changed[typedInto - 1]}`))
      .click()
    await this.#page.keyboard.press('End')
    await this.#type(file.typed)
  }

  async #typeInEditor(editor: EditedFile): Promise<void> {
    await tab(this.#page, editor.name).click()
    await editorOf(this.#page, editor.path).focus()
    await this.#page.keyboard.press(`${mod}+End`)
    await this.#type(editor.typed)
  }

  async #type(into: (Moment & { letter: string })[]): Promise<void> {
    for (let left = this.#chance.between(3, 20); left > 0; left--) {
      const noted = { letter: this.#chance.pick(alphabet), ...this.#begin() }
      into.push(noted)
      await this.#page.keyboard.press(noted.letter)
      noted.seen = Date.now()
      await new Promise((resolve) => setTimeout(resolve, this.#chance.between(0, 40)))
    }
  }

  async #save(editor: EditedFile): Promise<void> {
    await tab(this.#page, editor.name).click()
    await editorOf(this.#page, editor.path).focus()
    const wanted = editor.base + lettersOf(editor.typed)
    const noted = { text: wanted, ...this.#begin() }
    editor.saved = noted
    await this.#page.keyboard.press(`${mod}+s`)
    await expect.poll(() => readFileSync(editor.path, 'utf8')).toBe(wanted)
    noted.seen = Date.now()
  }

  /** Accepts four times out of five. */
  async #answer(file: ReviewedFile): Promise<void> {
    await this.#show(file)
    const accepted = this.#chance.next() < 0.8
    this.#open.splice(this.#open.indexOf(file), 1)
    this.#diary.tabs = this.#diary.tabs.filter(({ name }) => name !== file.name)
    const noted = { accepted, ...this.#begin() }
    file.word = noted
    if (accepted) this.onAccept()
    await press(this.#page, accepted ? 'Accept file' : 'Reject file')
    await expect.poll(() => file.answer).not.toBeNull()
    await expect(tab(this.#page, file.name)).toHaveCount(0)
    noted.seen = Date.now()
  }

  async #show({ name, path }: ReviewedFile): Promise<void> {
    await tab(this.#page, name).click()
    await expect(review(this.#page)).toHaveAccessibleName(`Review: ${path}`)
  }

  async #seeTab(name: string, open: () => Promise<void>): Promise<void> {
    const noted = { name, ...this.#begin() }
    this.#diary.tabs.push(noted)
    await open()
    noted.seen = Date.now()
  }

  #begin(): Moment {
    return { begun: Date.now(), seen: Number.POSITIVE_INFINITY }
  }
}

export const lettersOf = (typed: readonly { letter: string }[]): string =>
  typed.map(({ letter }) => letter).join('')
