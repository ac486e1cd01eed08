import { expect } from './cli-in-app'
import { test } from './claude-in-app'
import { findShell, reviewTyped, startedIn, useShell } from './claude-in-shell'

for (const shell of ['zsh', 'fish'] as const)
  test(`a Claude that is typed in ${shell} with a profile and an alias of its own is reviewed`, async ({
    claude,
  }) => {
    test.skip(findShell(shell) === null, `${shell} isn’t installed.`)
    useShell(claude, shell)
    await reviewTyped(claude, 'command which claude', 'claude')
    expect(startedIn(claude)).toContain('--permission-mode acceptEdits')
  })

test('an alias with a path goes past the wrapper, and Claude is reviewed all the same', async ({
  claude,
}) => {
  useShell(claude, 'bash', { alias: 'TOOLS/claude --permission-mode acceptEdits' })
  await reviewTyped(claude, 'claude')
  expect(startedIn(claude)).not.toContain('--settings')
})

test('what puts itself before it on PATH later, as direnv does, stays behind it', async ({ claude }) => {
  useShell(claude, 'bash', {
    more: 'PROMPT_COMMAND="later; $PROMPT_COMMAND"\nlater() { PATH=/opt/later:$PATH; }\n',
  })
  await reviewTyped(claude, 'cd .', 'which claude; claude')
  expect(startedIn(claude)).toContain('--permission-mode acceptEdits')
})
