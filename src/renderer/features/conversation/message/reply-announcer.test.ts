import { expect, test } from 'vitest'
import { SessionTranscript } from '../../../../shared/conversation/session-transcript'
import { ReplyAnnouncer } from './reply-announcer'

const user = (uuid: string, parentUuid: string | null, content: unknown) => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
})
const reply = (uuid: string, parentUuid: string, part: unknown) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: { role: 'assistant', id: uuid, content: [part] },
})
const text = (value: string) => ({ type: 'text', text: value })

test('a reply is said once when it is finished, and nothing that was there before or comes in front', () => {
  const made = new SessionTranscript()
  const announcer = new ReplyAnnouncer()
  const hear = (isLoading = false) => announcer.hear(made, 'Claude', isLoading)
  let offset = 1000
  const add = (record: unknown) => made.add([{ offset: offset++, bytes: 1, record }])
  expect(hear(true)).toBeNull()
  add(user('a', null, 'one'))
  add(reply('b', 'a', text('An old answer.')))
  expect(hear()).toBeNull()
  made.add([{ offset: 1, bytes: 1, record: user('x', null, 'earlier') }])
  expect(hear()).toBeNull()

  add(user('c', 'b', 'two'))
  expect(hear()).toBeNull()
  add(reply('d', 'c', { type: 'tool_use', id: 't', name: 'Bash', input: {} }))
  expect(hear()).toBeNull()
  add(user('e', 'd', [{ type: 'tool_result', tool_use_id: 't', content: 'x' }]))
  expect(hear()).toBeNull()
  add(reply('f', 'e', text('Done.')))
  expect(hear()).toBe('Claude: Done.')
  add({ type: 'system', subtype: 'turn_duration', durationMs: 1, uuid: 'g', parentUuid: 'f' })
  expect(hear()).toBeNull()

  add(user('h', 'f', 'three'))
  add(user('i', 'h', [text('[Request interrupted by user]')]))
  expect(hear()).toBe('Claude was interrupted.')
  expect(hear()).toBeNull()
})
