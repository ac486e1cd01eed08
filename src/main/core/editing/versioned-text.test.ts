import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import { ChangeSet, EditorState, Text } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VersionedText } from './versioned-text'

const insert = (length: number, at: number, text: string) => ChangeSet.of({ from: at, insert: text }, length)
const wire = (clientID: string, changes: ChangeSet) => ({ clientID, changes: changes.toJSON() as unknown })

test('updates on the newest version are taken, others are behind', () => {
  const text = new VersionedText(Text.of(['ab']), 7)
  expect(text.push(7, [wire('p', insert(2, 1, 'X')), wire('p', insert(3, 2, 'Y'))])).toBe('accepted')
  expect([text.text.toString(), text.version]).toEqual(['aXYb', 9])
  expect(text.push(8, [wire('q', insert(3, 0, 'Z'))])).toBe('behind')
  expect(text.text.toString()).toBe('aXYb')
})

test('of several updates none counts when one does not fit', () => {
  const text = new VersionedText(Text.of(['ab']))
  expect(text.push(0, [wire('p', insert(2, 0, 'X')), wire('p', insert(9, 0, 'Y'))])).toBe('invalid')
  for (const changes of [null, [], 'x', [-1], [[0, 'a', 5]], { length: 2 }, [1, 1, 1]]) {
    expect(text.push(0, [{ clientID: 'p', changes }])).toBe('invalid')
  }
  expect(text.push(3, [wire('p', insert(2, 0, 'X'))])).toBe('invalid')
  expect([text.text.toString(), text.version]).toEqual(['ab', 0])
})

test('the history since a version leads from its text to the newest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(100), fc.nat(3), fc.string({ maxLength: 4 })), { maxLength: 20 }),
      (steps) => {
        const text = new VersionedText(Text.of(['some text', 'to start with']), 3)
        const texts = [text.text]
        for (const [at, length, inserted] of steps) {
          const from = Math.min(at, text.text.length)
          const change = {
            from,
            to: Math.min(from + length, text.text.length),
            insert: Text.of(inserted.split('\n')),
          }
          const version = text.version
          text.apply('host', ChangeSet.of(change, text.text.length))
          if (text.version > version) texts.push(text.text)
        }
        texts.forEach((old, i) => {
          const changes = text.changesSince(3 + i)
          expect(changes?.apply(old).toString()).toBe(text.text.toString())
          expect(text.since(3 + i)).toHaveLength(texts.length - 1 - i)
        })
      },
    ),
  )
})

test('old history is forgotten, the newest is kept', () => {
  const text = new VersionedText(Text.of(['']), 0, new Map(), 10)
  for (let i = 0; i < 100; i++) text.apply('host', insert(i, i, 'x'))
  expect(text.version).toBe(100)
  expect(text.since(0)).toBeUndefined()
  expect(text.since(96)).toHaveLength(4)
  expect(text.since(100)).toEqual([])
  expect(text.since(101)).toBeUndefined()
})

test('pages that push, lag and are overtaken all come to the text of the host', () => {
  const action = fc.record({
    who: fc.nat(2),
    do: fc.constantFrom('type', 'type', 'push', 'pull', 'host'),
    at: fc.nat(50),
    length: fc.nat(4),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const start = Text.of(['the text', 'to begin with'])
      const host = new VersionedText(start, 5)
      const pages = ['p', 'q', 'r'].map((clientID) =>
        EditorState.create({ doc: start, extensions: [collab({ startVersion: 5, clientID })] }),
      )
      const pull = (i: number) => {
        const page = pages[i]
        const updates = page && host.since(getSyncedVersion(page))
        if (page && updates) pages[i] = receiveUpdates(page, updates).state
      }
      const push = (i: number) => {
        const page = pages[i]
        if (!page) return
        const updates = sendableUpdates(page).map(({ clientID, changes }) => wire(clientID, changes))
        const status = updates.length > 0 ? host.push(getSyncedVersion(page), updates) : 'accepted'
        expect(status).not.toBe('invalid')
        if (status === 'behind') {
          pull(i)
          push(i)
        }
      }
      const change = (doc: Text, at: number, length: number) =>
        ChangeSet.of(
          { from: Math.min(at, doc.length), to: Math.min(at + length, doc.length), insert: 'new\n' },
          doc.length,
        )
      for (const { who, do: what, at, length } of actions) {
        const page = pages[who]
        if (what === 'type' && page) pages[who] = page.update({ changes: change(page.doc, at, length) }).state
        else if (what === 'push') push(who)
        else if (what === 'pull') pull(who)
        else host.apply('host', change(host.text, at, length))
      }
      pages.forEach((_, i) => push(i))
      pages.forEach((_, i) => pull(i))
      for (const page of pages) {
        expect(page.doc.toString()).toBe(host.text.toString())
        expect(getSyncedVersion(page)).toBe(host.version)
      }
    }),
    { numRuns: 300 },
  )
})
