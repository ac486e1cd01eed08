import { once } from 'node:events'
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { type NoticeChange, Notices } from './notices'

function record(notices: Notices): NoticeChange[] {
  const changes: NoticeChange[] = []
  notices.onChange((change) => changes.push(change))
  return changes
}

test('a notice is listed and told until it is dismissed', () => {
  const notices = new Notices()
  const changes = record(notices)
  const id = notices.add({ kind: 'warning', text: 'The disk is full. Free some space.' })
  expect(notices.list()).toMatchObject([{ id, kind: 'warning', action: null, passing: false }])
  notices.dismiss(id)
  notices.dismiss(id)
  expect(notices.list()).toEqual([])
  expect(changes.map((change) => change.kind)).toEqual(['add', 'remove'])
})

test('the same sentence twice is one notice, the newer one', () => {
  const notices = new Notices()
  const first = notices.add({ kind: 'info', text: 'Saved.' })
  const second = notices.add({ kind: 'info', text: 'Saved.' })
  expect(notices.list().map((notice) => notice.id)).toEqual([second])
  expect(first).not.toBe(second)
})

test('beyond fifty the oldest goes', () => {
  const notices = new Notices()
  for (let index = 0; index < 60; index++) notices.add({ kind: 'info', text: `Number ${index}` })
  expect(notices.list()).toHaveLength(50)
  expect(notices.list()[0]?.text).toBe('Number 10')
})

test('a passing one leaves by itself', async () => {
  const notices = new Notices(1)
  const heard = new EventEmitter()
  notices.onChange((change) => heard.emit(change.kind))
  const removed = once(heard, 'remove')
  // The notice's own timer does not keep the process awake, so the test has one that does.
  const awake = setInterval(() => undefined, 1000)
  notices.add({ kind: 'info', text: 'Saved.', passing: true })
  await removed
  clearInterval(awake)
  expect(notices.list()).toEqual([])
})
