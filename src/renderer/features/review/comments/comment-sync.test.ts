import { afterEach, expect, test, vi } from 'vitest'
import type { ReviewComment } from '../../../../shared/review/comments'
import { CommentSync } from './comment-sync'

const one: ReviewComment = { id: '1', lines: { from: 1, to: 1 }, quote: 'a', text: 'no' }

function start(isSent = true) {
  const sent: (readonly ReviewComment[])[] = []
  const sync = new CommentSync((comments) => {
    sent.push(comments)
    return Promise.resolve(isSent)
  })
  return { sync, sent, now: () => sync.store.getState().comments }
}

afterEach(() => vi.useRealTimers())

test('what is typed is sent once, soon, and not taken back by what the host had', async () => {
  vi.useFakeTimers()
  const { sync, sent, now } = start()
  sync.receive([one])
  sync.write('1', 'no, n')
  sync.write('1', 'no, not so')
  sync.receive([one])
  expect(now()).toEqual([{ ...one, text: 'no, not so' }])
  await vi.advanceTimersByTimeAsync(300)
  expect(sent).toEqual([[{ ...one, text: 'no, not so' }]])
})

test('what is typed while an earlier text is on its way isn’t taken back when the host tells of that one', async () => {
  const texts: string[] = []
  const answers: (() => void)[] = []
  const sync = new CommentSync((comments) => {
    texts.push(comments[0]?.text ?? '')
    return new Promise((resolve) => answers.push(() => resolve(true)))
  })
  const now = () => sync.store.getState().comments.map(({ text }) => text)
  sync.receive([one])
  const sends = ['ab', 'abc'].map((text) => {
    sync.write('1', text)
    return sync.settle()
  })
  sync.receive([{ ...one, text: 'ab' }])
  answers[0]?.()
  await sends[0]
  expect(now()).toEqual(['abc'])
  sync.write('1', 'abcd')
  sync.receive([{ ...one, text: 'abc' }])
  answers[1]?.()
  await sends[1]
  expect(now()).toEqual(['abcd'])
  const last = sync.settle()
  sync.receive([{ ...one, text: 'abcd' }])
  // Somebody else's, told while this page's answer is still to come.
  sync.receive([
    { ...one, text: 'abcd' },
    { ...one, id: '2' },
  ])
  expect(now()).toEqual(['abcd'])
  answers[2]?.()
  await last
  expect([texts, now()]).toEqual([
    ['ab', 'abc', 'abcd'],
    ['abcd', 'no'],
  ])
})

test('a comment that says nothing isn’t sent, and lines have one comment', async () => {
  const { sync, sent, now } = start()
  expect(sync.begin({ from: 2, to: 3 }, 'b\nc')).toBe(true)
  expect(sync.begin({ from: 2, to: 3 }, 'b\nc')).toBe(true)
  expect(now()).toHaveLength(1)
  expect(sync.store.getState().begun).toBe(now()[0]?.id)
  sync.write(now()[0]?.id ?? '', ' ')
  expect(await sync.settle()).toBe(true)
  expect(sent).toEqual([[]])
})

test('a review is touched by sending the comments as they are', async () => {
  const { sync, sent } = start()
  sync.receive([one])
  sync.touch()
  expect(await sync.settle()).toBe(true)
  expect(sent).toEqual([[one]])
})

test('a comment that has just been begun stays when the host tells of others', () => {
  const { sync, now } = start()
  sync.receive([one])
  sync.begin({ from: 2, to: 2 }, 'b')
  sync.receive([{ ...one, text: 'yes' }])
  expect(now()).toMatchObject([{ text: 'yes' }, { lines: { from: 2, to: 2 }, text: '' }])
})

test('what could not be sent stays, and is sent with the next', async () => {
  const { sync, sent, now } = start(false)
  sync.receive([one])
  sync.write('1', 'x')
  expect(await sync.settle()).toBe(false)
  sync.receive([])
  expect(now()).toMatchObject([{ text: 'x' }])
  expect(await sync.settle()).toBe(false)
  expect(sent).toHaveLength(2)
})
