import { expect, it } from 'vitest'
import { z } from 'zod'
import { HostedMcp } from './hosted-mcp'
import { describeServer } from './mcp-methods'
import { defineTool, textResult } from './mcp-tool'

let letGo: () => void = () => undefined
const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  run: ({ text }, { name }: { name: string }) => textResult(`${name}: ${text}`),
})
const wait = defineTool({
  name: 'wait',
  description: 'Waits.',
  input: z.object({}),
  run: (_args, _context: { name: string }) =>
    new Promise((resolve) => (letGo = () => resolve(textResult('late')))),
})
const start = () =>
  new HostedMcp({
    methods: describeServer({ name: 'Test', version: '1', tools: [echo, wait] }),
    context: { name: 'here' },
  })
const ask = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })

it('answers each message with its own answer, and notifications with none', async () => {
  const hosted = start()
  const hello = await hosted.answer(ask(0, 'initialize', { protocolVersion: '2025-11-25' }))
  expect(hello).toMatchObject({ id: 0, result: { serverInfo: { name: 'Test' } } })
  expect(await hosted.answer({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(null)
  const said = { name: 'echo', arguments: { text: 'hi' } }
  expect(await hosted.answer(ask(1, 'tools/call', said))).toEqual({
    ...{ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'here: hi' }] } },
  })
  expect(await hosted.answer(ask(2, 'tools/call', { name: 'none' }))).toMatchObject({ id: 2, error: {} })
  expect(await hosted.answer('nonsense')).toMatchObject({ error: { code: -32600 } })
})

it('lets go of a call that is cancelled, and of all at its end', async () => {
  const hosted = start()
  const cancelled = hosted.answer(ask(1, 'tools/call', { name: 'wait' }))
  await hosted.answer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(await cancelled).toBe(null)
  const left = hosted.answer(ask(2, 'tools/call', { name: 'wait' }))
  hosted.dispose()
  expect(await left).toBe(null)
  letGo()
  expect(await hosted.answer(ask(3, 'ping'))).toBe(null)
})
