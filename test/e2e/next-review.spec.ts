import { writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import {
  button,
  keepTyping,
  notices,
  type OpenApp,
  openShell,
  press,
  review,
  tab,
  terminalInput,
  test,
} from './open-app'
import { linesWith } from './thirty-lines'

const proposed = linesWith([3, 15])

/** How the agent calls the tab of what it asks. */
const tabName = (path: string) => `✻ [Claude Code] ${path} (a1b2c3) ⧉`

/** Three files, and an agent that asks for two changes in each, one after the other. */
async function askThree(app: OpenApp, before: () => Promise<void> = async () => {}) {
  const names = ['one.txt', 'two.txt', 'three.txt']
  const paths = names.map((name) => app.write(name, linesWith([])))
  await app.start()
  await before()
  const { page } = app
  const agent = await app.agent()
  const answers: Promise<string[]>[] = []
  for (const [index, path] of paths.entries()) {
    answers.push(agent.openDiff(path, proposed))
    await expect(tab(page, names[index] ?? '')).toBeVisible()
  }
  return { page, agent, paths, answers }
}

test('after a decision the next review of the list comes, and the focus stays', async ({ app }) => {
  const { page, paths, answers } = await askThree(app, async () => openShell(app.page))
  await tab(page, 'two.txt').click()
  await terminalInput(page).click()
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
  await press(page, 'Accept file')
  expect(await answers[1]).toEqual(['FILE_SAVED', proposed])
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[2]}`)
  await expect(terminalInput(page)).toBeFocused()
  writeFileSync(paths[1] ?? '', proposed)
  await expect(tab(page, 'two.txt')).toHaveCount(0)
  await press(page, 'Reject file')
  expect((await answers[2])?.[0]).toBe('DIFF_REJECTED')
  // The list begins anew at its end.
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[0]}`)
  await expect(terminalInput(page)).toBeFocused()
})

test(
  'after a decision the shown review stays shown where that is wanted',
  { tag: '@long' },
  async ({ app }) => {
    const { page, paths, answers } = await askThree(app)
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    await page.getByRole('switch', { name: 'Go to the next file after a decision' }).click()
    await tab(page, 'two.txt').click()
    await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
    await press(page, 'Accept file')
    expect(await answers[1]).toEqual(['FILE_SAVED', proposed])
    await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
    // After some seconds it is said that the agent hasn’t written it.
    await expect(
      review(page).getByText(/Waiting for .* to write it|Accepted, but .* hasn’t written it/),
    ).toBeVisible()
  },
)

test(
  'a question comes in front of one that nobody can be answered for any more',
  { tag: '@long' },
  async ({ app }) => {
    const [left, asked] = [app.write('left.txt', linesWith([])), app.write('asked.txt', linesWith([]))]
    await app.start()
    const { page } = app
    const gone = await app.agent()
    void gone.openDiff(left, proposed)
    await expect(review(page)).toHaveAccessibleName(`Review: ${left}`)
    gone.kill()
    await expect(button(review(page), 'Keep as my change')).toBeVisible()
    const agent = await app.agent()
    const answer = agent.openDiff(asked, proposed)
    await expect(review(page)).toHaveAccessibleName(`Review: ${asked}`)
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', proposed])
  },
)

test(
  'when the question in front is withdrawn, the next one comes to the front',
  { tag: '@long' },
  async ({ app }) => {
    const { page, paths, agent } = await askThree(app)
    await tab(page, 'two.txt').click()
    await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
    await agent.call('close_tab', { tab_name: tabName(paths[1] ?? '') })
    await expect(review(page)).toHaveAccessibleName(`Review: ${paths[2]}`)
  },
)

test('a cursor that rests in the editor holds no review back, and is back after it; typing does', async ({
  app,
}) => {
  const [own, one, two] = ['own.txt', 'one.txt', 'two.txt'].map((name) => app.write(name, linesWith([])))
  if (own === undefined || one === undefined || two === undefined) throw new Error('three files are written')
  await app.start()
  const { page } = app
  const agent = await app.agent()
  await page.getByRole('treeitem', { name: 'own.txt' }).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${own}` })
  await editor.click()
  await expect(editor).toBeFocused()
  const answer = agent.openDiff(one, proposed)
  await expect(review(page)).toHaveAccessibleName(`Review: ${one}`)
  await expect(page.getByRole('main')).toBeFocused()
  await agent.call('close_tab', { tab_name: tabName(one) })
  await answer
  await expect(editor).toBeFocused()
  await page.keyboard.type('x')
  await keepTyping(page)
  void agent.openDiff(two, proposed)
  await expect(tab(page, 'two.txt')).toBeVisible()
  await page.keyboard.type('y')
  await expect(editor).toContainText('xy')
  await expect(editor).toBeFocused()
})

test(
  'in one column a question is told beside the terminals too, with the way to it',
  { tag: '@long' },
  async ({ app }) => {
    const path = app.write('one.txt', linesWith([]))
    await app.start()
    const { page } = app
    await page.setViewportSize({ width: 700, height: 700 })
    const views = page.getByRole('navigation', { name: 'Views' })
    await button(views, 'Terminals').click()
    const agent = await app.agent()
    const answer = agent.openDiff(path, proposed)
    await expect(notices(page).getByText('Claude proposes a change to one.txt.')).toBeVisible()
    await expect(button(views, 'Editor')).toHaveAccessibleDescription('1 review')
    await button(notices(page), 'Show review').click()
    await press(page, 'Accept file')
    expect(await answer).toEqual(['FILE_SAVED', proposed])
  },
)
