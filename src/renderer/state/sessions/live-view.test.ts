import { afterEach, expect, it, vi } from 'vitest'
import type { TranscriptPage } from '../../../shared/conversation/live-transcript'
import { fail, succeed } from '../../../shared/result'
import { type HostClient, client } from '../host/client'
import { followConversation } from './live-view'

afterEach(() => vi.restoreAllMocks())

const pageOf = (id: string, hasEarlier: boolean): TranscriptPage => ({
  items: [
    {
      ...{ kind: 'prompt', id, offset: 0, at: null, branches: null, manner: 'typed' },
      blocks: [{ kind: 'text', text: id }],
    },
  ],
  agents: [],
  hasEarlier,
})

/** A conversation whose last page is here, and what gives the pages before it. */
function conversation() {
  const sinks = new Map<string, { snapshot: (page: TranscriptPage) => void }>()
  const subscribe = (topic: string, _params: unknown, sink: { snapshot: () => void }) => {
    sinks.set(topic, sink)
    return { dispose: () => undefined }
  }
  const view = followConversation('c', { subscribe } as unknown as HostClient)
  sinks.get('transcript')?.snapshot(pageOf('3', true))
  const answers: ((answer: unknown) => void)[] = []
  const wanted = vi
    .spyOn(client, 'call')
    .mockImplementation(() => new Promise((resolve) => answers.push(resolve as never)))
  return { view, wanted, answer: (answer: unknown) => answers.shift()?.(answer) }
}

it('reads all pages, also where one is on its way', async () => {
  const { view, wanted, answer } = conversation()
  void view.loadEarlier()
  const all = view.loadAll()
  answer(succeed(pageOf('2', true)))
  await vi.waitFor(() => expect(wanted).toHaveBeenCalledTimes(2))
  answer(succeed(pageOf('1', false)))
  expect(await all).toBe(true)
  expect(view.store.getState().transcript.items.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

it('says that a page can’t be read', async () => {
  const { view, answer } = conversation()
  const all = view.loadAll()
  answer(fail('cancelled', 'Cancelled.'))
  expect(await all).toBe(false)
})
