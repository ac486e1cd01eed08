import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedTabs, Tabs, type EditorTab } from './tabs'

function names(tabs: Tabs): string[] {
  return tabs.state.tabs.map((tab) =>
    tab.kind === 'file' ? tab.path : tab.kind === 'review' ? tab.proposal : tab.name,
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

test('a tab opened without being shown leaves the active one', () => {
  const tabs = new Tabs()
  tabs.openFile('/a')
  tabs.openReview('p', '/a', { activate: false })
  expect([names(tabs), activeName(tabs)]).toEqual([['/a', 'p'], '/a'])
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
  expect(tabs.state).toEqual({ tabs: [], active: null })
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

test('a renamed file keeps its tab', () => {
  const tabs = new Tabs()
  const a = tabs.openFile('/a')
  tabs.rename('/a', '/b')
  expect(tabs.findFile('/b')?.id).toBe(a)
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

test('whatever is done, ids are distinct, an active tab exists if any does, pinned come first, at most one preview', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('file'),
      path: fc.constantFrom('/a', '/b', '/c', '/d'),
      preview: fc.boolean(),
      activate: fc.boolean(),
    }),
    fc.record({
      do: fc.constantFrom('close', 'activate', 'keep', 'pin', 'unpin', 'move'),
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
        else tabs.pin(id, action.do === 'pin')
        const { tabs: list, active } = tabs.state
        expect(new Set(list.map((tab) => tab.id)).size).toBe(list.length)
        expect(list.some((tab) => tab.id === active)).toBe(list.length > 0)
        const firstLoose = list.findIndex((tab) => !tab.pinned)
        expect(firstLoose === -1 || list.slice(firstLoose).every((tab) => !tab.pinned)).toBe(true)
        expect(list.filter((tab) => tab.preview).length).toBeLessThanOrEqual(1)
      }
    }),
  )
})
