import { expect, type Locator, type Page } from '@playwright/test'
import { type ScriptedApp, test } from '../scripted-agent/scripted-app'
import type { Asked, ScriptedAgent } from '../scripted-agent/agent'
import { claudeAsks, plan } from '../scripted-agent/claude-asks'
import { button } from './open-app'

/** What is sent back to the command line. */
type Answer = Readonly<Record<string, unknown>>
type Name = keyof typeof claudeAsks

const approval = (page: Page): Locator => page.getByRole('group', { name: /^Approval: / })
const none = (page: Page): Locator => page.getByText('No agent is waiting for an answer')

async function start(app: ScriptedApp): Promise<{ page: Page; claude: ScriptedAgent }> {
  await app.start()
  return { page: app.page, claude: await app.scripted({ agent: 'Claude', session: 's1' }) }
}

async function ask(page: Page, claude: ScriptedAgent, name: Name): Promise<Asked<Answer>> {
  const asked = claude.ask<Answer>('askAsClaude', { request: claudeAsks[name] })
  await expect(approval(page)).toBeVisible()
  return asked
}

const byMouse = async (found: Locator): Promise<void> => {
  await expect(found).toBeEnabled()
  await found.click()
}
const byKeys = async (found: Locator): Promise<void> => {
  await found.focus()
  await expect(found).toBeEnabled()
  await found.press('Enter')
}

/** Gives the address that is opened next in the person's browser, on either host; nothing is fetched. */
async function hearOpened({ electron, page }: ScriptedApp): Promise<() => Promise<string>> {
  if (!electron) {
    await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'in' }))
    const opened = page.context().waitForEvent('page')
    return async () => (await opened).url()
  }
  await electron.evaluate(({ shell }) => {
    const opened = new Promise<string>((resolve) => {
      shell.openExternal = (url) => Promise.resolve(resolve(url))
    })
    Object.assign(globalThis, { opened })
  })
  return () => electron.evaluate(() => (globalThis as unknown as { opened: Promise<string> }).opened)
}

interface Case {
  name: Name
  /** What the card shows. */
  shows: readonly string[]
  fill?: (page: Page) => Promise<void>
  option: string
  answer: Answer
}

const input = (name: 'command' | 'danger' | 'address' | 'tool' | 'questions') =>
  claudeAsks[name]['input'] as object

const cases: readonly Case[] = [
  {
    name: 'command',
    shows: ['touch a.txt', 'Make a file', '/work/a.txt'],
    option: 'Allow once',
    answer: { behavior: 'allow', updatedInput: input('command') },
  },
  {
    name: 'command',
    shows: ['Claude remembers: Bash(touch a.txt), the folder /work, until this session ends.'],
    option: 'Allow for session',
    answer: {
      ...{ behavior: 'allow', updatedInput: input('command') },
      updatedPermissions: [
        {
          ...{ type: 'addRules', behavior: 'allow', destination: 'session' },
          rules: [{ toolName: 'Bash', ruleContent: 'touch a.txt' }],
        },
        { type: 'addDirectories', directories: ['/work'], destination: 'session' },
      ],
    },
  },
  {
    name: 'danger',
    shows: ['rm -rf /', 'Dangerous rm operation on critical path: /', 'Asked by a sub-agent.'],
    option: 'Deny and stop',
    answer: {
      ...{ behavior: 'deny', interrupt: true },
      message: 'The user does not allow this. Go on without it, or ask what they want instead.',
    },
  },
  {
    name: 'address',
    shows: ['https://example.com/a', 'What is it?'],
    fill: (page) => page.getByLabel('Reason for denying, told to Claude').fill('Look in the notes.'),
    option: 'Deny',
    answer: { behavior: 'deny', message: 'Look in the notes.' },
  },
  {
    name: 'tool',
    shows: ['city: Bern', 'days: 2', 'Use forecast of weather', 'mcp__weather__forecast'],
    option: 'Always allow here',
    answer: {
      ...{ behavior: 'allow', updatedInput: input('tool') },
      updatedPermissions: [
        {
          ...{ type: 'addRules', behavior: 'allow', destination: 'localSettings' },
          rules: [{ toolName: 'mcp__weather__forecast' }],
        },
      ],
    },
  },
  {
    name: 'questions',
    shows: ['Which layout should the page have?', 'Two beside each other', 'Which parts do you want?'],
    async fill(page) {
      await page.getByRole('radio', { name: 'Columns' }).check()
      await page.getByRole('checkbox', { name: 'Footer' }).check()
      await page.getByLabel('Something else for Which parts do you want?').fill('a search')
    },
    option: 'Answer',
    answer: {
      behavior: 'allow',
      updatedInput: {
        ...input('questions'),
        answers: {
          'Which layout should the page have?': 'Columns',
          'Which parts do you want?': 'Footer, a search',
        },
        annotations: {
          'Which layout should the page have?': { preview: '+---+---+\n| a | b |\n+---+---+' },
        },
      },
    },
  },
  {
    name: 'plan',
    shows: ['Warmer rooms', 'Write a test for each limit'],
    option: 'Approve and switch to Accept edits',
    answer: {
      ...{ behavior: 'allow', updatedInput: { plan, planFilePath: '/p.md' } },
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
  },
  {
    name: 'form',
    shows: ['A ticket for the heating', 'From 1 to 5.'],
    async fill(page) {
      await page.getByRole('textbox', { name: 'Title' }).fill('Too cold')
      await page.getByRole('textbox', { name: 'size' }).fill('3')
      await page.getByRole('checkbox', { name: 'urgent' }).uncheck()
    },
    option: 'Send',
    answer: { action: 'accept', content: { title: 'Too cold', size: 3, urgent: false } },
  },
  { name: 'form', shows: [], option: 'Decline', answer: { action: 'decline' } },
  {
    name: 'dialog',
    shows: ['claude-opus-5-5 refused to go on. Try again with claude-sonnet-5?', 'Say it in other words.'],
    option: 'Change what I said',
    answer: { behavior: 'completed', result: 'edit_prompt' },
  },
]

for (const [hand, answer] of [
  ['the mouse', byMouse],
  ['keys', byKeys],
] as const) {
  const tag = hand === 'keys' ? [] : '@long'
  test(`whatever Claude asks is shown and answered by ${hand}`, { tag }, async ({ app }) => {
    const { page, claude } = await start(app)
    for (const { name, shows, fill, option, answer: expected } of cases) {
      const asked = await ask(page, claude, name)
      for (const words of shows) await expect(approval(page)).toContainText(words)
      await fill?.(page)
      await answer(button(approval(page), option))
      expect(await asked.answer, `${name}: ${option}`).toEqual(expected)
      await expect(none(page)).toBeVisible()
    }
  })
}

test('whatever Claude takes back stays until it is seen, with a word why', async ({ app }) => {
  const { page, claude } = await start(app)
  for (const name of Object.keys(claudeAsks) as Name[]) {
    const asked = await ask(page, claude, name)
    asked.cancel()
    await expect(approval(page).getByText('Withdrawn. The agent has taken it back.')).toBeVisible()
    const told = await asked.answer
    expect(told['behavior'] ?? told['action'], name).toMatch(/^(deny|cancel|cancelled)$/)
    await button(approval(page), 'Dismiss').click()
    await expect(none(page)).toBeVisible()
  }
})

test('what should not be allowed by mistake begins with no, and is never remembered', async ({ app }) => {
  const { page, claude } = await start(app)
  const asked = await ask(page, claude, 'danger')
  const names = await page.locator('.approval-answers').getByRole('button').allTextContents()
  expect(names).toEqual(['Deny', 'Deny and stop', 'Allow once'])
  await byMouse(button(approval(page), 'Deny'))
  await asked.answer
})

test('a plan that was changed is approved as it is now', async ({ app }) => {
  const { page, claude } = await start(app)
  const asked = await ask(page, claude, 'plan')
  await button(page, 'Edit plan').click()
  const source = page.getByRole('textbox', { name: 'Plan as Markdown' })
  await expect(source).toHaveValue(plan)
  await source.fill('')
  await byMouse(button(approval(page), 'Approve'))
  await expect(approval(page).getByText('Fill this in.')).toBeVisible()
  await source.fill('# Mine\n\n- Only this')
  await page.reload()
  await expect(approval(page).getByRole('heading', { name: 'Mine' })).toBeVisible()
  await expect(page.getByText('You changed this plan.')).toBeVisible()
  await byMouse(button(approval(page), 'Approve'))
  expect(await asked.answer).toEqual({
    behavior: 'allow',
    updatedInput: { plan: '# Mine\n\n- Only this', planFilePath: '/p.md' },
  })
  await expect(none(page)).toBeVisible()
  const again = await ask(page, claude, 'plan')
  await button(page, 'Edit plan').click()
  await source.fill('# Mine')
  await button(page, 'Undo my changes').click()
  await expect(source).toHaveValue(plan)
  await byMouse(button(approval(page), 'Approve'))
  expect(await again.answer).toMatchObject({ updatedInput: { plan } })
})

test('comments on the lines of a plan go back with a no, and keep it from being approved unread', async ({
  app,
}) => {
  const { page, claude } = await start(app)
  const asked = await ask(page, claude, 'plan')
  const comments = approval(page).getByRole('textbox', { name: /^Your comment on / })
  // By keys: one tab stop, and the arrows lead from line to line.
  const first = page.getByRole('button', { name: 'Comment on line 1', exact: true })
  await first.focus()
  await first.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Comment on line 3' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Your comment on lines 6 to 7' })).toBeFocused()
  await page.keyboard.type('Why not 21?')
  await page.getByRole('button', { name: 'Comment on line 1', exact: true }).click()
  await expect(comments).toHaveCount(2)
  await expect(comments.first()).toBeFocused()
  await page.keyboard.type('Too warm.')
  await page.getByRole('button', { name: 'Comment on line 8' }).click()
  await expect(comments).toHaveCount(3)
  await page.getByRole('button', { name: 'Remove comment on line 8' }).click()
  await expect(page.getByRole('button', { name: 'Comment on line 8' })).toBeFocused()
  await expect(comments).toHaveCount(2)
  await byMouse(button(approval(page), 'Approve'))
  await expect(approval(page).getByRole('alert')).toHaveText(
    'Your comments are only sent if you don’t approve. Choose “Keep planning”, or remove them.',
  )
  await button(page, 'Edit plan').click()
  const changed = plan.replace('# Warmer rooms', '# Warm rooms')
  await page.getByRole('textbox', { name: 'Plan as Markdown' }).fill(changed)
  await button(page, 'Show as it reads').click()
  await expect(approval(page).getByText('You changed what this is about: # Warmer rooms')).toBeVisible()
  await page.getByLabel('Reason for denying, told to Claude').fill('Nearly.')
  await byMouse(button(approval(page), 'Keep planning'))
  expect(await asked.answer).toEqual({
    behavior: 'deny',
    message: [
      'Nearly.',
      'Line 1, “# Warmer rooms”: Too warm.\nLines 6 to 7, “2. Turn the pump on below 20 °C…”: Why not 21?',
      `The plan as the user changed it:\n\n${changed}`.trim(),
    ].join('\n\n'),
  })
})

test('an address that a tool asks to open is shown whole before it opens, and can be left closed', async ({
  app,
}) => {
  const { page, claude } = await start(app)
  const asked = await ask(page, claude, 'signIn')
  await expect(approval(page)).toContainText('https://example.com/sign-in?for=tickets')
  await byMouse(button(approval(page), 'Open address'))
  const dialog = page.getByRole('dialog', { name: 'Open this address in your browser?' })
  await expect(dialog).toContainText('https://example.com/sign-in?for=tickets')
  await button(dialog, 'Cancel').click()
  await expect(approval(page)).toBeVisible()
  await byMouse(button(approval(page), 'Open address'))
  const opened = await hearOpened(app)
  await button(dialog, 'Open').click()
  expect(await opened()).toBe('https://example.com/sign-in?for=tickets')
  expect(await asked.answer).toEqual({ action: 'accept' })
})

test('a number beyond its bounds is said at its field, and not sent', { tag: '@long' }, async ({ app }) => {
  const { page, claude } = await start(app)
  const asked = await ask(page, claude, 'form')
  const size = page.getByRole('textbox', { name: 'size' })
  await page.getByRole('textbox', { name: 'Title' }).fill('Too cold')
  await size.fill('9')
  await byMouse(button(approval(page), 'Send'))
  await expect(size).toHaveAccessibleDescription(/Write 5 or less\./)
  await expect(size).toHaveAttribute('aria-invalid', 'true')
  await size.fill('5')
  await byMouse(button(approval(page), 'Send'))
  expect(await asked.answer).toMatchObject({ action: 'accept', content: { size: 5 } })
})

test(
  'the rules that Claude keeps itself are shown beside ours while it talks, and only shown',
  { tag: '@long' },
  async ({ app }) => {
    const { page, claude } = await start(app)
    const { id } = await claude.call<{ id: string }>('converse', { title: 'Warmer rooms' })
    const entry = (name: string, detail: string) => ({ name, detail, state: 'plain', acts: [] })
    await claude.call('update', {
      id,
      state: {
        parts: [
          {
            ...{ id: 'rules', label: 'Permission rules' },
            entries: [
              entry('Bash(touch a.txt)', 'allowed, in your settings for this project'),
              entry('Read(//etc/**)', 'denied, in your settings'),
            ],
          },
        ],
      },
    })
    const asked = await ask(page, claude, 'command')
    await byMouse(button(approval(page), 'Allow once'))
    await asked.answer
    await button(page, 'Rules').click()
    const own = page.getByRole('region', { name: 'Rules of Robo in Warmer rooms' })
    await expect(own.getByRole('listitem')).toHaveText([
      /Bash\(touch a\.txt\).*allowed/,
      /Read\(\/\/etc\/\*\*\).*denied/,
    ])
    await expect(own.getByRole('button')).toHaveCount(0)
    await expect(page.getByText('No rules yet')).toBeVisible()
  },
)
