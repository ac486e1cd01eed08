import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { button, press, proposedText, runCommand, test } from './open-app'

test('the first page says what is installed, and the tour writes what the person made of a sample', async ({
  app,
}) => {
  await app.start([])
  const { page } = app
  const programs = page.getByRole('region', { name: 'Installed programs' })
  await expect(programs.getByRole('listitem', { name: 'Git' })).toContainText(/Git \d+\.\d+/)
  await expect(programs.getByRole('listitem', { name: 'Node.js' })).toContainText(/\d+\.\d+/)
  const opencode = programs.getByRole('listitem', { name: 'OpenCode' })
  await expect(opencode).toContainText('npm install -g opencode-ai')
  await expect(button(opencode, 'Copy the command that gets OpenCode')).toBeVisible()

  await button(page, 'Take the tour').click()
  const tour = page.getByRole('region', { name: 'Tour' })
  await expect(tour).toContainText('Step 1 of 3.')
  const inTree = page.getByRole('tree', { name: 'Files' }).getByRole('treeitem', { name: 'watering.js' })
  await expect(inTree).toBeVisible()
  await expect(page.getByRole('region', { name: 'Review: ' })).toContainText('Sample agent')
  await press(page, 'Accept change 1')
  await expect(tour).toContainText('Step 2 of 3.')
  await press(page, 'Reject change 2')
  await expect(tour).toContainText('Step 3 of 3.')
  await proposedText(page).getByText("'TODO say hello: '").click()
  await page.keyboard.press('End')
  await page.keyboard.type(' // hello')
  await expect(tour).toContainText('Now accept the file.')
  const sample = join(app.place.data, 'sample-folder', 'watering.js')
  expect(readFileSync(sample, 'utf8')).not.toContain('>=')
  await press(page, 'Accept file')
  await expect(tour).toContainText('Written.')
  const written = readFileSync(sample, 'utf8')
  expect(written).toContain('daysSince >= plant.days')
  expect(written).toContain("return plant.name + ' is fine'")
  expect(written).toContain('// hello')

  // Begun again it is as new, and it can be left at any time.
  await button(tour, 'Close the tour').click()
  await expect(tour).toBeHidden()
  await expect(inTree).toHaveCount(0)
  await runCommand(page, 'Take the tour')
  await expect(tour).toContainText('Step 1 of 3.')
  await button(tour, 'Leave the tour').click()
  await expect(page.getByRole('region', { name: 'Review: ' })).toHaveCount(0)
  await expect.poll(() => readFileSync(sample, 'utf8')).not.toContain('>=')
})
