import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '../scripted-agent/scripted-app'
import { keepTyping, notices, tab } from './open-app'
import { converse, field, log, pastePicture, say, waiting } from './talk-in-app'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

function reply(id: string, blocks: readonly object[]) {
  const spent = { usage: null, costUSD: null, stopReason: null, isError: false }
  return {
    kind: 'put',
    item: { kind: 'reply', id, offset: 0, at: null, branches: null, model: null, ...spent, blocks },
  }
}

/** A file that the agent has created, of so many lines. */
function written(id: string, path: string, lines: number) {
  const content = Array.from({ length: lines }, (_, line) => `export const pump${line} = ${line}\n`).join('')
  const detail = { type: 'create', filePath: path, content, structuredPatch: [] }
  return {
    ...{ id, kind: 'edit', name: 'Write', title: 'Write', state: 'done', progress: null, agent: null },
    input: { file_path: path, content },
    result: { content: [], isError: false, offset: 0, detail },
    ...{ startedAt: null, endedAt: null },
  }
}

test(
  'a conversation that stood at its end stands there again when its tab comes back',
  { tag: '@long' },
  async ({ app }) => {
    writeFileSync(join(app.place.project, 'pump.ts'), 'export const pump = 1\n')
    const { robo, id, page } = await converse(app, 40)
    await expect(log(page)).toContainText('Message 39 of those before.')
    const toLatest = page.getByRole('button', { name: /^Jump to latest/ })
    for (let round = 0; round < 3; round++) {
      await page.getByRole('treeitem', { name: 'pump.ts' }).dblclick()
      await expect(page.getByRole('textbox', { name: /^Editor: / })).toBeVisible()
      for (let count = 0; count <= round; count++) {
        const text = `While it was behind, ${round}.${count}.\n\n${'A paragraph more.\n\n'.repeat(30)}`
        await robo.call('change', { id, change: reply(`late${round}.${count}`, [{ kind: 'text', text }]) })
      }
      await page.getByRole('tab', { name: 'A talk with Robo' }).click()
      await expect(log(page)).toContainText(`While it was behind, ${round}.${round}.`)
      await expect
        .poll(() => log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop))
        .toBeLessThan(4)
      await expect(toLatest).toHaveCount(0)
    }
    // It grows at each moment, also at that of going.
    await say(page, 'stream 100000 400')
    await expect(log(page)).toContainText('piece 60')
    const editor = page.getByRole('textbox', { name: /^Editor: / })
    for (let round = 0; round < 12; round++) {
      await page.getByRole('tab', { name: 'pump.ts' }).click()
      await expect(editor).toBeVisible()
      await page.getByRole('tab', { name: 'A talk with Robo' }).click()
      await expect(log(page)).toBeVisible()
      await expect(toLatest).toHaveCount(0)
    }
    // And what is new while it is behind stands whole: cards with changes are drawn late.
    await button(page, 'Stop').click()
    await page.getByRole('tab', { name: 'pump.ts' }).click()
    await expect(editor).toBeVisible()
    for (let count = 0; count < 6; count++)
      await robo.call('change', {
        id,
        change: reply(`w${count}`, [{ kind: 'tool', call: written(`w${count}`, '/a/b.ts', 60) }]),
      })
    await page.getByRole('tab', { name: 'A talk with Robo' }).click()
    await expect(page.getByRole('button', { name: 'Open file' }).last()).toBeInViewport()
    await expect(toLatest).toHaveCount(0)
  },
)

test('the keys go on in the field when what was pressed is gone', async ({ app }) => {
  const { page } = await converse(app)
  await say(page, 'stream 100000 100')
  await button(page, 'Stop').click()
  await expect(button(page, 'Stop')).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await say(page, 'die 3')
  await button(page, 'Restart').click()
  await expect(button(page, 'Restart')).toHaveCount(0)
  await expect(field(page)).toBeFocused()
})

test('a waiting message that is given or moved keeps the focus in its line', async ({ app }) => {
  const { page } = await converse(app)
  await say(page, 'stubborn')
  for (const text of ['one', 'two', 'three']) await say(page, text)
  await button(page, 'Give now: two').press('Enter')
  await expect(waiting(page).first()).toContainText('given, not read yet')
  await expect(button(page, 'Take back: two')).toBeFocused()
  await button(page, 'Earlier: three').press('Enter')
  await expect(waiting(page)).toHaveText([/^two/, /^three/, /^one/])
  await expect(button(page, 'Edit: three')).toBeFocused()
  await button(page, 'Later: three').press('Enter')
  await expect(waiting(page)).toHaveText([/^two/, /^one/, /^three/])
  // Not the one that takes it back.
  await expect(button(page, 'Earlier: three')).toBeFocused()
})

test('the keys go on in the field when a process is ended, and when what was added is taken away', async ({
  app,
}) => {
  writeFileSync(join(app.place.project, 'pump.ts'), 'export const pump = 1\n')
  const { page } = await converse(app)
  await page.getByRole('treeitem', { name: 'pump.ts' }).dblclick()
  await expect(page.getByRole('textbox', { name: /^Editor: / })).toBeVisible()
  await page.getByRole('tab', { name: 'A talk with Robo' }).click()
  for (const name of ['Leave out selection and open files', 'Add selection and open files']) {
    await button(page, name).press('Enter')
    await expect(field(page)).toBeFocused()
  }
  await pastePicture(page)
  await button(page, 'Remove plan.png').press('Enter')
  await expect(field(page)).toBeFocused()
  await pastePicture(page)
  await expect(button(page, 'Remove plan.png')).toBeVisible()
  await page.reload()
  // It is still there: what is being written outlives the page.
  await button(page, 'Remove plan.png').press('Enter')
  await expect(field(page)).toBeFocused()
  await say(page, 'stubborn')
  await button(page, 'Stop').click()
  await button(page, 'End process').press('Enter')
  await expect(button(page, 'Restart')).toBeVisible()
  await expect(field(page)).toBeFocused()
})

test(
  'what is stopped, switched and reconnected by keys leaves the focus where it was pressed',
  { tag: '@long' },
  async ({ app }) => {
    const { robo, id, page } = await converse(app)
    await robo.call('fill', { id })
    const review = page.getByRole('switch', { name: 'Review changes' })
    await review.press('Space')
    await expect(review).not.toBeChecked()
    await expect(review).toBeFocused()
    await button(page, '2 tasks').press('Enter')
    const tasks = page.getByRole('dialog', { name: 'In the background' })
    for (const title of ['npm run dev', 'Watching the tests of the heating']) {
      await button(page, `Stop: ${title}`).press('Enter')
      await expect(button(page, `Stop: ${title}`)).toHaveCount(0)
      await expect(tasks).toBeFocused()
    }
    await expect(tasks).toContainText('Nothing is running.')
    await page.keyboard.press('Escape')
    await expect(button(page, '0 tasks')).toBeFocused()
    await button(page, 'Tools and servers, 1 problem').press('Enter')
    await button(page, 'Reconnect: tickets').press('Enter')
    await expect(button(page, 'Reconnect: tickets')).toHaveCount(0)
    await expect(button(page, 'Disable: tickets')).toBeFocused()
  },
)

test(
  'a waiting message keeps the focus in its place while it is changed, and gives back its pictures',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = await converse(app)
    await say(page, 'stubborn')
    await pastePicture(page)
    const pictures = page.getByRole('list', { name: 'Pictures' }).getByRole('listitem')
    await expect(pictures).toHaveCount(1)
    await say(page, 'one')
    await expect(pictures).toHaveCount(0)
    await button(page, 'Edit: one').press('Enter')
    const edited = page.getByRole('textbox', { name: 'Waiting message' })
    await edited.fill('one more')
    // A key that composes a character saves nothing.
    await edited.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
    await expect(edited).toBeVisible()
    await edited.press('Enter')
    await expect(button(page, 'Edit: one more')).toBeFocused()
    await page.keyboard.press('Enter')
    await edited.press('Escape')
    await expect(button(page, 'Edit: one more')).toBeFocused()
    await button(page, 'Take back: one more').click()
    await expect(field(page)).toHaveValue('one more')
    await expect(pictures).toHaveCount(1)
  },
)

test('a change of a waiting message that is sent meanwhile is not lost', async ({ app }) => {
  const { robo, id, page } = await converse(app)
  await say(page, 'stubborn')
  await say(page, 'one')
  await button(page, 'Edit: one').click()
  await page.getByRole('textbox', { name: 'Waiting message' }).fill('one, and the lock')
  await robo.call('update', { id, state: { activity: 'idle' } })
  await expect(log(page)).toContainText('You said: one')
  await expect(waiting(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('one, and the lock')
  await expect(field(page)).toBeFocused()
})

test('a change in a conversation that Greenlight runs offers no way back that it does not have', async ({
  app,
}) => {
  const { robo, id, page } = await converse(app)
  const path = join(app.place.project, 'pump.ts')
  await robo.call('change', { id, change: reply('r1', [{ kind: 'tool', call: written('t1', path, 1) }]) })
  await expect(button(page, 'Open file')).toBeVisible()
  await expect(button(page, 'Put back')).toHaveCount(0)
})

test('who types in a conversation keeps it in front, whatever an agent does meanwhile', async ({ app }) => {
  const [asked, opened, changed] = ['asked.txt', 'opened.txt', 'changed.txt'].map((name) =>
    app.write(name, 'one\n'),
  )
  if (asked === undefined || opened === undefined || changed === undefined) throw new Error('three files')
  const { robo, page } = await converse(app)
  const agent = await app.agent()
  await field(page).click()
  await page.keyboard.type('half ')
  await keepTyping(page)
  const proposed = robo.ask('propose', { path: asked, proposed: 'two\n' })
  await expect(tab(page, 'asked.txt')).toBeVisible()
  await page.keyboard.type('a ')
  await agent.call('openFile', { filePath: opened })
  await expect(notices(page)).toContainText('An agent wants to show you opened.txt. Its tab is open.')
  await page.keyboard.type('sent')
  // In the turn of an agent that is connected.
  writeFileSync(changed, 'two\n')
  await expect(tab(page, 'changed.txt')).toBeVisible()
  await page.keyboard.type('ence')
  await expect(field(page)).toHaveValue('half a sentence')
  await expect(field(page)).toBeFocused()
  await expect(tab(page, 'A talk with Robo')).toHaveAttribute('aria-selected', 'true')
  // Who doesn't type is shown it.
  await button(page, 'Terminals').focus()
  await agent.call('openFile', { filePath: opened })
  await expect(tab(page, 'opened.txt')).toHaveAttribute('aria-selected', 'true')
  proposed.cancel()
})
