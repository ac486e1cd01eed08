import { expect, type Page } from '@playwright/test'
import { test as scripted } from '../scripted-agent/scripted-app'
import { mod, type OpenApp, proposedText, review, test } from './open-app'

/*
 * Which components render while a person types. React tells each commit to the hook that its developer tools install;
 * a component that has rendered carries a flag there. The built page has no names of components, so each is told by
 * the place in the page that it is in.
 */

/** The tests type this, a letter at a time. */
const typed = 'Fifty letters and no more are typed into the text.'

/** Places whose components may render for what is typed: what they show depends on it. */
const places = [
  ['.gl-review', 'the review: how many changes are left, its bars and answers'],
  ['.gl-pending', 'the list of reviews: how many lines each changes'],
  ['.editor-pane', 'the editor: how its text stands to the disk'],
  ['.composer', 'what is written to an agent'],
  ['.tab-strip', 'the tabs: which has unsaved text'],
  ['.status-bar', 'the status bar: where the cursor is'],
  ['.file-tree', 'the tree of files: which differ from the commit'],
  ['.frame-panel', 'the right panel: what agents may see'],
  ['.unseen', 'what is said to those who do not see it'],
] as const

/** Components that draw all of a side of the middle: they may render once, when its file comes to have unsaved text. */
const sideOfMiddle = '.tab-area'

interface Fiber {
  tag: number
  flags: number
  alternate: Fiber | null
  child: Fiber | null
  sibling: Fiber | null
  return: Fiber | null
  stateNode: unknown
}

interface Counted extends Window {
  /** For each component that has rendered: the place that what it draws is in, else the first class of that. */
  rendered?: string[]
}

/** Loads the page anew, and counts from then on. */
async function countRenders(app: OpenApp): Promise<void> {
  await app.page.addInitScript(
    (known: readonly string[]) => {
      const counted: Counted = window
      counted.rendered = []
      const components = [0, 1, 11, 14, 15]
      const drawnBy = (fiber: Fiber | null): Element | null => {
        for (let at = fiber; at; at = at.sibling) {
          const found = at.tag === 5 ? (at.stateNode as Element) : drawnBy(at.child)
          if (found) return found
        }
        return null
      }
      const around = (fiber: Fiber): Element | null => {
        let at = fiber.return
        while (at && at.tag !== 5) at = at.return
        return at && (at.stateNode as Element)
      }
      const see = (fiber: Fiber) => {
        const before = fiber.alternate
        if (components.includes(fiber.tag) && before && (fiber.flags & 1) === 1) {
          const drawn = drawnBy(fiber.child) ?? around(fiber)
          // Rows of a list are told apart by their number.
          const row = drawn?.closest('[data-index]')?.getAttribute('data-index')
          counted.rendered?.push(
            row ? `row ${row}` : (known.find((place) => drawn?.closest(place)) ?? `.${drawn?.classList[0]}`),
          )
        }
        if (before && fiber.child === before.child) return
        for (let child = fiber.child; child; child = child.sibling) see(child)
      }
      const hook = {
        isDisabled: false,
        supportsFiber: true,
        renderers: new Map(),
        inject: () => 1,
        checkDCE: () => undefined,
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
        onCommitFiberRoot: (_id: number, root: { current: Fiber }) => see(root.current),
      }
      Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
    },
    places.map(([selector]) => selector),
  )
  // What an agent asks before the page knows what was there doesn't come to the front.
  await app.reload()
}

/** How much renders in so many frames without anybody's doing. */
function rendersOf(page: Page, frames: number): Promise<number> {
  return page.evaluate(async (left) => {
    const counted: Counted = window
    counted.rendered = []
    for (; left > 0; left--) await new Promise((resolve) => requestAnimationFrame(resolve))
    return counted.rendered.length
  }, frames)
}

/** Types once the page has come to rest, and tells how often what has rendered meanwhile, by place. */
async function rendersWhileTyping(page: Page): Promise<Map<string, number>> {
  // What is loaded late comes into the page by itself, and rows out of sight are drawn while nothing else is done.
  await expect.poll(() => rendersOf(page, 30)).toBe(0)
  await page.evaluate(() => ((window as Counted).rendered = []))
  await page.keyboard.type(typed)
  // Two frames: what is shown of it has settled.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  )
  const rendered = await page.evaluate(() => (window as Counted).rendered ?? [])
  const counts = new Map<string, number>()
  for (const place of rendered) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}

/** What has rendered in no place that shows something of the text. The root would be there as the window's frame. */
function elsewhere(counts: ReadonlyMap<string, number>): string[] {
  const known: readonly string[] = [...places.map(([place]) => place), sideOfMiddle]
  return [...counts.keys()].filter((place) => !known.includes(place))
}

test('typing in a review renders the review and what counts its lines, and never the root', async ({
  app,
}) => {
  const path = app.write('cart.ts', 'one\ntwo\nthree\n')
  await app.start()
  const { page } = app
  await countRenders(app)
  const agent = await app.agent()
  void agent.openDiff(path, 'ONE\ntwo\nTHREE\n')
  await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
  await proposedText(page).getByText('THREE', { exact: true }).click()
  await page.keyboard.press('End')
  const counts = await rendersWhileTyping(page)
  await expect(proposedText(page).getByText(`THREE${typed}`)).toBeVisible()
  expect(elsewhere(counts)).toEqual([])
  expect(counts.get(sideOfMiddle) ?? 0).toBeLessThanOrEqual(2)
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
})

test('typing in an editor renders what tells of the text, and never the root', async ({ app }) => {
  const path = app.write('notes.txt', 'one\ntwo\n')
  await app.start()
  const { page } = app
  await countRenders(app)
  await page.getByRole('treeitem', { name: 'notes.txt' }).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${path}` })
  await expect(editor).toBeFocused()
  await page.keyboard.press(`${mod}+End`)
  const counts = await rendersWhileTyping(page)
  await expect(editor.getByText(typed)).toBeVisible()
  expect(elsewhere(counts)).toEqual([])
  expect(counts.get(sideOfMiddle) ?? 0).toBeLessThanOrEqual(2)
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
})

scripted(
  'typing to an agent renders the composer, and nothing of what was said',
  { tag: '@long' },
  async ({ app }) => {
    await app.start()
    const { page } = app
    await countRenders(app)
    const robo = await app.scripted()
    await robo.call('converse', { title: 'A talk with Robo', messages: 200 })
    await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Message 199')
    const field = page.getByRole('textbox', { name: 'Message', exact: true })
    await field.click()
    // Where the agent's commands are listed, too.
    for (const begin of ['', '/']) {
      await field.fill(begin)
      const counts = await rendersWhileTyping(page)
      await expect(field).toHaveValue(begin + typed)
      expect([...counts.keys()].filter((place) => place !== '.unseen')).toEqual(['.composer'])
    }
  },
)

scripted(
  'what an agent says renders its message, and no card, approval or row beside it',
  { tag: '@long' },
  async ({ app }) => {
    await app.start()
    const { page } = app
    await countRenders(app)
    const robo = await app.scripted()
    const { id } = await robo.call<{ id: string }>('converse', { title: 'A talk with Robo', messages: 3 })
    const blocks = Array.from({ length: 50 }, (_, at) => ({ kind: 'tool', call: ran(at) }))
    await robo.call('change', { id, change: reply('cards', blocks) })
    const asked = Array.from({ length: 25 }, (_, at) =>
      robo.ask('ask', { subject: `npm run part-${at}`, conversation: id }),
    )
    const log = page.getByRole('log', { name: 'Conversation' })
    // Beside the conversation, where both are in sight.
    await expect(page.getByRole('group', { name: 'Approval: Bash' })).toBeVisible()
    await page.getByRole('tab', { name: 'Approvals' }).click()
    await page.keyboard.press(`${mod}+\\`)
    await expect(page.getByRole('group', { name: 'Approval: Bash' })).toBeVisible()
    await expect(log).toBeVisible()
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('stream 100000 200')
    await page.keyboard.press('Enter')
    await expect(log).toContainText('piece 99')
    await page.evaluate(() => ((window as Counted).rendered = []))
    await expect(log).toContainText('piece 299')
    const rendered = await page.evaluate(() => (window as Counted).rendered ?? [])
    const counts = new Map<string, number>()
    for (const place of rendered) counts.set(place, (counts.get(place) ?? 0) + 1)
    // The conversation, its list, its field and its closed dialog follow it, and rows move; nothing else does, least the root.
    const follows = ['.conversation', '.messages', '.composer', '.tab-subject', '.unseen']
    const others = [...counts.keys()].filter((place) => !follows.includes(place) && !place.startsWith('row '))
    expect(others).toEqual([])
    // A row that is laid out anew draws nothing in it: the 50 cards would count each time.
    expect(counts.get('row 3') ?? 0).toBeLessThan(50)
    for (const one of asked) one.cancel()
  },
)

const spent = { usage: null, costUSD: null, stopReason: null, isError: false }

function reply(id: string, blocks: readonly object[]) {
  const item = { kind: 'reply', id, offset: 0, at: null, branches: null, model: null, ...spent, blocks }
  return { kind: 'put', item }
}

/** A command that a tool has run. */
function ran(at: number) {
  const result = { content: [{ kind: 'text', text: `made part ${at}` }], isError: false, offset: 0 }
  return {
    ...{ id: `c${at}`, kind: 'run', name: 'Bash', title: 'Bash', state: 'done', progress: null, agent: null },
    ...{ input: { command: `npm run part-${at}` }, result, startedAt: null, endedAt: null },
  }
}
