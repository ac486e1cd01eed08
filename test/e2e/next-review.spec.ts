import { writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { openShell, press, review, tab, terminalInput, test, type OpenApp } from './open-app'
import { linesWith } from './thirty-lines'

const proposed = linesWith([3, 15])

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

test('after a decision the next review comes where that is wanted, and the focus stays', async ({ app }) => {
  const { page, paths, answers } = await askThree(app, async () => openShell(app.page))
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('switch', { name: 'Go to the next file after a decision' }).click()
  await tab(page, 'two.txt').click()
  await terminalInput(page).click()
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
  await press(page, 'Accept file')
  expect(await answers[1]).toEqual(['FILE_SAVED', proposed])
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[0]}`)
  await expect(terminalInput(page)).toBeFocused()
  writeFileSync(paths[1] ?? '', proposed)
  await expect(tab(page, 'two.txt')).toHaveCount(0)
  await press(page, 'Reject file')
  expect((await answers[0])?.[0]).toBe('DIFF_REJECTED')
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[2]}`)
  await expect(terminalInput(page)).toBeFocused()
})

test('after a decision the shown review stays shown where nothing else is wanted', async ({ app }) => {
  const { page, paths, answers } = await askThree(app)
  await tab(page, 'two.txt').click()
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
  await press(page, 'Accept file')
  expect(await answers[1]).toEqual(['FILE_SAVED', proposed])
  await expect(review(page)).toHaveAccessibleName(`Review: ${paths[1]}`)
  await expect(review(page).getByText(/Waiting for .* to write it/)).toBeVisible()
})
