import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { client } from '../../state/host/client'
import { moveToTrash } from './file-actions'
import { askToDelete, endDeleting, treeState } from './tree-state'

/** What the host is asked, in order, and what it answers, once it does. */
const asked: { name: string; params: unknown; answer: (result: unknown) => void }[] = []

beforeEach(() => {
  vi.spyOn(client, 'call').mockImplementation(
    (name, params) => new Promise((answer) => asked.push({ name, params, answer: answer as never })),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  asked.length = 0
  treeState.setState({ deleting: [] })
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
