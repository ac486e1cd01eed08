import type { Locator } from '@playwright/test'
import { runCommand } from '../e2e/open-app'
import type { ClaudeInApp } from './claude-in-app'
import { expect, patience, stepOf, taskOf } from './cli-in-app'
import { type Reply, say, type Script, use } from './messages-api'

/** Conversations without a terminal in the page, with the real command line. */
export const said = ({ page }: ClaudeInApp): Locator => page.getByRole('log', { name: 'Conversation' })
export const field = ({ page }: ClaudeInApp): Locator =>
  page.getByRole('textbox', { name: 'Message', exact: true })
export const approval = ({ page }: ClaudeInApp): Locator => page.getByRole('group', { name: /^Approval: / })
export const bash = (command: string): Reply =>
  use({ name: 'Bash', input: { command, description: 'Make a file' } })

/** Starts the app in its project, trusted, and begins a conversation by the dialog. */
export async function converse(
  claude: ClaudeInApp,
  first: string,
  choose: (dialog: Locator) => Promise<void> = async () => undefined,
): Promise<void> {
  claude.trustProject()
  await claude.start()
  const { page } = claude
  await runCommand(page, 'New conversation')
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await expect(dialog.getByRole('combobox', { name: 'Agent', exact: true })).toHaveValue('claude')
  await choose(dialog)
  await dialog.getByRole('textbox', { name: 'First message' }).fill(first)
  await dialog.getByRole('button', { name: 'Start conversation' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Fills in a field of the dialog that is folded away. */
export const withMore = (name: string, text: string) => async (dialog: Locator) => {
  await dialog.getByRole('button', { name: 'More' }).click()
  await dialog.getByRole('textbox', { name, exact: true }).fill(text)
}

/** Chooses a permission mode in the dialog. */
export const inMode = (mode: string) => async (dialog: Locator) => {
  await dialog.getByRole('combobox', { name: 'Permission mode', exact: true }).selectOption(mode)
}

/** The review of a change, which comes behind the conversation while the person may be writing in it. */
export async function reviewOf(claude: ClaudeInApp, name: string): Promise<Locator> {
  await claude.page.getByRole('tab', { name }).click({ timeout: patience })
  return claude.review(name)
}

/** Waits for the card, and shows it where the conversation stands in front of it. */
export async function shown(claude: ClaudeInApp): Promise<Locator> {
  const show = claude.page.getByRole('button', { name: 'Show approval' })
  // The card that was answered may be found while it is going away.
  await expect(async () => {
    if (await show.isVisible()) await show.click({ timeout: 1_000 })
    await expect(approval(claude)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: patience })
  return approval(claude)
}

/** Presses an option of the card that shows some words, which then goes. */
export async function answer(claude: ClaudeInApp, shows: string | RegExp, option: string): Promise<void> {
  const card = (await shown(claude)).filter({ hasText: shows })
  const button = card.getByRole('button', { name: option, exact: true })
  await expect(button).toBeEnabled()
  // The next card may come at once, and say the same.
  const answered = await card.elementHandle()
  await button.click()
  await answered?.waitForElementState('hidden')
}

const plan = '# Warmer rooms\n\n1. Read the sensors\n2. Turn the pump on\n'

/** A model that writes its plan into the file that the command line names, and shows it until it is approved. */
export function planning(): Script {
  return (request, before) => {
    const task = taskOf(request)
    if (!request.main || task === null) return say('ok')
    const path = /\/[^\s`"']*\/plans\/[\w-]+\.md/.exec(request.everything)?.[0]
    const step = stepOf(request, before, task)
    if (step === 0) return use({ name: 'Write', input: { file_path: path, content: plan } })
    if (step === 1 || request.results.some(({ isError }) => isError))
      return use({ name: 'ExitPlanMode', input: {} })
    return say(`${task} is done.`)
  }
}

/** Waits for the card of that plan, and comments on its last line. */
export async function commentOnPlan(claude: ClaudeInApp): Promise<void> {
  await expect((await shown(claude)).getByRole('heading', { name: 'Warmer rooms' })).toBeVisible()
  await claude.page.getByRole('button', { name: 'Comment on line 4' }).click()
  await claude.page.keyboard.type('Only below 20 °C.')
}

/** Approves the plan as the person changed it, into the mode that accepts edits; gives the plan as it is then. */
export async function approveChangedPlan(claude: ClaudeInApp): Promise<string> {
  await (await shown(claude)).getByRole('button', { name: 'Edit plan' }).click()
  const changed = plan.replace('pump on', 'pump on below 20 °C')
  await claude.page.getByRole('textbox', { name: 'Plan as Markdown' }).fill(changed)
  await answer(claude, 'You changed this plan.', 'Approve and switch to Accept edits')
  return changed
}
