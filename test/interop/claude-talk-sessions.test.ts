import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { readyOf } from '../plain-app'
import { SessionServerClient } from '../session-server-client'
import { Talk } from '../talk'
import { startTalkingApp, type TalkingApp } from './claude-talk'
import { inOrder, say } from './messages-api'

/** What another program has of conversations without a terminal, over the session server. */
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
})

function subscribe({ window }: TalkingApp, session: string): SessionServerClient {
  const { sessions } = readyOf(window)
  const token = readFileSync(sessions?.tokenFile ?? '', 'utf8').trim()
  return new SessionServerClient(`${sessions?.url.replace('http', 'ws')}/${session}/subscribe?token=${token}`)
}

const shown = (client: SessionServerClient) =>
  client.messages.map(({ role, content }) => `${role}: ${content}`)

test('a session that is not there is begun by the first message, hears each word, and is talked with', async () => {
  app = await startTalkingApp(inOrder(say('Hello there.'), say('Once more.')))
  if (!app) return
  const client = subscribe(app, '7b64a89c-b2ec-4673-98a2-71719ae5e31d')
  await client.until(({ isConnected }) => isConnected)
  client.sendMessage('Please begin')
  await client.until((one) => shown(one).includes('assistant: Hello there.'))
  const events = client.raw.filter(({ type }) => type === 'stream_event').map(({ event }) => event?.type)
  expect(events).toContain('content_block_delta')
  expect(events.at(-1)).toBe('message_stop')
  expect(client.raw.filter(({ type }) => type === 'typing').length).toBeGreaterThan(0)
  client.sendMessage('Go on')
  await client.until((one) => shown(one).includes('assistant: Once more.'))
  expect(client.errors).toEqual([])
  expect(app.api.requests.filter(({ main }) => main)).toHaveLength(2)
  client.close()
})

test('a conversation that the person began is followed and written to', async () => {
  app = await startTalkingApp(inOrder(say('One.'), say('Two.')))
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'first')
  await talk.rests()
  const client = subscribe(app, talk.state?.session ?? '')
  await client.until((one) => shown(one).includes('assistant: One.'))
  client.sendMessage('second')
  await talk.until('the answer', ({ said }) => said.includes('reply: Two.'))
  await client.until((one) => shown(one).includes('assistant: Two.'))
  await talk.rests(2)
  // What ended is begun again by the next message.
  await talk.page.call('conversation.end', { id: talk.id })
  await talk.until('its end', ({ state }) => state?.process.phase === 'ended')
  client.sendMessage('third')
  await talk.until('it runs again', ({ said }) => said.includes('prompt: third'))
  await talk.rests(3)
  expect(client.errors).toEqual([])
  client.close()
})
