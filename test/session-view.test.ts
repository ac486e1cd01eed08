import { appendFile, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followSession } from '../src/renderer/state/sessions/session-view'
import { textOf, toolsOf } from '../src/shared/conversation/transcript'
import { SessionWriter, text, tool } from './conversation-harness/session-writer'
import { openWindowOn, pageOf, startPlainApp } from './plain-app'

const lines = (records: readonly unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')
const patient = { timeout: 10_000, interval: 20 }

it('a sub-agent is followed under its call while it works, also when the session’s file becomes another one', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-session-view-')))
  const project = join(home, '.claude', 'projects', '-x')
  const inner = join(project, 'first', 'subagents')
  await mkdir(project, { recursive: true })
  const session = new SessionWriter(Date.now())
    .prompt('Ask somebody else.')
    .reply('m1', tool('t1', 'Task', { description: 'Look', prompt: 'Look around.' }))
  await writeFile(join(project, 'first.jsonl'), lines(session.records))
  const app = await startPlainApp(home)
  const window = await openWindowOn(app, home)
  const view = followSession('first', pageOf(window))
  const transcript = () => view.store.getState().transcript
  const call = () =>
    transcript()
      .items()
      .flatMap((item) => (item.kind === 'reply' ? toolsOf(item.blocks) : []))[0]
  await expect.poll(() => call()?.state, patient).toBe('open')
  expect(call()?.agent).toBeNull()

  // Its record comes with its first line; which call it belongs to stands beside it.
  const agent = new SessionWriter(Date.now()).prompt('Look around.', { isSidechain: true, agentId: 'a1' })
  await mkdir(inner, { recursive: true })
  await writeFile(join(inner, 'agent-a1.meta.json'), '{"toolUseId":"t1","agentType":"general-purpose"}')
  await writeFile(join(inner, 'agent-a1.jsonl'), lines(agent.records))
  await expect.poll(() => call()?.agent, patient).toBe('a1')
  const said = () =>
    transcript()
      .agentItems('a1')
      .map((item) => (item.kind === 'notice' ? '' : textOf(item.blocks)))
  // Nothing of it is read before somebody looks at it.
  expect(said()).toEqual([])
  const following = view.agents.follow('a1')
  const second = view.agents.follow('a1')
  await expect.poll(said, patient).toEqual(['Look around.'])
  const say = (id: string, words: string) => {
    const from = agent.records.length
    agent.reply(id, text(words))
    const more = agent.records.slice(from).map((one) => ({ ...(one as object), agentId: 'a1' }))
    return appendFile(join(inner, 'agent-a1.jsonl'), lines(more))
  }
  await say('s1', 'I look.')
  await expect.poll(said, patient).toEqual(['Look around.', 'I look.'])
  following.dispose()

  const before = transcript()
  await writeFile(join(project, 'other'), lines(session.reply('m2', text('Wait.')).records))
  await rename(join(project, 'other'), join(project, 'first.jsonl'))
  await expect.poll(() => transcript() !== before && transcript().length, patient).toBe(3)
  await expect.poll(said, patient).toEqual(['Look around.', 'I look.'])
  expect(call()?.agent).toBe('a1')
  await say('s2', 'I have looked.')
  await expect.poll(said, patient).toEqual(['Look around.', 'I look.', 'I have looked.'])

  second.dispose()
  view.dispose()
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})
