import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { FileWatcher } from '../../src/main/core/files/watcher'
import { SessionFile } from '../../src/main/core/history/session-file'
import { SessionFollower } from '../../src/main/core/history/session-follower'
import { SessionCounter } from '../../src/main/core/history/session-counter'
import { SubAgentFiles } from '../../src/main/core/history/sub-agent-files'
import { SubAgents } from '../../src/main/core/history/sub-agents'
import { readTool } from '../../src/shared/conversation/tool-reading'
import { SessionTranscript } from '../../src/shared/conversation/session-transcript'
import { type Item, textOf, toolsOf } from '../../src/shared/conversation/transcript'
import { startBareClaude } from './bare-claude'
import { makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import { say, startMessagesApi, use, type Reply, type SeenRequest } from './messages-api'

/** What an item says, in short. */
function short(item: Item): string {
  if (item.kind === 'notice') return `(${item.what})`
  const tools = toolsOf(item.blocks).map((call) => `${call.name}:${call.state}`)
  const thoughts = item.blocks.filter((block) => block.kind === 'thinking').map(() => 'thinks')
  return [...thoughts, textOf(item.blocks), ...tools].filter((part) => part !== '').join(' ')
}

const taskOf = (request: SeenRequest) => request.everything.match(/task-[a-z]+/g)?.at(-1) ?? null

/** Words that come one after the other, until it is over. */
async function* slowly(word: string, isOver: () => boolean): AsyncGenerator<string> {
  for (let count = 0; count < 600 && !isOver(); count++) {
    yield `${word}${count} `
    await new Promise((rest) => setTimeout(rest, 100))
  }
}

test('a session of the real command line reads as the conversation that it was, as it goes', async () => {
  test.setTimeout(240_000)
  const cli = await installClaudeCode()
  test.skip('skipped' in cli, 'skipped' in cli ? cli.skipped : '')
  if ('skipped' in cli) return
  const api = await startMessagesApi(() => say('ok'))
  const home = await makeClaudeHome(api.url)
  const path = join(home.project, 'app.ts')
  writeFileSync(path, 'one\ntwo\n')
  let isQueued = false
  const steps: Record<string, (request: SeenRequest) => Reply[]> = {
    'task-tools': () => [
      {
        blocks: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', name: 'Bash', input: { command: 'echo hello', description: 'd' } },
        ],
      },
      use(
        { name: 'Read', input: { file_path: path } },
        { name: 'Bash', input: { command: 'false', description: 'Fails' } },
      ),
      use({ name: 'Edit', input: { file_path: path, old_string: 'two', new_string: 'TWO' } }),
      say('Tools are done.'),
    ],
    'task-agent': ({ tools }) => {
      const input = { description: 'Look', prompt: 'do task-sub', subagent_type: 'general-purpose' }
      return [use({ name: tools.includes('Agent') ? 'Agent' : 'Task', input }), say('Agent is done.')]
    },
    'task-sub': () => [say('Sub is done.')],
    'task-long': () => [{ blocks: [{ type: 'text', text: slowly('said', () => isQueued) }] }],
    'task-slow': () => [{ blocks: [{ type: 'text', text: slowly('word', () => false) }] }],
  }
  api.setScript((request, before) => {
    const task = taskOf(request)
    if (!request.main || task === null) return say('ok')
    const step = before.filter((other) => other.main && taskOf(other) === task).length
    return steps[task]?.(request)[step] ?? say(`${task} is done.`)
  })
  const claude = startBareClaude({
    path: cli.path,
    args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
    cwd: home.project,
    env: home.env,
    rows: 50,
  })
  const watcher = new FileWatcher()
  const projects = join(home.config, 'projects')
  try {
    await claude.waitForScreen(/❯/)
    claude.prompt('do task-tools')
    await claude.waitForScreen(/Tools are done/)
    const folder = join(projects, readdirSync(projects)[0] ?? '')
    const id = (readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '').slice(0, -'.jsonl'.length)
    const place = { id, path: join(folder, `${id}.jsonl`) }
    const noLongLines = { read: () => Promise.reject(new Error('no line is that long')) }
    const session = new SessionFile(place.path, noLongLines)
    const follower = new SessionFollower({ session, watcher, messages: 50 })
    let transcript = new SessionTranscript()
    const states: string[] = []
    follower.onEvent((event) => {
      if (event.kind === 'anew') {
        transcript = new SessionTranscript()
        transcript.add(event.page.lines)
      }
      if (event.kind === 'appended') for (const line of event.lines) transcript.add([line])
      if (states.at(-1) !== transcript.activity) states.push(transcript.activity)
    })
    const page = await follower.start()
    if (page.ok) transcript.add(page.value.lines)
    const says = (...wanted: string[]) =>
      expect
        .poll(() => transcript.items().map(short).slice(-wanted.length), { timeout: 30_000 })
        .toEqual(wanted)
    const idle = () => expect.poll(() => transcript.activity, { timeout: 30_000 }).toBe('idle')
    await says(
      'do task-tools',
      'thinks I look. Bash:done',
      'Read:done Bash:failed',
      'Edit:done',
      'Tools are done.',
    )
    await idle()
    await expect.poll(() => transcript.turnAt(0)?.duration).toEqual(expect.any(Number))
    expect(transcript.turnAt(0)).toMatchObject({ length: 5, usage: { input: 40, output: 20 } })
    expect(transcript.facts).toMatchObject({ folder: home.project, version: cli.version, sessionId: id })
    expect(
      transcript.others.filter(({ standing }) => standing === 'unknown' || standing === 'not-json'),
    ).toEqual([])

    claude.prompt('do task-agent')
    await expect.poll(() => transcript.items().map(short)).toContain('Agent is done.')
    const call = transcript
      .items()
      .flatMap((item) => (item.kind === 'reply' ? toolsOf(item.blocks) : []))
      .at(-1)
    const agents = new SubAgents(place, watcher)
    await agents.start()
    await expect.poll(() => agents.all.map((agent) => agent.call)).toEqual([call?.id])
    expect(call?.agent).toBe(agents.all[0]?.id)
    const inner = new SessionTranscript({ isAgent: true })
    await expect
      .poll(async () => {
        const read = await new SessionFile(agents.all[0]?.path ?? '', noLongLines).readLast(50)
        if (read.ok) inner.add(read.value.lines)
        return inner.items().map(short)
      })
      .toEqual(['do task-sub', 'Sub is done.'])
    agents.dispose()
    await idle()

    // Said while it works: it waits, and is taken then.
    claude.prompt('do task-long')
    await claude.waitForScreen(/said5/)
    claude.prompt('do task-next')
    await expect.poll(() => transcript.queue.map(({ text }) => text)).toEqual(['do task-next'])
    isQueued = true
    await says('do task-next', 'task-next is done.')
    await idle()
    expect(transcript.queue).toEqual([])

    claude.prompt('do task-slow')
    await claude.waitForScreen(/word5/)
    await expect.poll(() => transcript.activity).toBe('working')
    claude.type('\x1b')
    await expect.poll(() => transcript.items().map(short).at(-1)).toBe('(interrupted)')
    await idle()

    claude.type('/compact\r')
    await expect.poll(() => transcript.items().map(short), { timeout: 30_000 }).toContain('(compacted)')
    await claude.waitForScreen(/Compacted/)
    claude.prompt('do task-left')
    await says('do task-left', 'task-left is done.')
    await idle()
    const first = transcript.length - 2
    const all = transcript.items().map(short)
    expect(all.indexOf('do task-tools'), all.join('\n')).toBe(0)

    // Back to before that prompt, and on in another way.
    claude.type('\x1b')
    // Two at once would be read as one key, and nothing on the screen tells that the first was.
    await new Promise((rest) => setTimeout(rest, 200))
    claude.type('\x1b')
    await claude.waitForScreen(/Enter to continue/)
    claude.type('\x1b[A')
    await claude.waitForScreen(/❯ do task-left/)
    claude.type('\r')
    await claude.waitForScreen(/Restore conversation/)
    claude.type('\r')
    await claude.waitForScreen((screen) => !screen.includes('Restore conversation'))
    // The prompt's text stands there again.
    claude.type('\x15')
    claude.prompt('do task-right')
    await says('do task-right', 'task-right is done.')
    const fork = transcript.at(first)
    expect(fork?.branches).toMatchObject({ index: 1 })
    transcript.choose(fork?.branches?.ids[0] ?? '')
    expect(transcript.items().map(short).slice(first)).toEqual(['do task-left', 'task-left is done.'])
    follower.dispose()

    // Cleared: another session begins, in a file of its own.
    claude.type('/clear\r')
    await claude.waitForScreen((screen) => !screen.includes('task-right is done.'))
    claude.prompt('do task-fresh')
    await claude.waitForScreen(/task-fresh is done/)
    // What is said is written a moment after it is on the screen.
    const isFresh = (name: string) => name.endsWith('.jsonl') && name !== `${id}.jsonl`
    await expect.poll(() => readdirSync(folder).filter(isFresh).length).toBe(1)
    const fresh = readdirSync(folder).filter(isFresh)
    const cleared = new SessionFile(join(folder, fresh[0] ?? ''), noLongLines)
    await expect
      .poll(async () => {
        const read = await cleared.readLast(50)
        const made = new SessionTranscript()
        if (read.ok) made.add(read.value.lines)
        return made.items().map(short).slice(-2)
      })
      .toEqual(['do task-fresh', 'task-fresh is done.'])
  } finally {
    await claude.kill()
    watcher.dispose()
    await api.close()
    await home.remove()
  }
})

test('a sub-agent in the foreground: its record stands beside the session, and its call says what it gave back', async () => {
  const cli = await installClaudeCode()
  test.skip('skipped' in cli, 'skipped' in cli ? cli.skipped : '')
  if ('skipped' in cli) return
  const api = await startMessagesApi(() => say('ok'))
  const home = await makeClaudeHome(api.url)
  const input = { description: 'Look', prompt: 'do task-sub', subagent_type: 'general-purpose' }
  const steps: Record<string, (request: SeenRequest) => Reply[]> = {
    'task-agent': ({ tools }) => [
      use({ name: tools.includes('Agent') ? 'Agent' : 'Task', input }),
      say('Agent is done.'),
    ],
    'task-sub': () => [
      use({ name: 'Bash', input: { command: 'echo inner', description: 'd' } }),
      say('Sub is done.'),
    ],
  }
  api.setScript((request, before) => {
    const task = taskOf(request)
    if (!request.main || task === null) return say('ok')
    const step = before.filter((other) => other.main && taskOf(other) === task).length
    return steps[task]?.(request)[step] ?? say('ok')
  })
  const claude = startBareClaude({
    path: cli.path,
    args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
    cwd: home.project,
    // Without this one every sub-agent of an interactive session works in the background.
    env: { ...home.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
    rows: 50,
  })
  try {
    await claude.waitForScreen(/❯/)
    claude.prompt('do task-agent')
    await claude.waitForScreen(/Agent is done/)
    const projects = join(home.config, 'projects')
    const folder = join(projects, readdirSync(projects)[0] ?? '')
    const id = (readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '').slice(0, -'.jsonl'.length)
    const place = { id, path: join(folder, `${id}.jsonl`) }
    const noLongLines = { read: () => Promise.reject(new Error('no line is that long')) }
    const read = async (path: string, options: { isAgent?: boolean } = {}) => {
      const transcript = new SessionTranscript(options)
      const page = await new SessionFile(path, noLongLines).readLast(50)
      if (page.ok) transcript.add(page.value.lines)
      return transcript
    }
    const said = async (path: string, options?: { isAgent?: boolean }) =>
      (await read(path, options)).items().map(short)
    // Nothing of the sub-agent stands among the session's own lines.
    await expect.poll(() => said(place.path)).toEqual(['do task-agent', 'Agent:done', 'Agent is done.'])
    const [, reply] = (await read(place.path)).items()
    const [call] = reply?.kind === 'reply' ? toolsOf(reply.blocks) : []
    if (!call) throw new Error('the call is not there')
    expect(readTool(call).body).toMatchObject({ kind: 'task', prompt: 'do task-sub', text: 'Sub is done.' })
    const files = new SubAgentFiles(place)
    expect(await files.ids()).toEqual([call.agent])
    expect(await files.callOf(call.agent ?? '')).toBe(call.id)
    const record = (await files.pathOf(call.agent ?? '')) ?? ''
    // Each file is written by a queue of its own.
    await expect
      .poll(() => said(record, { isAgent: true }))
      .toEqual(['do task-sub', 'Bash:done', 'Sub is done.'])
    // Both are counted.
    await expect
      .poll(() => new SessionCounter().count(place))
      .toMatchObject({ messages: 6, usage: { input: 40, output: 20 } })
  } finally {
    await claude.kill()
    await api.close()
    await home.remove()
  }
})
