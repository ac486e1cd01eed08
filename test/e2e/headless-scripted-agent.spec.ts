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

for (const isKilled of [false, true])
  test(`an agent that can only write its whole proposal gets what was accepted, ${isKilled ? 'also after a crash' : 'which the app puts there'}`, async ({
    app,
  }) => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`)
    const textWith = (changes: Record<number, string>) =>
      lines.map((line, index) => `${changes[index] ?? line}\n`).join('')
    const path = app.write('one.txt', textWith({}))
    const [proposed, accepted] = [textWith({ 2: 'TWO', 15: 'FIFTEEN' }), textWith({ 2: 'TWO' })]
    await app.start()
    const robo = await app.scripted()
    const asked = robo.ask<{ kind: string; text: string }>('propose', {
      path,
      proposed,
      effect: 'agent-then-host',
    })
    await expect(review(app.page)).toHaveAccessibleName(`Review: ${path}`)
    await press(app.page, 'Reject change 2')
    await press(app.page, 'Accept file')
    expect(await asked.answer).toMatchObject({ kind: 'accepted', text: accepted })
    expect(app.read('one.txt')).toBe(textWith({}))
    if (isKilled) await app.kill()
    app.write('one.txt', proposed)
    if (isKilled) await app.start()
    await expect.poll(() => app.read('one.txt')).toBe(accepted)
  })
