import type { Page } from '@playwright/test'
import { expect, test } from './harness'

/** Makes the host hold back changes of settings; the result lets go of those sent so far. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const letGo = await page.evaluateHandle(() => {
    let end: () => void = () => undefined
    window.host.holdsSettings = new Promise((resolve) => {
      end = resolve
    })
    return end
  })
  return () =>
    page.evaluate(async (resolve) => {
      window.host.holdsSettings = Promise.resolve()
      resolve()
      await new Promise(requestAnimationFrame)
    }, letGo)
}

const setting = (page: Page, name: 'editorFontSize' | 'editorFontFamily') =>
  page.evaluate((wanted) => window.host.settings[wanted], name)

test('what is typed on isn’t taken back when the host tells of what was sent before', async ({ open }) => {
  const page = await open('scene=work')
  await page.keyboard.press('Control+,')
  const form = page.getByRole('region', { name: 'Settings', exact: true })

  const size = form.getByLabel('Editor text size', { exact: true })
  await size.selectText()
  let letGo = await hold(page)
  await page.keyboard.type('12')
  await page.keyboard.press('Backspace')
  await letGo()
  await expect.poll(() => setting(page, 'editorFontSize')).toBe(12)
  await page.keyboard.type('4')
  await expect(size).toHaveValue('14')
  await expect.poll(() => setting(page, 'editorFontSize')).toBe(14)
  // Left with half a number, it shows what the setting will be.
  await size.selectText()
  letGo = await hold(page)
  await page.keyboard.type('16')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  await expect(size).toHaveValue('16')
  await letGo()
  await expect(size).toHaveValue('16')

  const family = form.getByLabel('Editor font', { exact: true })
  await family.selectText()
  letGo = await hold(page)
  await page.keyboard.type('Mono')
  await page.keyboard.press('Enter')
  await page.keyboard.type('co')
  await letGo()
  await expect.poll(() => setting(page, 'editorFontFamily')).toBe('Mono')
  await expect(family).toHaveValue('Monoco')
  await page.keyboard.press('Tab')
  await expect.poll(() => setting(page, 'editorFontFamily')).toBe('Monoco')
  // What another changes is shown.
  await page.evaluate(() => window.host.emit('settings', { editorFontFamily: 'Other', editorFontSize: 20 }))
  await expect(family).toHaveValue('Other')
  await expect(size).toHaveValue('20')
})
