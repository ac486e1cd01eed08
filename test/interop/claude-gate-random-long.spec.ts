import type { Locator } from '@playwright/test'
import { proposedBy } from '../../src/main/protocols/claude-tools/edit-tools'
import { applyStep, startDraft } from '../../src/shared/review/draft'
import { adoptLineEnds, parseText, restoreText, toText } from '../../src/shared/text/text-facts'
import { Chance, seed } from '../chaos/chance'
import {
  notebookText,
  type RandomChange,
  randomCell,
  randomChange,
  randomKind,
  randomText,
  rawOf,
} from '../random-changes'
import { type ClaudeInApp, readOf, tasks, test } from './claude-in-app'
import { expect, type RecordedWrite, screenOf } from './cli-in-app'
import { use } from './messages-api'

/**
 * Random tools, files, rules and decisions with the real command line, through the page, in a random mode. Many more turns
 * without it are in src/main/app/claude-hooks/random-turns.test.ts. Repeat one by its seed: GREENLIGHT_CHAOS_SEED=N.
 */
const turns = 60
const modes = ['manual', 'acceptEdits', 'auto', 'bypassPermissions'] as const
const rules = [
  { pattern: 'docs/**', answer: 'write' },
  { pattern: 'never/**', answer: 'never' },
]

class RandomTurns {
  readonly #chance = new Chance('gate of the real command line')
  readonly #claude: ClaudeInApp
  /** What each file must hold; null: there is none. */
  readonly #files = new Map<string, string | null>()
  readonly #writes: RecordedWrite[] = []
  /** A rejection has stopped its turn: the model hears of it with the next prompt. */
  #isStopped = false
  #terminal!: Locator

  constructor(claude: ClaudeInApp) {
    this.#claude = claude
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'docs/d.txt', 'never/e.txt'])
      this.#put(name, rawOf(randomText(this.#chance, name), randomKind(this.#chance)))
    this.#put('book.ipynb', notebookText(['a = 1', 'b = 2', 'c = 3']))
  }

  async run(): Promise<void> {
    const mode = this.#chance.pick(modes)
    this.#claude.gateIn(mode, { reviewPathRules: rules })
    await this.#claude.start()
    this.#terminal = await this.#claude.openClaude()
    for (let number = 0; number < turns; number++) {
      try {
        await this.#turn(number)
      } catch (error) {
        throw new Error(`turn ${number} in ${mode}, GREENLIGHT_CHAOS_SEED=${seed}`, { cause: error })
      }
    }
  }

  async #turn(number: number): Promise<void> {
    const name = this.#chance.next() < 0.1 ? `new${number}.txt` : this.#chance.pick([...this.#files.keys()])
    const before = this.#files.get(name) ?? null
    const change = this.#change(name, before, number)
    const proposed = proposedIn(change, before)
    const steps = [
      ...(before === null ? [] : [readOf(this.#claude.path(name))]),
      use({ name: change.tool, input: change.input }),
    ]
    const task = `task-${letters(number)}`
    this.#claude.api.setScript(tasks({ [task]: steps }))
    await this.#claude.prompt(this.#terminal, `do ${task}`)
    const wasStopped = this.#isStopped

    const isFree = name.startsWith('docs/')
    const isRefused = name.startsWith('never/')
    const after = isFree ? proposed : isRefused ? before : await this.#decide(name, change, number, proposed)
    const isRejected = after === before
    this.#files.set(name, after)
    const how = isFree ? 'let-through' : isRejected ? 'rejected' : 'accepted'
    if (!isRefused) this.#writes.push({ name, how, before, after })

    this.#isStopped = isRejected && !isRefused && change.tool !== 'NotebookEdit'
    if (!this.#isStopped) {
      expect((await this.#claude.told(task, steps.length)).results.map(({ isError }) => isError)).toEqual([
        isRejected,
      ])
      await expect(screenOf(this.#terminal)).toContainText(`${task} is done.`)
    }
    const first = await this.#claude.told(task, 0)
    expect(first.results.map(({ isError }) => isError)).toEqual(wasStopped ? [true] : [])
    for (const [each, text] of this.#files) expect(this.#read(each), each).toBe(text)
    await this.#claude.recorded(this.#writes)
  }

  /** Decides in some way; gives what the file must hold then. */
  async #decide(
    name: string,
    { tool }: RandomChange,
    number: number,
    proposed: string,
  ): Promise<string | null> {
    const { page } = this.#claude
    const before = this.#files.get(name) ?? null
    const review = await this.#claude.reviewInTab(name)
    expect(this.#read(name), name).toBe(before)
    const roll = this.#chance.next()
    if (roll < 0.25) {
      await review.getByRole('button', { name: 'Reject file' }).click()
      await expect(review).toHaveCount(0)
      return before
    }
    const { draft, facts } = draftOf(before, proposed)
    let text = draft.b.toString()
    if (tool !== 'NotebookEdit' && roll < 0.6 && draft.hunks.length > 1) {
      const { number: hunk } = this.#chance.pick(draft.hunks)
      await review.getByRole('button', { name: `Reject change ${hunk}`, exact: true }).click()
      await expect(review.getByRole('button', { name: `Undo change ${hunk}`, exact: true })).toBeVisible()
      text = applyStep(draft, { kind: 'reject', hunk })?.draft.b.toString() ?? ''
    } else if (tool !== 'NotebookEdit' && roll < 0.75) {
      const line = text.split('\n').find((one) => one.includes(`token${number}`)) ?? ''
      const shown = review.getByRole('textbox', { name: /^Proposed text of / }).locator('.cm-line')
      await shown.filter({ hasText: line }).first().click()
      // Of a line that is wrapped, the first goes to the end of what is in one row.
      await page.keyboard.press('End')
      await page.keyboard.press('End')
      await page.keyboard.type(' typed')
      await expect(shown.filter({ hasText: `${line} typed` }).first()).toBeVisible()
      text = text.replace(line, () => `${line} typed`)
    }
    await review.getByRole('button', { name: 'Accept file' }).click()
    await expect(review).toHaveCount(0)
    const after = restoreText(text, facts)
    await expect.poll(() => this.#read(name), { message: name }).toBe(after)
    return after
  }

  #change(name: string, before: string | null, number: number): RandomChange {
    const path = this.#claude.path(name)
    return name.endsWith('.ipynb')
      ? randomCell(this.#chance, path, 3, number)
      : randomChange(this.#chance, path, before, number)
  }

  #put(name: string, text: string): void {
    this.#claude.write(name, text)
    this.#files.set(name, text)
  }

  #read(name: string): string | null {
    return this.#claude.exists(name) ? this.#claude.read(name) : null
  }
}

function proposedIn({ tool, input }: RandomChange, before: string | null): string {
  const made = proposedBy(tool, input, before)
  if (!made.ok) throw new Error(made.failure.message)
  return made.value.proposed
}

/** A review's text before any decision, and how it is in the file. */
function draftOf(before: string | null, proposed: string) {
  const base = before === null ? null : parseText(before)
  const { text, facts } = base === null ? parseText(proposed) : adoptLineEnds(base, proposed)
  return { draft: startDraft(toText(base?.text ?? ''), toText(text)), facts }
}

/** A number in letters, as the names of tasks have them. */
function letters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
}

test('random turns: what is on disk and on record is what was decided, to the byte', async ({ claude }) => {
  test.setTimeout(900_000)
  await new RandomTurns(claude).run()
})
