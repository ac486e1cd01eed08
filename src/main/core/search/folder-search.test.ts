import { describe, expect, it } from 'vitest'
import type { SearchQuery, SearchState } from '../../../shared/contract/search'
import { fail, succeed } from '../../../shared/result'
import { FolderSearch, mostHits } from './folder-search'
import type { FileHits, SearchEvents, SearchFolders } from './search-job'
import { describeHit } from './found-hit'

const query: SearchQuery = {
  text: 'a',
  isRegex: false,
  isCaseSensitive: false,
  isWholeWord: false,
  include: '',
  exclude: '',
  withIgnored: false,
}

function fileOf(path: string, hits: number): FileHits {
  return {
    path,
    isUnsaved: false,
    hits: Array.from({ length: hits }, (_, at) => describeHit(at, 'a', [0, 1])),
  }
}

/** A search that is done so, and everything that it tells. */
function make(searchFolders: SearchFolders) {
  const search = new FolderSearch({
    folders: () => ['/w'],
    unsaved: () => Promise.resolve([]),
    leftOut: () => [],
    describeFolder: () => '',
    search: searchFolders,
  })
  const told: Partial<SearchState>[] = []
  search.onDelta((delta) => told.push(delta))
  const end = () =>
    new Promise<SearchState>((resolve) => {
      search.onDelta(({ phase }) => phase !== undefined && phase !== 'running' && resolve(search.state))
    })
  return { search, told, end }
}

const finding =
  (...files: FileHits[]): SearchFolders =>
  (_job, events) => {
    for (const file of files) if (!events.found(file)) break
    return Promise.resolve(succeed({}))
  }

describe('folder search', () => {
  it('has failed, and does not go on, where the system refuses what it needs', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const { search, end } = make(() => Promise.reject(full))
    search.start(query)
    expect(await end()).toMatchObject({
      phase: 'failed',
      problem: 'The search failed. Try again.',
    })
  })

  it('keeps what is found, and tells each file once', async () => {
    const { search, told, end } = make(finding(fileOf('/w/a', 2), fileOf('/w/b', 1)))
    expect(search.start(query)).toBe(1)
    const state = await end()
    expect(state).toMatchObject({ phase: 'done', hits: 3, isCut: false })
    expect(state.files.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual([1, 2, 3])
    expect(told.flatMap(({ files }) => files ?? [])).toEqual(state.files)
  })

  it('stops at its bound and says that there is more', async () => {
    const { search, end } = make(finding(fileOf('/w/a', mostHits - 1), fileOf('/w/b', 2), fileOf('/w/c', 1)))
    search.start(query)
    const state = await end()
    expect(state).toMatchObject({ phase: 'done', hits: mostHits, isCut: true })
    expect(state.files.map(({ hits }) => hits.length)).toEqual([mostHits - 1, 1])
  })

  it('says nothing of more where the bound is met exactly', async () => {
    const { search, end } = make(finding(fileOf('/w/a', mostHits)))
    search.start(query)
    expect(await end()).toMatchObject({ hits: mostHits, isCut: false })
  })

  it('has failed with what the search says of it', async () => {
    const { search, end } = make(() => Promise.resolve(fail('invalid', 'Mend it.')))
    search.start(query)
    expect(await end()).toMatchObject({ phase: 'failed', hits: 0, problem: 'Mend it.' })
  })

  it('ends when cancelled, keeps what it has, and hears nothing of it any more', async () => {
    let heard: { events: SearchEvents; signal: AbortSignal } | undefined
    let tellStarted: () => void = () => undefined
    const started = new Promise<void>((resolve) => (tellStarted = resolve))
    const slow: SearchFolders = (_job, events, signal) => {
      heard = { events, signal }
      events.found(fileOf('/w/a', 1))
      tellStarted()
      return new Promise(() => undefined)
    }
    const { search } = make(slow)
    search.start(query)
    await started
    search.cancel()
    expect(heard?.signal.aborted).toBe(true)
    expect(heard?.events.found(fileOf('/w/b', 1))).toBe(false)
    expect(search.state).toMatchObject({ phase: 'cancelled', hits: 1, files: [{ path: '/w/a' }] })
    search.dispose()
  })

  it('forgets the search before when another begins', async () => {
    const { search, end } = make(finding(fileOf('/w/a', 1)))
    search.start(query)
    await end()
    expect(search.start({ ...query, text: 'b' })).toBe(2)
    expect(search.state).toMatchObject({ phase: 'running', hits: 0, files: [], query: { text: 'b' } })
    expect(await end()).toMatchObject({ run: 2, hits: 1, files: [{ hits: [{ id: 1 }] }] })
  })
})
