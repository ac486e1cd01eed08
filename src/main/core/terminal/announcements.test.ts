import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Announcement, Announcements } from './announcements'

function begin() {
  const said: Announcement[] = []
  return { said, announcements: new Announcements((one) => said.push(one)) }
}

test('OSC 9 says a text; progress says nothing', () => {
  const { said, announcements } = begin()
  announcements.hear9('Claude is waiting for your input')
  announcements.hear9('4;1;50')
  announcements.hear9('4')
  announcements.hear9('')
  announcements.hear9('3 tests failed')
  expect(said).toEqual([
    { title: '', body: 'Claude is waiting for your input' },
    { title: '', body: '3 tests failed' },
  ])
})

test('OSC 777 says a title and a text', () => {
  const { said, announcements } = begin()
  announcements.hear777('notify;Done;a; b')
  announcements.hear777('notify;Only this')
  announcements.hear777('precmd')
  expect(said).toEqual([
    { title: 'Done', body: 'a; b' },
    { title: 'Only this', body: '' },
  ])
})

test('OSC 99 comes in pieces, some of them in base64', () => {
  const { said, announcements } = begin()
  announcements.hear99(';Hello')
  announcements.hear99('i=1:d=0:p=title;Cla')
  announcements.hear99('i=2:d=0;other')
  announcements.hear99('i=1:d=0;ude')
  announcements.hear99(`i=1:p=body:e=1;${Buffer.from('wartet — hier').toString('base64')}`)
  announcements.hear99('i=1:p=close;')
  announcements.hear99('p=?;')
  expect(said).toEqual([
    { title: 'Hello', body: '' },
    { title: 'Claude', body: 'wartet — hier' },
  ])
})

test('what was begun and never ended is forgotten', () => {
  const { said, announcements } = begin()
  for (let id = 0; id < 100; id++) announcements.hear99(`i=${id}:d=0;${id}`)
  announcements.hear99('i=0;end')
  announcements.hear99('i=99;end')
  expect(said.map(({ title }) => title)).toEqual(['end', '99end'])
})

test('no sequence, however odd, is a fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { announcements } = begin()
      announcements.hear9(text)
      announcements.hear777(text)
      announcements.hear99(text)
      announcements.hear99(`d=0:e=1;${text}`)
    }),
  )
})
