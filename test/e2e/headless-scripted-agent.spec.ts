import { expect } from '@playwright/test'
import { test } from '../scripted-agent/scripted-app'
import { press, review } from './open-app'

test('a dialect that the app is started with has the same doors as those of its list', async ({ app }) => {
  const path = app.write('one.txt', 'before\n')
  await app.start()
  const robo = await app.scripted()
  const asked = robo.ask<{ kind: string }>('propose', { path, proposed: 'after\n' })
  await expect(review(app.page)).toHaveAccessibleName(`Review: ${path}`)
  await press(app.page, 'Accept file')
  expect(await asked.answer).toMatchObject({ kind: 'accepted' })
  await expect.poll(() => app.read('one.txt')).toBe('after\n')

  const withdrawn = robo.ask<{ kind: string }>('propose', { path, proposed: 'once more\n' })
  await expect(review(app.page)).toBeVisible()
  withdrawn.cancel()
  expect(await withdrawn.answer).toMatchObject({ kind: 'withdrawn' })
})
