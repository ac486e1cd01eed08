import { ChangeSet, Text } from '@codemirror/state'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Draft, type DraftStep, applyStep, startDraft } from '../../../shared/review/draft'
import { Emitter } from '../../../shared/lifetime'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { sampleName, sampleProposal, sampleText } from './sample'
import { Tour, doneIn } from './tour'

const textOf = (text: string) => Text.of(text.split('\n'))
const start = () => startDraft(textOf(sampleText), textOf(sampleProposal))

function after(...steps: DraftStep[]): Draft {
  return steps.reduce((draft, step) => applyStep(draft, step)?.draft ?? draft, start())
}

test('the sample has three changes', () => {
  expect(start().hunks.map((hunk) => hunk.number)).toEqual([1, 2, 3])
})

test('what a person did is read from the draft, in whatever order', () => {
  expect(doneIn(start())).toEqual({ accepted: false, rejected: false, edited: false })
  const length = start().b.length
  const [, , last] = start().hunks
  const edit = ChangeSet.of({ from: (last?.toB ?? 1) - 1, insert: ' // mine' }, length)
  const steps: DraftStep[] = [
    { kind: 'edit', changes: edit },
    { kind: 'reject', hunk: 2 },
    { kind: 'accept', hunk: 1 },
  ]
  expect(doneIn(after(...steps))).toEqual({ accepted: true, rejected: true, edited: true })
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlight-tour-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function makeTour() {
  const desk = new Emitter<void>()
  const opened: { proposal: Proposal; answer: (opening: Opening) => void }[] = []
  const rejected: string[] = []
  const shown: string[] = []
  const tour = new Tour({
    folder,
    connection: 'window',
    open: (proposal) => new Promise((answer) => opened.push({ proposal, answer })),
    reviewOf: () => 'review',
    draft: () => after({ kind: 'accept', hunk: 1 }),
    onDesk: desk.on,
    onFolderOpened: new Emitter<void>().on,
    show: (review) => shown.push(review),
    reject: (review) => rejected.push(review),
  })
  return { tour, desk, opened, rejected, shown }
}

test('asks through the desk as a sample, shows the review once, and knows when it is written', async () => {
  const { tour, desk, opened, shown } = makeTour()
  expect((await tour.start()).ok).toBe(true)
  expect(readFileSync(join(folder, sampleName), 'utf8')).toBe(sampleText)
  expect(opened[0]?.proposal).toMatchObject({ origin: { dialect: 'sample', agent: 'Sample agent' } })
  desk.emit()
  desk.emit()
  expect(shown).toEqual(['review'])
  expect(tour.state).toMatchObject({ phase: 'asking', accepted: true, rejected: false })
  opened[0]?.answer({ kind: 'accepted', text: '' })
  await Promise.resolve()
  expect(tour.state).toMatchObject({ phase: 'written' })
})

test('left, it rejects what still asks; begun again, it is as new', async () => {
  const { tour, opened, rejected } = makeTour()
  await tour.start()
  tour.leave()
  expect(rejected).toEqual(['review'])
  expect(tour.state).toBeNull()
  opened[0]?.answer({ kind: 'rejected' })
  await tour.start()
  expect(tour.state).toMatchObject({ phase: 'asking', accepted: false })
  expect(opened).toHaveLength(2)
})
