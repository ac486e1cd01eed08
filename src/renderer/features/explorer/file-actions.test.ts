import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { succeed } from '../../../shared/result'
import { client } from '../../state/host/client'
import { wantedFile } from '../../state/tabs/wanted-file'
import { createHere, duplicate, moveToTrash, renameTo } from './file-actions'
import { askToDelete, chooseOnly, endDeleting, treeState } from './tree-state'

/** What the host is asked, in order, and what it answers, once it does. */
const asked: { name: string; params: unknown; answer: (result: unknown) => void }[] = []

beforeEach(() => {
  chooseOnly('/p/a')
  vi.spyOn(client, 'call').mockImplementation(
    (name, params) => new Promise((answer) => asked.push({ name, params, answer: answer as never })),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  asked.length = 0
  treeState.setState({ deleting: [] })
  wantedFile.forget()
})

async function next() {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0))
  const call = asked.shift()
  if (!call) throw new Error('no call')
  return call
}

it('asks about what the trash refuses after the question that is open by then', async () => {
  const trashed = moveToTrash(['/p/a'])
  const { answer } = await next()
  askToDelete(['/p/b'])
  answer({ done: [], problems: [], refused: [{ path: '/p/a', why: 'no trash' }] })
  await trashed
  const [first, second] = treeState.getState().deleting
  expect([first, second]).toMatchObject([
    { paths: ['/p/b'], refused: [] },
    { paths: ['/p/a'], refused: ['no trash'] },
  ])
  expect(first?.id).not.toBe(second?.id)
  endDeleting()
  expect(treeState.getState().deleting).toEqual([second])
})

it('leaves cursor and focus to a person who has gone elsewhere before the file is made or renamed', async () => {
  const made = createHere('/p', 'new.txt', 'file', () => false)
  const create = await next()
  chooseOnly('/p/b')
  create.answer(succeed({ path: '/p/new.txt' }))
  expect(await made).toBeNull()
  // Nor does it come in front of what they went to.
  expect(asked).toEqual([])
  expect([treeState.getState().cursor, wantedFile.store.getState().wanted]).toEqual(['/p/b', null])

  const renamed = renameTo('/p/b', 'c')
  const rename = await next()
  chooseOnly('/p/d')
  rename.answer(succeed({ path: '/p/c' }))
  expect(await renamed).toBeNull()
  expect(treeState.getState().cursor).toBe('/p/d')
})

it('goes to the new file where the person waits for it', async () => {
  const made = createHere('/p', 'new.txt', 'file', () => true)
  ;(await next()).answer(succeed({ path: '/p/new.txt' }))
  expect(await made).toBeNull()
  expect([treeState.getState().cursor, wantedFile.store.getState().wanted]).toEqual([
    '/p/new.txt',
    '/p/new.txt',
  ])
})

it('duplicates files where they are, in whichever folders', async () => {
  const done = duplicate(['/p/a', '/p/lib/b', '/p/c'])
  const first = await next()
  expect(first.params).toEqual({ paths: ['/p/a', '/p/c'], folder: '/p' })
  first.answer({ done: [], problems: [] })
  const second = await next()
  expect(second.params).toEqual({ paths: ['/p/lib/b'], folder: '/p/lib' })
  second.answer({ done: [], problems: [] })
  await done
})
