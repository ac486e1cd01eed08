import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { EditReview } from './edit-review'
import type { EditTool, ToolInput } from './edit-tools'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlight-edit-review-'))
  path = join(folder, 'a.txt')
  writeFileSync(path, 'one\ntwo\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const origin = { dialect: 'd', connection: 'c', agent: 'Claude', call: 't1' }
const edit = () => ({ file_path: path, old_string: 'one\ntwo', new_string: 'ONE\nTWO' })

/** Asks about one call; reviews are answered by `decide`, which is given the proposal. */
async function ask(tool: EditTool, input: ToolInput, decide: (proposal: Proposal) => Opening) {
  const proposals: Proposal[] = []
  const kept: string[] = []
  const remarks: string[] = []
  const review = new EditReview({
    review: (proposal) => {
      proposals.push(proposal)
      return Promise.resolve(decide(proposal))
    },
    beforeChange: (changed) => {
      kept.push(changed)
      return Promise.resolve()
    },
  })
  review.onRemark((sentence) => remarks.push(sentence))
  const answer = await review.ask({ tool, input, origin }, new AbortController().signal)
  return { answer, proposals, kept, remarks }
}

/** Accepts a text, as the desk does: with what the file holds at that moment. */
const accepting =
  (text: string, disk = 'one\ntwo\n') =>
  ({ objection }: Proposal): Opening => {
    expect(objection?.(text, hashContent(disk))).toBe(null)
    return { kind: 'accepted', text }
  }

test('what was accepted in part is written by the tool itself, and the model is told of the rest', async () => {
  const { answer, proposals, kept } = await ask('Edit', edit(), accepting('ONE\ntwo\n'))
  expect(answer).toMatchObject({ kind: 'allow', path, accepted: 'ONE\ntwo\n', input: { file_path: path } })
  expect(answer).toMatchObject({ input: { new_string: 'ONE\ntwo\n' } })
  expect(JSON.stringify(answer)).toContain('The person changed this before it was written')
  expect(proposals).toMatchObject([
    { origin, path, proposed: 'ONE\nTWO\n', effect: 'agent', title: 'Edit a.txt' },
  ])
  expect(kept).toEqual([path])
})

test('of what was accepted as proposed there is nothing to tell', async () => {
  const { answer } = await ask('Edit', edit(), accepting('ONE\nTWO\n'))
  expect(answer).toMatchObject({ kind: 'allow', told: null, accepted: 'ONE\nTWO\n' })
})

test('a proposal that changes nothing is no question', async () => {
  const input = { file_path: path, content: 'one\ntwo\n' }
  const { answer, proposals } = await ask('Write', input, () => ({ kind: 'rejected' }))
  expect(answer).toEqual({ kind: 'allow', input, told: null, words: null, path, accepted: 'one\ntwo\n' })
  expect(proposals).toEqual([])
})

test('a file that somebody else changed after the decision is not written', async () => {
  const { answer } = await ask('Edit', edit(), (proposal) => {
    const verdict = accepting('ONE\ntwo\n')(proposal)
    writeFileSync(path, 'one\ntwo\nthree\n')
    return verdict
  })
  expect(answer).toMatchObject({ kind: 'deny' })
  expect(JSON.stringify(answer)).toContain('changed by somebody else')
})

test('a new file that appeared after the decision is not written over', async () => {
  const fresh = join(folder, 'new.txt')
  const { answer } = await ask('Write', { file_path: fresh, content: 'mine\n' }, ({ objection }) => {
    expect(objection?.('mine\n', 'absent')).toBe(null)
    writeFileSync(fresh, 'theirs\n')
    return { kind: 'accepted', text: 'mine\n' }
  })
  expect(answer).toMatchObject({ kind: 'deny' })
  expect(existsSync(fresh)).toBe(true)
})

test('a rejection tells the model the person’s words', async () => {
  const { answer } = await ask('Edit', edit(), () => ({ kind: 'rejected', note: 'Keep it.' }))
  expect(answer).toEqual({
    kind: 'deny',
    message: `The person looked at this change of ${path} and rejected it. Nothing was written. They say: Keep it.`,
  })
})

test('what is withdrawn or can’t be reviewed is not written', async () => {
  const withdrawn = await ask('Edit', edit(), () => ({ kind: 'withdrawn', reason: 'cancelled' }))
  expect(withdrawn.answer).toMatchObject({ kind: 'deny' })
  const refused = await ask('Edit', edit(), () => ({ kind: 'refused', message: 'Too large.' }))
  expect(refused.answer).toEqual({ kind: 'deny', message: 'Too large.' })
})

test('what the program will change beside what is reviewed is said', async () => {
  expect((await ask('Edit', edit(), () => ({ kind: 'rejected' }))).remarks).toEqual([])
  writeFileSync(path, 'one\ntwo\r\nthree\r\n')
  expect((await ask('Edit', edit(), () => ({ kind: 'rejected' }))).remarks).toEqual([
    'a.txt has mixed line endings. Claude’s edit writes all of them as CRLF, whatever the review shows.',
  ])
})

test('a path that isn’t absolute is refused, whatever lies there for Greenlight', async () => {
  const input = { file_path: relative(process.cwd(), path), content: 'x' }
  const { answer, proposals } = await ask('Write', input, () => ({ kind: 'accepted', text: 'x' }))
  expect(answer).toMatchObject({ kind: 'deny' })
  expect(proposals).toEqual([])
})

test('what has no text to review is left to the caller', async () => {
  const unreviewable = { answer: { kind: 'unreviewable' }, proposals: [] }
  const decide = (): Opening => ({ kind: 'rejected' })
  expect(await ask('Edit', { file_path: folder }, decide)).toMatchObject(unreviewable)
  expect(await ask('Write', { file_path: folder, content: 'x' }, decide)).toMatchObject(unreviewable)
  expect(await ask('Edit', { ...edit(), old_string: 'three' }, decide)).toMatchObject(unreviewable)
})
