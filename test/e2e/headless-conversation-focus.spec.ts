import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '../scripted-agent/scripted-app'
import { converse, field, log, png, say, waiting } from './talk-in-app'

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

test('a conversation that stood at its end stands there again when its tab comes back', async ({ app }) => {
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
})

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

test('a waiting message keeps the focus in its place while it is changed, and gives back its pictures', async ({
  app,
}) => {
  const { page } = await converse(app)
  await say(page, 'stubborn')
  await field(page).evaluate((element, data) => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], 'plan.png', { type: 'image/png' }))
    element.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }),
    )
  }, png)
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
})

test('a change of a waiting message that is sent meanwhile is not lost', async ({ app }) => {
  const { page } = await converse(app)
  await say(page, 'stream 400 100')
  await say(page, 'one')
  await button(page, 'Edit: one').click()
  await page.getByRole('textbox', { name: 'Waiting message' }).fill('one, and the lock')
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
