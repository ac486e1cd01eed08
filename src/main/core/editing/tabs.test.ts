import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedTabs } from '../settings/stored-tabs'
import type { EditorTab } from './editor-tab'
import { Tabs } from './tabs'

function names(tabs: Tabs): string[] {
  return tabs.state.tabs.map((tab) =>
    tab.kind === 'review' ? tab.proposal : tab.kind === 'other' ? tab.name : tab.path,
  )
}
function activeName(tabs: Tabs): string | undefined {
  return names(tabs)[tabs.state.tabs.findIndex((tab) => tab.id === tabs.state.active)]
}
function closedOf(tabs: Tabs): EditorTab[] {
  const closed: EditorTab[] = []
  tabs.on((event) => {
    if (event.kind === 'closed') closed.push(event.tab)
  })
  return closed
}

test('a new tab comes after the active one and is shown', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a')
  tabs.openFile('/b')
  tabs.activate(a)
  tabs.openFile('/c')
  expect([names(tabs), activeName(tabs)]).toEqual([['/a', '/c', '/b'], '/c'])
})

test('reviews stand beside each other as they come, whatever is shown', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a')
  tabs.openFile('/b')
  tabs.activate(a)
  for (const id of ['p', 'q', 'r']) tabs.openReview(id, `/${id}`, { activate: false })
  expect(names(tabs)).toEqual(['/a', 'p', 'q', 'r', '/b'])
  tabs.activate(a)
  tabs.openReview('s', '/s', { activate: false })
  tabs.openOther('reviews', { activate: false })
  expect(names(tabs)).toEqual(['/a', 'p', 'q', 'r', 's', 'reviews', '/b'])
})

test('a file has one tab, a proposal one', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a')
  const review = tabs.openReview('p', '/a')
  expect(tabs.openFile('/a')).toBe(a)
  expect(tabs.openReview('p', '/a')).toBe(review)
  expect(names(tabs)).toEqual(['/a', 'p'])
})

test('a preview replaces the preview, and stays once it is kept or opened for good', () => {
  const tabs = new Tabs()
  const closed = closedOf(tabs)
  tabs.openFile('/a', { preview: true })
  const b = tabs.openFile('/b', { preview: true })
  expect([names(tabs), closed.map((tab) => tab.kind === 'file' && tab.path)]).toEqual([['/b'], ['/a']])
  tabs.keep(b)
  tabs.openFile('/c', { preview: true })
  tabs.openFile('/c')
  tabs.openFile('/d', { preview: true })
  expect(names(tabs)).toEqual(['/b', '/c', '/d'])
})

test('a preview that isn’t to be shown leaves the one that is, and replaces one that isn’t', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a', { preview: true })
  tabs.openFile('/b', { preview: true, activate: false })
  tabs.openFile('/c', { preview: true, activate: false })
  expect([names(tabs), tabs.state.active]).toEqual([['/a', '/c'], a])
  tabs.openFile('/d', { side: 'right' })
  tabs.openFile('/e', { preview: true, activate: false, side: 'left' })
  expect([names(tabs), tabs.state.shown.left]).toEqual([['/a', '/e', '/d'], a])
  tabs.activate(tabs.findFile('/e')?.id ?? '')
  tabs.openFile('/f', { preview: true, side: 'left' })
  expect(names(tabs)).toEqual(['/a', '/f', '/d'])
})

test('a tab opened without being shown leaves the active one', () => {
  const tabs = new Tabs()
  tabs.openFile('/a')
  tabs.openReview('p', '/a', { activate: false })
  expect([names(tabs), activeName(tabs)]).toEqual([['/a', 'p'], '/a'])
})

test('working on a side makes what it shows active, and shows nothing else', () => {
  const tabs = new Tabs()
  tabs.openFile('/a')
  const b = tabs.openFile('/b')
  tabs.moveToSide(b, 'right')
  tabs.workOn('left')
  expect(activeName(tabs)).toBe('/a')
  tabs.openFile('/c', { side: 'right' })
  tabs.workOn('left')
  tabs.workOn('right')
  expect([activeName(tabs), tabs.shownOn('left')]).toMatchObject(['/c', { path: '/a' }])
  const empty = new Tabs()
  empty.workOn('right')
  expect(empty.state.active).toBeNull()
})

test('each step goes on from the tab that the one before showed, over both sides and round', () => {
  const tabs = new Tabs()
  for (const path of ['/a', '/b', '/c']) tabs.openFile(path)
  tabs.moveToSide(tabs.state.active ?? '', 'right')
  const stepped = (by: 1 | -1) => {
    tabs.step(by)
    return activeName(tabs)
  }
  expect([1, 1, 1, 1].map(() => stepped(1))).toEqual(['/a', '/b', '/c', '/a'])
  expect([stepped(-1), stepped(-1), stepped(1)]).toEqual(['/c', '/b', '/c'])
  const empty = new Tabs()
  empty.step(1)
  expect(empty.state.active).toBeNull()
})

test('closing shows the tab that was shown before', () => {
  const tabs = new Tabs()
  const [a, b, c] = ['/a', '/b', '/c'].map((path) => tabs.openFile(path))
  tabs.activate(a ?? '')
  tabs.activate(c ?? '')
  tabs.close(c ?? '')
  expect(activeName(tabs)).toBe('/a')
  tabs.close(b ?? '')
  tabs.close(a ?? '')
  expect(tabs.state).toEqual({ tabs: [], active: null, shown: { left: null, right: null } })
  expect(tabs.close('none')).toBeUndefined()
})

test('closing is told, with the tab', () => {
  const tabs = new Tabs()
  const closed = closedOf(tabs)
  tabs.close(tabs.openReview('p', '/a'))
  tabs.dispose()
  expect(closed).toMatchObject([{ kind: 'review', proposal: 'p', path: '/a' }])
})

test('pinned tabs stand first, also when others are moved', () => {
  const tabs = new Tabs()
  const [a, b, c] = ['/a', '/b', '/c'].map((path) => tabs.openFile(path))
  tabs.pin(c ?? '', true)
  expect(names(tabs)).toEqual(['/c', '/a', '/b'])
  tabs.move(b ?? '', 0)
  expect(names(tabs)).toEqual(['/c', '/b', '/a'])
  tabs.move(a ?? '', 99)
  expect(names(tabs)).toEqual(['/c', '/b', '/a'])
  tabs.pin(c ?? '', false)
  tabs.move(c ?? '', 2)
  expect(names(tabs)).toEqual(['/b', '/a', '/c'])
})

test('a file may stand on both sides, with one preview each, and a review on one', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a')
  const b = tabs.openFile('/b', { preview: true })
  const copy = tabs.split(a)
  expect(tabs.state.tabs.map(({ side }) => side)).toEqual(['left', 'left', 'right'])
  expect(tabs.state).toMatchObject({ active: copy, shown: { left: b, right: copy } })
  tabs.openFile('/c', { preview: true })
  expect(names(tabs)).toEqual(['/a', '/b', '/a', '/c'])
  // What is open is shown where it is, on the side that is worked in first.
  expect(tabs.openFile('/a')).toBe(copy)
  expect(tabs.openFile('/b')).toBe(b)
  const review = tabs.openReview('p', '/a')
  expect(tabs.split(review)).toBe(review)
  expect(tabs.find(review)?.side).toBe('right')
  expect(tabs.openReview('p', '/a')).toBe(review)
})

test('a drawn file comes beside its text, and work goes on in the text', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a.md')
  const drawn = tabs.openRendered('/a.md')
  expect(tabs.state).toMatchObject({ active: a, shown: { left: a, right: drawn } })
  expect(tabs.openRendered('/a.md')).toBe(drawn)
  tabs.openCompared('/a.md', { kind: 'head' })
  tabs.openCompared('/a.md', { kind: 'head' })
  tabs.openCompared('/a.md', { kind: 'saved' })
  expect(names(tabs)).toHaveLength(4)
  tabs.rename('/a.md', '/b.md')
  expect(names(tabs)).toEqual(['/b.md', '/b.md', '/b.md', '/b.md'])
})

test('a tab alone is not split away, and an empty left side gives way to the right one', () => {
  const tabs = new Tabs()
  const review = tabs.openReview('p', '/a')
  expect([tabs.split(review), tabs.moveToSide(review, 'right')]).toEqual([null, false])
  const a = tabs.openFile('/a')
  tabs.moveToSide(a, 'right')
  tabs.close(review)
  expect(tabs.state).toMatchObject({ tabs: [{ id: a, side: 'left' }], active: a, shown: { right: null } })
})

test('moved to where its file is shown already, a tab becomes that one', () => {
  const tabs = new Tabs()
  const closed = closedOf(tabs)
  const a = tabs.openFile('/a')
  tabs.openFile('/b')
  const copy = tabs.split(a) ?? ''
  tabs.activate(a)
  tabs.moveToSide(a, 'right')
  expect([names(tabs), tabs.state.active]).toEqual([['/b', '/a'], copy])
  expect(closed.map(({ id }) => id)).toEqual([a])
})

test('closed files come back where they were, each once, the last one first', () => {
  const tabs = new Tabs()
  const [a, b, c] = ['/a', '/b', '/c'].map((path) => tabs.openFile(path))
  tabs.pin(a ?? '', true)
  tabs.close(a ?? '')
  tabs.close(b ?? '')
  tabs.close(tabs.openReview('p', '/x'))
  const last = tabs.takeClosed()
  expect(last).toMatchObject({ path: '/b' })
  if (last) tabs.openClosed(last)
  const first = tabs.takeClosed()
  if (first) tabs.openClosed(first)
  expect([names(tabs), tabs.find(tabs.state.active)?.pinned]).toEqual([['/a', '/b', '/c'], true])
  expect(tabs.takeClosed()).toBeUndefined()
  tabs.close(c ?? '')
  tabs.openFile('/c')
  expect(tabs.takeClosed()).toBeUndefined()
})

test('a renamed file keeps its tab', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a')
  tabs.rename('/a', '/b')
  expect(tabs.findFile('/b')?.id).toBe(a)
})

test('a closed file that was renamed reopens under its new name', () => {
  const tabs = new Tabs()
  tabs.close(tabs.openFile('/a'))
  expect(tabs.paths).toEqual(['/a'])
  tabs.rename('/a', '/b')
  expect(tabs.takeClosed()).toMatchObject({ path: '/b' })
})

test('files come back as they were, reviews do not', () => {
  const tabs = new Tabs()
  tabs.openFile('/a')
  tabs.pin(tabs.openFile('/b'), true)
  tabs.openFile('/c', { preview: true })
  tabs.openReview('p', '/a')
  const stored = storedTabs.parse(JSON.parse(JSON.stringify(tabs.store())))
  const next = new Tabs()
  next.restore(stored)
  expect([names(next), activeName(next)]).toEqual([['/b', '/c', '/a'], '/c'])
  expect(next.store()).toEqual(stored)
})

test('a page comes back where it says so, in its place and in front', () => {
  const keptPage = (name: string) => (name.startsWith('session ') ? { page: name } : null)
  const tabs = new Tabs({ keptPage })
  tabs.openFile('/a')
  tabs.openOther('session 1')
  tabs.openFile('/b')
  tabs.openOther('settings')
  const other = tabs.openOther('session 2')
  tabs.moveToSide(other, 'right')
  const stored = storedTabs.parse(JSON.parse(JSON.stringify(tabs.store())))
  expect(stored).toMatchObject({ active: 'session 2', shown: { left: '/b', right: 'session 2' } })
  const next = new Tabs({ keptPage })
  next.openOther('session 1')
  next.restore(stored)
  expect(names(next)).toEqual(['session 1', '/a', '/b', 'session 2'])
  expect(next.state.tabs.map(({ side }) => side)).toEqual(['left', 'left', 'left', 'right'])
  expect(next.active).toMatchObject({ kind: 'other', name: 'session 2' })
  expect(next.shownOn('left')).toMatchObject({ kind: 'file', path: '/b' })
})

test('whatever is done, ids are distinct, an active tab exists if any does, pinned come first, at most two previews', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('file'),
      path: fc.constantFrom('/a', '/b', '/c', '/d'),
      preview: fc.boolean(),
      activate: fc.boolean(),
    }),
    fc.record({
      do: fc.constantFrom(
        'close',
        'activate',
        'keep',
        'pin',
        'unpin',
        'move',
        'split',
        'left',
        'right',
        'reopen',
        'workLeft',
        'workRight',
        'next',
        'previous',
      ),
      at: fc.nat(5),
      to: fc.nat(5),
    }),
    fc.record({ do: fc.constant('review'), path: fc.constantFrom('p', 'q') }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const tabs = new Tabs()
      for (const action of steps) {
        const id = 'at' in action ? (tabs.state.tabs[action.at]?.id ?? '') : ''
        if ('preview' in action) tabs.openFile(action.path, action)
        else if ('path' in action) tabs.openReview(action.path, '/a')
        else if (action.do === 'close') tabs.close(id)
        else if (action.do === 'activate') tabs.activate(id)
        else if (action.do === 'keep') tabs.keep(id)
        else if (action.do === 'move') tabs.move(id, action.to)
        else if (action.do === 'split') tabs.split(id)
        else if (action.do === 'left' || action.do === 'right') tabs.moveToSide(id, action.do, action.to)
        else if (action.do === 'workLeft' || action.do === 'workRight') {
          const before = tabs.state.shown
          tabs.workOn(action.do === 'workLeft' ? 'left' : 'right')
          expect(tabs.state.shown).toEqual(before)
        } else if (action.do === 'next' || action.do === 'previous') {
          const { tabs: before, active: from } = tabs.state
          const by = action.do === 'next' ? 1 : -1
          tabs.step(by)
          const to = before[(before.findIndex((tab) => tab.id === from) + by + before.length) % before.length]
          expect(tabs.state.active).toBe(to?.id ?? null)
          tabs.step(by === 1 ? -1 : 1)
          expect(tabs.state.active).toBe(from)
        } else if (action.do === 'reopen') {
          const closed = tabs.takeClosed()
          if (closed) tabs.openClosed(closed)
        } else tabs.pin(id, action.do === 'pin')
        const { tabs: list, active } = tabs.state
        expect(new Set(list.map((tab) => tab.id)).size).toBe(list.length)
        expect(list.some((tab) => tab.id === active)).toBe(list.length > 0)
        const { shown } = tabs.state
        const sides = [
          list.filter(({ side }) => side === 'left'),
          list.filter(({ side }) => side === 'right'),
        ]
        expect(sides.flat()).toEqual(list)
        expect(sides[0]?.length === 0 && list.length > 0).toBe(false)
        expect([shown.left, shown.right]).toContain(active)
        for (const [index, mine] of sides.entries()) {
          expect(mine.some(({ id: shownId }) => shownId === (index === 0 ? shown.left : shown.right))).toBe(
            mine.length > 0,
          )
          const firstLoose = mine.findIndex((tab) => !tab.pinned)
          expect(firstLoose === -1 || mine.slice(firstLoose).every((tab) => !tab.pinned)).toBe(true)
          // The one shown, and one that was opened behind it.
          expect(mine.filter((tab) => tab.preview).length).toBeLessThanOrEqual(2)
          const files = mine.flatMap((tab) => (tab.kind === 'file' ? [tab.path] : []))
          expect(new Set(files).size).toBe(files.length)
        }
        const restored = new Tabs()
        restored.restore(storedTabs.parse(JSON.parse(JSON.stringify(tabs.store()))))
        expect(restored.store().tabs.map((tab) => 'path' in tab && tab.path)).toEqual(
          list.flatMap((tab) => (tab.kind === 'file' ? [tab.path] : [])),
        )
      }
    }),
  )
})
