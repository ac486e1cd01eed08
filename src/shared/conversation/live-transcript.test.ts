import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addChange, LiveTranscript, type TranscriptChange } from './live-transcript'
import type { Block, Item } from './transcript'

const reply = (id: string, blocks: readonly Block[] = []): Item => ({
  ...{ kind: 'reply', id, offset: 0, at: null, branches: null, model: null, usage: null, costUSD: null },
  ...{ stopReason: null, isError: false, blocks },
})
const prompt = (id: string): Item => ({
  ...{ kind: 'prompt', id, offset: 0, at: null, branches: null, manner: 'typed' },
  blocks: [{ kind: 'text', text: id }],
})
const joinChanges = (changes: readonly TranscriptChange[]) => {
  const joined: TranscriptChange[] = []
  for (const change of changes) addChange(joined, change)
  return joined
}
const itemsOf = (transcript: LiveTranscript) =>
  Array.from({ length: transcript.length }, (_, index) => transcript.at(index))

const change: fc.Arbitrary<TranscriptChange> = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((id): TranscriptChange => ({ kind: 'put', item: reply(id) })),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3), fc.string())
    .map(([item, place, text]): TranscriptChange => ({ kind: 'more', item, place, text })),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3), fc.string())
    .map(([item, place, text]): TranscriptChange => ({
      kind: 'block',
      item,
      place,
      block: { kind: 'text', text },
    })),
)

test('joined or not, in pages or whole, changes come to the same transcript', () => {
  fc.assert(
    fc.property(fc.array(change), fc.nat(10), fc.nat(4), (changes, at, size) => {
      const whole = new LiveTranscript()
      whole.apply([prompt('first'), prompt('second'), reply('third')].map((item) => ({ kind: 'put', item })))
      const joined = new LiveTranscript()
      const first = whole.page(1)
      joined.apply(first.items.map((item) => ({ kind: 'put', item })))
      whole.apply(changes)
      joined.apply(joinChanges(changes.slice(0, at)))
      for (let before = joined.idAt(0); before !== undefined && joined.length < whole.length;) {
        const page = whole.page(size + 1, before)
        joined.prepend(page.items)
        if (!page.hasEarlier) break
        before = joined.idAt(0)
      }
      joined.apply(joinChanges(changes.slice(at)))
      expect(itemsOf(joined)).toEqual(itemsOf(whole))
      for (let index = 0; index < whole.length; index++)
        expect(joined.indexOf(whole.idAt(index) ?? '')).toBe(index)
    }),
  )
})

test('what is not changed stays the same object, and turns begin with a prompt', () => {
  const transcript = new LiveTranscript()
  transcript.apply(
    [prompt('p'), reply('r', [{ kind: 'text', text: 'a' }]), prompt('q')].map((item) => ({
      kind: 'put',
      item,
    })),
  )
  const [p, r] = itemsOf(transcript)
  transcript.apply([{ kind: 'more', item: 'r', place: 0, text: 'b' }])
  expect(transcript.at(0)).toBe(p)
  expect(transcript.at(1)).not.toBe(r)
  expect(transcript.at(1)).toMatchObject({ blocks: [{ text: 'ab' }] })
  expect(transcript.turnAt(1)).toMatchObject({ id: 'p', length: 2 })
  expect(transcript.turnAt(2)).toMatchObject({ id: 'q', length: 1 })
  transcript.apply([{ kind: 'more', item: 'gone', place: 0, text: 'b' }])
})

test('what sub-agents said comes with the calls that started them, also in pages and for those inside them', () => {
  const call = (id: string, agent: string | null): Block => ({
    kind: 'tool',
    call: {
      ...{ id, kind: 'task', name: 'Task', title: 'Task', input: {}, state: 'open', result: null },
      ...{ progress: null, agent, startedAt: null, endedAt: null },
    },
  })
  const whole = new LiveTranscript()
  whole.apply([
    { kind: 'put', item: prompt('first') },
    { kind: 'put', item: reply('starts', [call('outer', 'a')]) },
    { kind: 'put', item: reply('works', [call('inner', 'b')]), agent: 'a' },
    { kind: 'put', item: reply('deep', [{ kind: 'text', text: 'de' }]), agent: 'b' },
    { kind: 'more', item: 'deep', place: 0, text: 'ep' },
    { kind: 'put', item: prompt('last') },
  ])
  const last = whole.page(1)
  expect(last.agents).toEqual([])
  const page = new LiveTranscript()
  page.prependPage(last)
  page.prependPage(whole.page(5, 'last'))
  // What comes after the pages reaches the same items.
  const news: TranscriptChange = { kind: 'more', item: 'deep', place: 0, text: '!' }
  for (const transcript of [whole, page]) {
    transcript.apply([news])
    expect(itemsOf(transcript).map((item) => item?.id)).toEqual(['first', 'starts', 'last'])
    expect(transcript.agentItems('a').map(({ id }) => id)).toEqual(['works'])
    expect(transcript.agentItems('b')).toEqual([reply('deep', [{ kind: 'text', text: 'deep!' }])])
    expect(transcript.find('deep')).toBe(transcript.agentItems('b')[0])
  }
})
