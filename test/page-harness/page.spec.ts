import type { Page } from '@playwright/test'
import type { SearchQuery } from '../../src/shared/contract/search'
import { steady } from '../steady'
import { expect, test } from './harness'

declare global {
  interface Window {
    /** How often parts of the page have been drawn that hold the side bar. */
    drawnWhole: number
  }
}

/** What React tells whoever develops with it. A part was drawn when it has a new object that says so. */
function countDrawings(): void {
  interface Drawn {
    tag: number
    flags: number
    child: Drawn | null
    sibling: Drawn | null
    memoizedProps: Record<string, unknown> | null
  }
  const [isFunction, wasDrawn] = [0, 1]
  let known = new Set<Drawn>()
  let isWhole = false
  window.drawnWhole = 0
  const look = (part: Drawn, seen: Set<Drawn>): boolean => {
    seen.add(part)
    let holds = part.memoizedProps?.['aria-label'] === 'Side bar'
    for (let child = part.child; child; child = child.sibling) if (look(child, seen)) holds = true
    const isNew = part.tag === isFunction && (part.flags & wasDrawn) !== 0 && !known.has(part)
    if (holds && isNew) isWhole = true
    return holds
  }
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
      onCommitFiberRoot(_id: number, { current }: { current: Drawn }) {
        const seen = new Set<Drawn>()
        isWhole = false
        look(current, seen)
        known = seen
        if (isWhole) window.drawnWhole++
      },
    },
  })
}

const root = '/home/ada/projects/green-house'
const editor = (page: Page, path: string) => page.getByRole('textbox', { name: `Editor: ${root}/${path}` })
const textOf = (page: Page, path: string) =>
  page.evaluate((whole) => window.host.document(whole).text.toString(), `${root}/${path}`)
const callsOf = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => window.host.calls.filter((call) => call.name === wanted).map((call) => call.params),
    name,
  )

test.describe('the tree', () => {
  test('is walked, opened and searched by keyboard', async ({ open }) => {
    const page = await open('scene=folder')
    const tree = page.getByRole('tree', { name: 'Files' })
    await expect(page.getByRole('treeitem', { name: 'src' })).toHaveAttribute('aria-expanded', 'false')
    // Letters that come slowly are no word; here they take no time.
    await page.evaluate(() => {
      const now = Date.now()
      Date.now = () => now
    })
    await tree.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.type('src')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('treeitem', { name: 'app.ts' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    const tab = page.getByRole('tab', { name: 'app.ts', exact: true })
    await expect(tab).toBeVisible()
    await expect(tree).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(editor(page, 'src/app.ts')).toBeFocused()
    expect(await callsOf(page, 'tabs.openFile')).toEqual([
      { path: `${root}/src/app.ts`, preview: true },
      { path: `${root}/src/app.ts`, preview: false },
    ])
  })

  test('previews with a click, keeps with two, and shows only rows that are in sight', async ({ open }) => {
    const page = await open('scene=folder')
    await page.getByRole('treeitem', { name: 'many' }).click()
    await expect(page.getByRole('treeitem', { name: 'file-0003.txt' })).toBeVisible()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100)
    await page.getByRole('treeitem', { name: 'file-0003.txt' }).click()
    await page.getByRole('treeitem', { name: 'file-0004.txt' }).click()
    await expect(page.getByRole('tab')).toHaveCount(1)
    await page.getByRole('treeitem', { name: 'file-0005.txt' }).dblclick()
    await page.getByRole('treeitem', { name: 'file-0006.txt' }).click()
    await expect(page.getByRole('tab')).toHaveCount(2)
    await expect(page.getByRole('treeitem', { name: 'file-0006.txt' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
  })

  test('reveals the file that comes to be shown, and keeps what is open over a reload', async ({ open }) => {
    const page = await open('scene=folder')
    await expect(page.getByRole('treeitem', { name: 'src' })).toBeVisible()
    await page.evaluate((path) => window.host.openFile(path, false), `${root}/src/climate/sensor.ts`)
    await expect(page.getByRole('treeitem', { name: 'sensor.ts' })).toHaveAttribute('aria-selected', 'true')
    await expect
      .poll(() => page.evaluate(() => window.host.window.layout?.['files.expanded']))
      .toContain(`${root}/src/climate`)
  })
})

test.describe('what is done with files', () => {
  const question = (page: Page, title: string) => page.getByRole('dialog', { name: title })
  const askAbout = async (page: Page, name: string) => {
    await page.getByRole('treeitem', { name }).click()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('button', { name: 'Move to trash' })).toBeFocused()
  }
  const holdTrash = (page: Page) =>
    page.evaluate(() => {
      window.host.trashTold = new Promise((resolve) =>
        addEventListener('tell-trash', () => resolve(), { once: true }),
      )
    })
  const tellTrash = (page: Page) =>
    page.evaluate(async () => {
      dispatchEvent(new Event('tell-trash'))
      // The answer and what the page does with it come in turns of their own.
      await new Promise((resolve) => setTimeout(resolve))
    })

  test('a refusal of the trash waits for the question that is open, and no press meant for that answers it', async ({
    open,
  }) => {
    const page = await open('scene=folder')
    await holdTrash(page)
    const tree = page.getByRole('tree', { name: 'Files' })
    await askAbout(page, 'README.md')
    await page.keyboard.press('Enter')
    await expect(tree).toBeFocused()
    await askAbout(page, 'package.json')
    await tellTrash(page)
    await expect(question(page, 'Move package.json to the trash?')).toBeVisible()
    await page.keyboard.press('Enter')
    for (const name of ['README.md', 'package.json']) {
      const dialog = question(page, `Delete ${name} permanently?`)
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveCount(0)
    }
    await expect(tree).toBeFocused()
    expect(await callsOf(page, 'files.trash')).toEqual([
      { paths: [`${root}/README.md`] },
      { paths: [`${root}/package.json`] },
    ])
    expect(await callsOf(page, 'files.delete')).toEqual([])
  })

  test('a double press answers the question that it was meant for, and deleting for good waits until it can be read', async ({
    open,
  }) => {
    const page = await open('scene=folder')
    await holdTrash(page)
    await askAbout(page, 'README.md')
    await page.keyboard.press('Enter')
    await askAbout(page, 'package.json')
    await tellTrash(page)
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: 'Move to trash' }).dblclick()
    await expect(question(page, 'Delete README.md permanently?')).toBeVisible()
    const final = page.getByRole('button', { name: 'Delete permanently' })
    await final.click({ force: true })
    await final.press('Enter')
    expect(await callsOf(page, 'files.delete')).toEqual([])
    await page.clock.runFor(400)
    await expect(final).toBeEnabled()
    await final.click()
    await expect.poll(() => callsOf(page, 'files.delete')).toEqual([{ paths: [`${root}/README.md`] }])
  })

  test('who leaves the field of a new folder for the editor keeps the focus there', async ({ open }) => {
    const page = await open()
    await page.getByRole('button', { name: 'New folder' }).click()
    const field = page.getByRole('textbox', { name: 'Name of the new folder' })
    await expect(field).toBeFocused()
    await page.keyboard.type('lib')
    await editor(page, 'src/climate/thermostat.ts').click()
    await expect(field).toHaveCount(0)
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeFocused()
    expect(await callsOf(page, 'files.create')).toMatchObject([{ name: 'lib', kind: 'folder' }])
  })
})

test('a search that was cancelled by emptying the field is begun again when the same is typed', async ({
  open,
}) => {
  const page = await open('scene=folder')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Search' }).click()
  const panel = page.getByRole('region', { name: 'Search', exact: true })
  const field = panel.getByRole('textbox', { name: 'Search text' })
  const started = async () => (await callsOf(page, 'search.start')).length
  await field.fill('lamp')
  await expect.poll(started).toBe(1)
  const query = (await callsOf(page, 'search.start'))[0] as SearchQuery
  await page.evaluate(
    (asked) => window.host.emit('search', { run: 1, query: asked, phase: 'running' }),
    query,
  )
  await expect(panel.getByText('Searching …')).toBeVisible()
  await field.fill('')
  await expect.poll(async () => (await callsOf(page, 'search.cancel')).length).toBe(1)
  await page.evaluate(() => window.host.emit('search', { phase: 'cancelled' }))
  await field.fill('lamp')
  await expect(panel.getByText('Cancelled.')).toBeVisible()
  await expect.poll(started).toBe(2)
})

test.describe('the editor', () => {
  test('brings what is typed to the host and takes in what others write', async ({ open }) => {
    const page = await open()
    const path = 'src/climate/thermostat.ts'
    await editor(page, path).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('// mine\n')
    await expect.poll(() => textOf(page, path)).toMatch(/^\/\/ mine\nimport/)
    const tab = page.getByRole('tab', { name: 'thermostat.ts', exact: true })
    await expect(tab).toHaveAccessibleDescription(/modified/)
    await page.evaluate((whole) => window.host.insert(whole, 0, '// theirs\n'), `${root}/${path}`)
    await expect(editor(page, path)).toContainText('// theirs')
    await page.keyboard.type('more ')
    await expect.poll(() => textOf(page, path)).toMatch(/^\/\/ theirs\n\/\/ mine\nmore import/)
    await page.keyboard.press('Control+z')
    await expect.poll(() => textOf(page, path)).not.toContain('more')
    expect(await textOf(page, path)).toContain('// theirs')
  })

  test('keeps a preview that is worked in', async ({ open }) => {
    const page = await open()
    await page.getByRole('tab', { name: 'README.md' }).click()
    await expect(editor(page, 'README.md')).toBeFocused()
    await page.keyboard.type('mine ')
    await expect.poll(() => callsOf(page, 'tabs.keep')).not.toEqual([])
    await page.getByRole('treeitem', { name: 'app.ts' }).click()
    await expect(page.getByRole('tab', { name: 'app.ts' })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'README.md' })).toBeVisible()
  })

  test('saves by key, and says so', async ({ open }) => {
    const page = await open()
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.keyboard.type('x')
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('status').filter({ hasText: 'Saved thermostat.ts' })).toBeAttached()
    await expect(
      page.getByRole('tab', { name: 'thermostat.ts', exact: true }),
    ).not.toHaveAccessibleDescription(/modified/)
  })

  test('keeps typed text over a lost link', async ({ open }) => {
    const page = await open()
    const path = 'src/climate/thermostat.ts'
    await editor(page, path).click()
    await page.keyboard.press('Control+Home')
    await page.evaluate(() => window.link.cut())
    await page.keyboard.type('// typed alone\n')
    await page.evaluate((whole) => window.host.insert(whole, 0, '// meanwhile\n'), `${root}/${path}`)
    await page.evaluate(() => window.link.restore())
    await expect.poll(() => textOf(page, path)).toContain('// typed alone\n')
    expect(await textOf(page, path)).toContain('// meanwhile\n')
    await expect(editor(page, path)).toContainText('// meanwhile')
  })

  test('tells the selection with its version, and none when a review is shown', async ({ open }) => {
    const page = await open()
    const path = `${root}/src/climate/thermostat.ts`
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+ArrowDown')
    const last = async () => (await callsOf(page, 'selection.set')).at(-1)
    await expect.poll(last).toEqual({
      selection: {
        path,
        version: 0,
        range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
      },
    })
    await page.keyboard.press('Alt+k')
    await expect(page.getByText('Mentioned thermostat.ts line 1 to Claude').first()).toBeVisible()
    expect((await callsOf(page, 'selection.mention')).at(-1)).toEqual({ path, lines: { first: 0, last: 0 } })
    await page.evaluate(() => window.host.openReview('r1'))
    await expect.poll(last).toEqual({ selection: null })
  })

  test('goes where the host says without taking the focus, and flushes when a tool asks', async ({
    open,
  }) => {
    const page = await open()
    const tree = page.getByRole('tree', { name: 'Files' })
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeVisible()
    await tree.focus()
    await page.evaluate((path) => {
      const at = { line: 37, character: 4 }
      window.host.emit('tabs', { kind: 'reveal', path, selection: { start: at, end: at }, focus: false })
    }, `${root}/src/climate/thermostat.ts`)
    await expect(page.getByRole('button', { name: /Ln 38, Col 5/ })).toBeVisible()
    await expect(tree).toBeFocused()
    await page.evaluate(() => window.host.emit('tabs', { kind: 'flush', token: 'now' }))
    await expect.poll(() => callsOf(page, 'tabs.flushed')).toEqual([{ token: 'now' }])
  })

  test('goes to a place in a tab that the host brings to the front in the same moment', async ({ open }) => {
    const page = await open()
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeVisible()
    await page.getByRole('tab', { name: 'README.md' }).click()
    await expect(editor(page, 'README.md')).toBeFocused()
    await page.evaluate((path) => {
      const at = { line: 45, character: 2 }
      window.host.openFile(path, false)
      window.host.emit('tabs', { kind: 'reveal', path, selection: { start: at, end: at }, focus: true })
    }, `${root}/src/climate/thermostat.ts`)
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeFocused()
    await expect(page.getByRole('button', { name: /Ln 46, Col 3/ })).toBeVisible()
    await expect(page.locator('.cm-activeLine:visible')).toBeInViewport()
    expect(
      await page.locator('.cm-scroller:visible').evaluate((element) => element.scrollTop),
    ).toBeGreaterThan(0)
  })

  test('keeps scroll position and undo of each tab', async ({ open }) => {
    const page = await open()
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('end')
    const scroller = page.locator('.tab-content:not([hidden]) .cm-scroller')
    const scrolled = () => scroller.evaluate((element) => element.scrollTop)
    await expect.poll(scrolled).toBeGreaterThan(0)
    const before = await steady(scrolled)
    await page.getByRole('tab', { name: 'README.md' }).click()
    await expect(editor(page, 'README.md')).toBeFocused()
    await page.getByRole('tab', { name: 'thermostat.ts', exact: true }).click()
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeFocused()
    await expect.poll(scrolled).toBe(before)
    await page.keyboard.press('Control+z')
    await expect.poll(() => textOf(page, 'src/climate/thermostat.ts')).not.toContain('end\n}end')
  })

  test('finds, counts and replaces', async ({ open }) => {
    const page = await open()
    const path = 'src/climate/thermostat.ts'
    await editor(page, path).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).fill('hysteresis')
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 of 3')).toBeVisible()
    await page.getByRole('button', { name: 'Replace', exact: true }).first().click()
    await page.getByRole('textbox', { name: 'Replace with' }).fill('slack')
    await page.getByRole('button', { name: 'Replace all' }).click()
    await expect.poll(() => textOf(page, path)).toContain('const slack = 0.5')
    expect(await textOf(page, path)).not.toContain('hysteresis')
    await page.keyboard.press('Escape')
    await expect(editor(page, path)).toBeFocused()
  })

  test('asks what becomes of a conflict', async ({ open }) => {
    const page = await open()
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeVisible()
    await page.evaluate(
      (path) => window.host.setMeta(path, { disk: 'conflict' }),
      `${root}/src/climate/thermostat.ts`,
    )
    await page.getByRole('button', { name: 'Keep my version' }).click()
    expect((await callsOf(page, 'documents.resolve')).at(-1)).toMatchObject({ how: 'keep-mine' })
    await expect(page.getByRole('button', { name: 'Keep my version' })).toHaveCount(0)
  })

  test('stays quick with a text of 20 MB', async ({ open }) => {
    const page = await open('scene=folder')
    await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
    await page.evaluate((path) => {
      window.host.files.set(
        path,
        'const value = [1, 2, 3].map((x) => x + 1) // a usual line of code\n'.repeat(310_000),
      )
      window.host.openFile(path, false)
    }, `${root}/huge.ts`)
    await editor(page, 'huge.ts').click({ timeout: 20_000 })
    await page.keyboard.press('Control+End')
    const times: number[] = []
    for (const letter of 'quick') {
      times.push(
        await page.evaluate(async (typed) => {
          const start = performance.now()
          document.execCommand('insertText', false, typed)
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
          return performance.now() - start
        }, letter),
      )
    }
    await expect.poll(async () => (await textOf(page, 'huge.ts')).endsWith('quick')).toBe(true)
    console.log('20 MB, each letter to the next frame, ms:', times.map((time) => time.toFixed(0)).join(' '))
  })
})

test.describe('the window', () => {
  test('stays at the tab that the person goes to while the question in front ends', async ({ open }) => {
    const page = await open()
    const asked = page.getByRole('tab', { name: 'events.ts', exact: true })
    const chosen = page.getByRole('tab', { name: 'README.md' })
    const ask = () =>
      page.evaluate((path) => {
        window.host.propose('r9', path, 'Claude', 0)
        window.host.openReview('r9')
      }, `${root}/src/events.ts`)
    await ask()
    await expect(asked).toHaveAttribute('aria-selected', 'true')
    await page.evaluate(() => {
      window.host.activateTold = new Promise((resolve) =>
        addEventListener('tell-activate', () => resolve(), { once: true }),
      )
    })
    await chosen.click()
    await page.evaluate(() => window.host.withdraw('r9'))
    await expect(asked).toHaveCount(0)
    await page.evaluate(() => dispatchEvent(new Event('tell-activate')))
    await expect(chosen).toHaveAttribute('aria-selected', 'true')
    expect(await callsOf(page, 'tabs.openReview')).toEqual([])
    // Without that, the next one comes.
    await ask()
    await expect(asked).toHaveAttribute('aria-selected', 'true')
    await page.evaluate(() => window.host.withdraw('r9'))
    await expect.poll(() => callsOf(page, 'tabs.openReview')).toHaveLength(1)
  })

  test('a review that comes takes no focus', async ({ open }) => {
    const page = await open()
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.evaluate((path) => {
      window.host.propose('r9', path, 'Claude', 0)
      window.host.openReview('r9')
    }, `${root}/src/events.ts`)
    await expect(page.getByRole('tab', { name: 'events.ts' })).toHaveAttribute('aria-selected', 'true')
    await expect(
      page.getByRole('status').filter({ hasText: 'Claude proposes a change to events.ts' }),
    ).toBeAttached()
    expect(await page.evaluate(() => document.activeElement?.closest('[aria-label^="Review:"]'))).toBeNull()
  })

  test('is not drawn as a whole when a review is worked on', async ({ page, open }) => {
    await page.addInitScript(countDrawings)
    await open()
    const propose = () =>
      page.evaluate((path) => window.host.propose('r9', path, 'Claude', 0), `${root}/src/events.ts`)
    await expect(page).toHaveTitle(/^\(2\) /)
    await propose()
    await expect(page).toHaveTitle(/^\(3\) /)
    const before = await page.evaluate(() => window.drawnWhole)
    expect(before).toBeGreaterThan(0)
    // What each batch of steps brings: the review's line anew. A further review is a number more in places.
    for (let i = 0; i < 5; i++) await propose()
    await page.evaluate((path) => window.host.propose('r10', path, 'Claude', 0), `${root}/README.md`)
    await expect(page).toHaveTitle(/^\(4\) /)
    expect(await page.evaluate(() => window.drawnWhole)).toBe(before)
  })

  test('puts back the files of a group that were asked about, though more come to it', async ({ open }) => {
    const page = await open()
    const grow = (revision: number, count: number) =>
      page.evaluate(
        (more) => {
          const kind = { agent: 'Robot', command: null, isMore: false, at: 0, files: [] }
          window.host.changes = { groups: [{ id: 'g', ...kind, ...more }] }
          window.host.emit('changes', window.host.changes)
        },
        { revision, count },
      )
    await grow(1, 51)
    await page.getByRole('button', { name: 'Reviews', exact: true }).click()
    await page.getByRole('button', { name: 'Put back all' }).click()
    await grow(2, 81)
    await expect(page.getByText('81 files changed at once')).toBeVisible()
    await page.getByRole('button', { name: 'Put back 51 files' }).click()
    await expect.poll(() => callsOf(page, 'changes.putBackAll')).toEqual([{ id: 'g', revision: 1 }])
    await page.getByRole('button', { name: 'Keep all' }).click()
    await expect.poll(() => callsOf(page, 'changes.keepAll')).toEqual([{ id: 'g', revision: 2 }])
  })

  test('goes round its panes by F6, from the terminal too', async ({ open }) => {
    const page = await open()
    await page.locator('.xterm-helper-textarea').first().waitFor({ state: 'attached' })
    await editor(page, 'src/climate/thermostat.ts').click()
    const pane = () =>
      page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane'))
    await page.keyboard.press('F6')
    expect(await pane()).toBe('terminal')
    await page.keyboard.press('Shift+F6')
    expect(await pane()).toBe('main')
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeFocused()
    await page.keyboard.press('F6')
    await page.keyboard.press('F6')
    expect(await pane()).toBe('status')
    await page.keyboard.press('F6')
    expect(await pane()).toBe('side')
  })

  test('a terminal keeps its keys but the few', async ({ open }) => {
    const page = await open()
    await page.locator('.xterm-helper-textarea').first().focus()
    await page.keyboard.press('Control+b')
    await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
    await page.keyboard.press('Control+Shift+P')
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('.xterm-helper-textarea').first()).toBeFocused()
  })

  test('runs commands from the palette for what had the focus', async ({ open }) => {
    const page = await open()
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.keyboard.press('Control+Shift+P')
    await page.keyboard.type('go to line')
    await expect(page.getByRole('option', { selected: true })).toContainText('Go to line')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Commands' })).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Go to line' })).toBeFocused()
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /^Ln 12/ })).toBeVisible()
  })

  test('shows and hides its panes by key, and keeps that', async ({ open }) => {
    const page = await open()
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.keyboard.press('Control+b')
    await expect(page.getByRole('tree', { name: 'Files' })).toBeHidden()
    await page.keyboard.press('Control+b')
    await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
    await page.keyboard.press('Control+j')
    await expect(page.getByRole('button', { name: 'New terminal' })).toBeHidden()
    await expect.poll(() => page.evaluate(() => window.host.window.layout?.['terminal.open'])).toBe(false)
    await page.keyboard.press('Control+j')
    await expect(page.getByRole('button', { name: 'New terminal' })).toBeVisible()
  })

  test('a pane dragged shut snaps, opens again at its size, and both are kept', async ({ open }) => {
    const page = await open()
    const tree = page.getByRole('tree', { name: 'Files' })
    const splitter = page.getByRole('separator', { name: 'Width of the side bar' })
    const layout = (key: string) => page.evaluate((name) => window.host.window.layout?.[name], key)
    const drag = async (to: number) => {
      const box = await splitter.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 0.5, 300)
      await page.mouse.down()
      await page.mouse.move(to + 30, 300, { steps: 4 })
      await page.mouse.move(to, 300)
      await page.mouse.up()
    }
    await expect(tree).toBeVisible()
    await drag(400)
    const width = (await tree.boundingBox())?.width ?? 0
    expect(width).toBeGreaterThan(320)
    await expect.poll(() => layout('side.size')).toBeGreaterThan(23)
    await drag(60)
    await expect(tree).toBeHidden()
    await expect.poll(() => layout('side.open')).toBe(false)
    await expect(page.getByRole('button', { name: 'Files', exact: true })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
    await page.getByRole('button', { name: 'Files', exact: true }).click()
    await expect(tree).toBeVisible()
    expect(Math.abs(((await tree.boundingBox())?.width ?? 0) - width)).toBeLessThan(3)
  })

  test('becomes one column when narrow, and is as it was when wide again', async ({ open }) => {
    const page = await open()
    const tree = page.getByRole('tree', { name: 'Files' })
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeVisible()
    const width = (await tree.boundingBox())?.width ?? 0
    await page.setViewportSize({ width: 700, height: 500 })
    await expect(tree).toBeHidden()
    await expect(page.getByRole('button', { name: 'New terminal' })).toBeHidden()
    await page.getByRole('button', { name: 'Terminals' }).click()
    await expect(page.getByRole('button', { name: 'New terminal' })).toBeVisible()
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeHidden()
    await page.getByRole('button', { name: 'Files and reviews' }).click()
    for (const view of await page.getByRole('navigation', { name: 'Views' }).getByRole('button').all())
      await expect(view).toBeInViewport({ ratio: 1 })
    await page.getByRole('treeitem', { name: 'app.ts' }).click()
    await expect(editor(page, 'src/app.ts')).toBeVisible()
    await page.setViewportSize({ width: 1400, height: 900 })
    await expect(tree).toBeVisible()
    expect(Math.abs(((await tree.boundingBox())?.width ?? 0) - width)).toBeLessThan(3)
    await expect(page.getByRole('button', { name: 'New terminal' })).toBeVisible()
  })

  test('asks before a close would lose text', async ({ open }) => {
    const page = await open()
    const tab = page.getByRole('tab', { name: 'thermostat.ts', exact: true })
    await editor(page, 'src/climate/thermostat.ts').click()
    await page.keyboard.type('x')
    await tab.click({ button: 'middle' })
    const dialog = page.getByRole('dialog', { name: 'Save the changes to thermostat.ts?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(tab).toBeVisible()
    await page.getByRole('button', { name: 'Close thermostat.ts', includeHidden: true }).click()
    await dialog.getByRole('button', { name: 'Don’t save' }).click()
    await expect(tab).toHaveCount(0)
    expect((await callsOf(page, 'tabs.close')).at(-1)).toMatchObject({ unsaved: 'discard' })
  })

  test('moves tabs by dragging and by key', async ({ open }) => {
    const page = await open()
    const names = () =>
      page.getByRole('tablist', { name: 'Open files and reviews' }).getByRole('tab').allInnerTexts()
    await expect.poll(names).toEqual(['thermostat.ts', 'README.md'])
    await page
      .getByRole('tab', { name: 'thermostat.ts' })
      .dragTo(page.getByRole('tab', { name: 'README.md' }), {
        targetPosition: { x: 80, y: 10 },
      })
    await expect.poll(names).toEqual(['README.md', 'thermostat.ts'])
    await page.getByRole('tab', { name: 'thermostat.ts' }).focus()
    await page.keyboard.press('Control+Shift+PageUp')
    await expect.poll(names).toEqual(['thermostat.ts', 'README.md'])
  })

  test('switches a server off and on', async ({ open }) => {
    const page = await open()
    await page.getByRole('button', { name: /^Claude: 1 connected/ }).click()
    const region = page.getByRole('region', { name: 'Connections', exact: true })
    await expect(region.getByText('ws://127.0.0.1:41235')).toBeVisible()
    await region.getByRole('switch', { name: 'Let Claude Code connect' }).click()
    await expect(region.getByText('Off for this folder')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Claude: switched off/ })).toBeVisible()
  })

  test('of two sentences at once both are said, and the same one twice is said twice', async ({ open }) => {
    const page = await open()
    const proposes = (name: string) =>
      page.getByRole('status').getByText(`Claude proposes a change to ${name}`, { exact: true })
    await page.evaluate((folder) => {
      window.host.propose('r8', `${folder}/one.ts`, 'Claude', 0)
      window.host.propose('r9', `${folder}/two.ts`, 'Claude', 0)
      window.host.propose('r10', `${folder}/two.ts`, 'Claude', 0)
    }, `${root}/src`)
    await expect(proposes('one.ts')).toHaveCount(1)
    await expect(proposes('two.ts')).toHaveCount(2)
  })

  test('notices pass or stay, and are said', async ({ open }) => {
    const page = await open()
    await page.evaluate(() =>
      window.host.notify({
        kind: 'error',
        text: 'The disk is full. Free some space.',
        action: null,
        passing: false,
      }),
    )
    await expect(page.getByRole('status').filter({ hasText: 'The disk is full' })).toBeAttached()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(
      page.getByText('The disk is full. Free some space.', { exact: true }).and(page.locator('.notice-text')),
    ).toHaveCount(0)
  })

  test('the card of a program that is missing stays closed when the host says later that it is', async ({
    open,
  }) => {
    const page = await open()
    await page.evaluate(() => {
      window.host.createTold = new Promise((resolve) =>
        addEventListener('tell-create', () => resolve(), { once: true }),
      )
    })
    await page.getByRole('button', { name: 'New terminal', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Gemini CLI', exact: true }).click()
    const card = page.getByRole('region', { name: 'Install Gemini CLI' })
    await card.getByRole('button', { name: 'Close' }).click()
    await expect(card).toHaveCount(0)
    await page.evaluate(async () => {
      dispatchEvent(new Event('tell-create'))
      // The answer and what the page does with it come in turns of their own.
      await new Promise((resolve) => setTimeout(resolve))
    })
    expect(await card.count()).toBe(0)
  })

  test('opens a folder by its path, with completion', async ({ open }) => {
    const page = await open('scene=empty')
    await page.getByRole('main').getByRole('button', { name: 'Open a folder …' }).click()
    const field = page.getByRole('combobox', { name: 'Path of the folder' })
    await field.fill('/nowhere')
    await page.keyboard.press('Enter')
    await expect(page.getByText('There is no such folder')).toBeVisible()
    await field.fill('/home/ada/pro')
    await expect(page.getByRole('option')).toHaveText(['/home/ada/projects'])
    await page.keyboard.press('Tab')
    await expect(field).toHaveValue('/home/ada/projects/')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('treeitem', { name: 'src' })).toBeVisible()
  })

  test('stays usable at 200 % and in forced colours', async ({ open }) => {
    const page = await open()
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 700, height: 450 })
    await expect(editor(page, 'src/climate/thermostat.ts')).toBeVisible()
    const overflow = () =>
      page.evaluate(() => [innerWidth, document.documentElement.scrollWidth > innerWidth])
    await expect.poll(overflow).toEqual([700, false])
  })
})
