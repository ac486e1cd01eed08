import type { Page } from '@playwright/test'
import { backFromReview, pastePicture } from '../e2e/talk-in-app'
import { expect } from './cli-in-app'
import { editOf, readOf, tasks, test } from './claude-in-app'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New conversation' })
const field = (page: Page) => page.getByLabel('Message', { exact: true }).filter({ visible: true })
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' }).filter({ visible: true })

test('a conversation is begun in the dialog, takes a picture and a mention, has its change reviewed, is taken up from an earlier message, and its files are rewound', async ({
  claude,
}) => {
  claude.write('app.ts', 'one\ntwo\nthree\n')
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({ 'task-part': [readOf(path), editOf(path, 'two', 'TWO')], 'task-look': [], 'task-other': [] }),
  )
  claude.trustProject()
  await claude.start()
  const { page } = claude
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await expect(dialog(page).getByRole('combobox', { name: 'Agent', exact: true })).toHaveValue('claude')
  await claude.picture('dialog')
  await dialog(page).getByRole('combobox', { name: 'Permission mode' }).selectOption('bypassPermissions')
  await expect(dialog(page).getByText(/Every command runs at once/)).toBeVisible()
  await dialog(page).getByRole('combobox', { name: 'Permission mode' }).selectOption('default')
  await dialog(page).getByRole('textbox', { name: 'First message' }).fill('do task-part')
  await dialog(page).getByRole('button', { name: 'Start conversation' }).click()

  // The conversation leads to the review.
  await backFromReview(page, 'app.ts', /^(?!app\.ts)/)
  await expect(page.getByText('Claude is waiting for your review of app.ts')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit, app\.ts, .*waits for you$/ })).toBeVisible()
  await claude.picture('asked')
  await page.getByRole('button', { name: 'Open review' }).last().click()
  const review = await claude.review('app.ts')
  await claude.picture('reviewed')
  await review.getByRole('button', { name: 'Accept file' }).click()
  await page
    .getByRole('tab', { name: /^(?!app\.ts)/ })
    .first()
    .click()
  await expect(log(page)).toContainText('task-part is done.')
  expect(claude.read('app.ts')).toBe('one\nTWO\nthree\n')
  await claude.picture('talk')

  await field(page).focus()
  await page.keyboard.type('do task-look at @ap')
  await expect(page.getByRole('option', { name: /app\.ts/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await pastePicture(page)
  await expect(page.getByRole('img', { name: 'plan.png' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(log(page)).toContainText('task-look is done.')
  await page.getByRole('button', { name: /^Tools and servers/ }).click()
  await claude.picture('parts')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Context \d+% full/ }).click()
  await claude.picture('figures')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Edit and ask again' }).last().click()
  await expect(field(page)).toHaveValue(/^do task-look at @app\.ts/)
  await field(page).fill('do task-other')
  await field(page).press('Enter')
  await expect(log(page)).toContainText('task-other is done.')
  // What was said before is there, what was taken back is not.
  await expect(log(page)).toContainText('task-part is done.')
  await expect(log(page)).not.toContainText('task-look is done.')
  await claude.picture('forked')

  // While it works nothing is rewound.
  await expect(claude.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Rewind files to before this' }).first().click()
  const rewound = await claude.review('app.ts')
  expect(claude.read('app.ts')).toBe('one\nTWO\nthree\n')
  await claude.picture('rewound')
  await rewound.getByRole('button', { name: 'Accept file' }).click()
  await expect.poll(() => claude.read('app.ts')).toBe('one\ntwo\nthree\n')
})
