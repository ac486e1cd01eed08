import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ChangeGroups } from './change-groups'

let folder: string
let groups: ChangeGroups

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-groups-'))
  groups = new ChangeGroups(folder, (error) => {
    throw error
  })
})
afterEach(async () => {
  await groups.flush()
  groups.dispose()
  await rm(folder, { recursive: true })
})

const add = (path: string, isMore = false) =>
  groups.add('/p', null, [{ path, before: { kind: 'absent' }, after: null }], isMore)

it('has a group as it was seen, without what has come to it since', () => {
  add('/p/a')
  const { id = '', revision = 0 } = groups.list()[0] ?? {}
  add('/p/b', true)
  expect(groups.findAt(id, revision)).toMatchObject({ files: [{ path: '/p/a' }], isMore: false })
  expect(groups.findAt(id, groups.list()[0]?.revision ?? 0)).toEqual(groups.list()[0])
  // It went, and came again.
  groups.drop(['/p/a'])
  add('/p/a')
  expect(groups.findAt(id, revision)).toBeUndefined()
})

it('grows for ten seconds after many files, by few for two, however often few come to it', async () => {
  groups.dispose()
  let now = 0
  const report = (error: unknown) => expect.unreachable(String(error))
  groups = new ChangeGroups(folder, report, () => now)
  const write = (name: string, count: number) => {
    const files = Array.from({ length: count }, (_, n) => `/p/${name}${n}`)
    const before = { kind: 'absent' } as const
    groups.add(
      '/p',
      null,
      files.map((path) => ({ path, before, after: null })),
      false,
    )
  }
  write('a', 60)
  now = 9000
  write('b', 60)
  now = 11_000
  expect(groups.growing('/p', null, true)).toBeDefined()
  now = 12_000
  expect(groups.growing('/p', null, true)).toBeUndefined()
  now = 18_000
  write('c', 1)
  expect(groups.list().map(({ files }) => files.length)).toEqual([121])
  expect(groups.growing('/p', null)).toBeDefined()
  now = 20_000
  expect(groups.growing('/p', null)).toBeUndefined()
})

it('counts a file that was written again as what nobody has seen', () => {
  add('/p/a')
  add('/p/b')
  const { id = '', revision = 0 } = groups.list()[0] ?? {}
  groups.rewritten(new Map([['/p/a', null]]))
  expect(groups.findAt(id, revision)).toEqual(groups.list()[0])
  groups.rewritten(new Map([['/p/a', 'f'.repeat(64)]]))
  expect(groups.findAt(id, revision)).toMatchObject({ files: [{ path: '/p/b' }] })
  expect(groups.findAt(id, revision + 1)).toEqual(groups.list()[0])
})

it('forgets that there were more than are listed only with the group as a whole', () => {
  add('/p/a', true)
  add('/p/b')
  const { id = '' } = groups.list()[0] ?? {}
  groups.drop(['/p/a'])
  expect(groups.list()).toMatchObject([{ files: [{ path: '/p/b' }], isMore: true }])
  groups.drop([], id)
  expect(groups.list()).toMatchObject([{ files: [{ path: '/p/b' }], isMore: false }])
  groups.drop(['/p/b'])
  expect(groups.list()).toEqual([])
})
