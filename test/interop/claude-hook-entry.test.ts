import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { FrameParser } from '../../src/main/protocols/kit/frame-parser'
import type { HookCall } from '../../src/main/protocols/claude-hooks/hook-wire'
import { type HookServer, startHookServer } from '../../src/main/protocols/claude-hooks/hook-server'
import { startBareClaude } from './bare-claude'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import { inOrder, say, startMessagesApi, use } from './messages-api'

/** A server of hooks that lets everything through and keeps what it hears. */
async function listen(place: ClaudeHome, heard: HookCall[], refused: string[]): Promise<HookServer> {
  const started = await startHookServer({
    frames: new FrameParser(),
    folder: join(place.root, 'hooks'),
    ports: {
      review: () => Promise.reject(new Error('no review')),
      receive: () => Promise.resolve(),
      mayHaveBeenWritten: () => undefined,
      opensDiffs: () => Promise.resolve(true),
      approvals: { ask: () => Promise.reject(new Error('no approval')), endSession: () => undefined },
      policy: { of: () => 'mode' },
      rules: { of: () => Promise.resolve(null) },
      session: (session) =>
        Promise.resolve({
          origin: { dialect: 'claude-hooks', connection: session, agent: 'Claude', session },
          link: 'unknown',
          hear: () => undefined,
          ended: () => undefined,
        }),
      ledger: { expect: () => undefined, cancel: () => undefined },
      events: {
        heard: (call) => void heard.push(call),
        placed: () => undefined,
        answer: () => Promise.resolve(null),
      },
      due: { take: () => null },
      refused: (status, message) => void refused.push(`${status} ${message}`),
      say: () => undefined,
      report: (error) => void refused.push(String(error)),
    },
  })
  if (!started.ok) throw new Error(started.failure.message)
  return started.value
}

const run = promisify(execFile)
const sub = {
  description: 'look',
  prompt: 'look',
  subagent_type: 'general-purpose',
  run_in_background: false,
}

it('the real command line takes every hook, in a terminal and without one, and each is understood', async (context) => {
  const cli = await installClaudeCode()
  if ('skipped' in cli) return context.skip(cli.skipped)
  const heard: HookCall[] = []
  const refused: string[] = []
  const script = (path: string) =>
    inOrder(
      use({ name: 'Write', input: { file_path: path, content: 'x' } }),
      use({ name: 'Bash', input: { command: 'touch ../beside', description: 'asks' } }),
      use({ name: 'Bash', input: { command: 'cat nothing-here', description: 'fails' } }),
      use({ name: 'Agent', input: sub }),
      say('looked'),
      say('done'),
    )
  const api = await startMessagesApi(inOrder(say('ok')))
  const place = await makeClaudeHome(api.url)
  const server = await listen(place, heard, refused)
  const env = {
    ...place.env,
    GREENLIGHT_HOOK_TOKEN: server.tokenFor('t1'),
    GREENLIGHT_TERMINAL: 't1',
    CLAUDE_CODE_PLUGIN_DIRS: server.plugin,
  }
  const events = (tool?: string) =>
    new Set(
      heard.flatMap((call) =>
        tool === undefined || ('tool_name' in call && call.tool_name === tool) ? [call.hook_event_name] : [],
      ),
    )
  try {
    api.setScript(script(join(place.project, 'a')))
    const child = run(cli.path, ['-p', 'go', '--permission-mode', 'acceptEdits'], { cwd: place.project, env })
    child.child.stdin?.end()
    await child
    expect([...events()]).toEqual(
      expect.arrayContaining([
        ...['UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'],
        ...['SubagentStart', 'SubagentStop', 'Stop', 'SessionEnd'],
      ]),
    )
    expect([...events('Write')]).toEqual(['PreToolUse', 'PostToolUse'])
    heard.length = 0
    const other = use({ name: 'Write', input: { file_path: join(place.project, 'b'), content: 'x' } })
    api.setScript(({ main, results }) => (main && results.length === 0 ? other : say('all done')))
    const args = ['--permission-mode', 'acceptEdits']
    const terminal = startBareClaude({ path: cli.path, args, cwd: place.project, env })
    try {
      await terminal.waitForScreen(/❯/, 60_000)
      terminal.prompt('go')
      await terminal.waitForScreen(/all done/, 60_000)
      expect([...events()]).toEqual(expect.arrayContaining(['UserPromptSubmit', 'PreToolUse', 'PostToolUse']))
    } finally {
      await terminal.kill()
    }
    expect(refused).toEqual([])
  } finally {
    server.dispose()
    await server.closed
    await api.close()
    await place.remove()
  }
}, 240_000)
