import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '../../src/main/core/platform/programs'
import { type ClaudeInApp, editOf, readOf, tasks } from './claude-in-app'
import { expect, screenOf } from './cli-in-app'

/** What a profile has: a folder before all others on PATH, an alias, and a prompt; `more` follows. */
const profiles = {
  bash: {
    file: '.bashrc',
    text: (tools: string, alias: string) => `export PATH=${tools}:$PATH\nalias claude='${alias}'\nPS1='$ '\n`,
  },
  zsh: {
    file: '.zshrc',
    text: (tools: string, alias: string) =>
      `export PATH=${tools}:$PATH\nalias claude='${alias}'\nPROMPT='$ '\nprecmd() { : }\n`,
  },
  fish: {
    file: '.config/fish/config.fish',
    text: (tools: string, alias: string) =>
      `set -gx PATH ${tools} $PATH\nalias claude 'command ${alias}'\nfunction fish_prompt; echo '$ '; end\n`,
  },
}
export type ShellName = keyof typeof profiles

/** The shell on this machine; null if it isn't installed. */
export function findShell(name: ShellName): string | null {
  return findProgram(name, { platform: process.platform, env: process.env })
}

/** The terminals' shell, with a profile that puts a claude of its own before the real one and says how it is started. */
export function useShell(
  claude: ClaudeInApp,
  name: ShellName,
  { alias = 'claude --permission-mode acceptEdits', more = '' } = {},
): void {
  const { root, home, env } = claude.place
  const tools = join(root, 'tools')
  write(
    join(tools, 'claude'),
    `#!/bin/sh\necho "$0 $*" >> ${join(root, 'started')}\nexec ${join(root, 'bin', 'claude')} "$@"\n`,
  )
  const { file, text } = profiles[name]
  write(join(home, file), text(tools, alias.replace('TOOLS', tools)) + more)
  env['SHELL'] = findShell(name) ?? ''
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** How Claude Code was started: the program and its words, a line each. */
export function startedIn(claude: ClaudeInApp): string {
  return readFileSync(join(claude.place.root, 'started'), 'utf8')
}

/** Types lines in a shell, the last of which starts Claude Code; it is then asked about a change before that is written. */
export async function reviewTyped(claude: ClaudeInApp, ...lines: string[]): Promise<void> {
  claude.write('app.ts', 'one\n')
  const path = claude.path('app.ts')
  claude.api.setScript(tasks({ 'task-typed': [readOf(path), editOf(path, 'one', 'TWO')] }))
  await claude.start()
  const terminal = await claude.openShell()
  for (const line of lines) await claude.type(terminal, line)
  if (lines.some((line) => line.includes('which')))
    await expect(screenOf(terminal)).toContainText(/agent-bin\/claude/)
  await claude.connected(1)
  await claude.prompt(terminal, 'do task-typed')
  await claude.review('app.ts')
  expect(claude.read('app.ts')).toBe('one\n')
  await claude.accept('app.ts')
  await claude.told('task-typed')
  expect(claude.read('app.ts')).toBe('TWO\n')
}
