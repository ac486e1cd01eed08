import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { Talk } from '../talk'
import { startTalkingApp, type TalkingApp } from './claude-talk'
import { say, use } from './messages-api'

/** The model of a conversation without a terminal uses the editor's own tools. */
vi.setConfig({ testTimeout: 60_000 })
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
})

test.each(['default', 'plan'])(
  'opens a file and asks for diagnostics, without a question, in mode %s',
  async (mode) => {
    app = await startTalkingApp()
    if (!app) return
    const { window, api, place } = app
    const path = join(place.project, 'app.txt')
    const uri = pathToFileURL(path).href
    writeFileSync(path, 'one\ntwo\n')
    const replies = [
      use({ name: 'mcp__greenlight__openFile', input: { filePath: path, startText: 'two' } }),
      use({ name: 'mcp__greenlight__getDiagnostics', input: { uri } }),
      use({ name: 'mcp__greenlight__openFile', input: { filePath: 'relative' } }),
      say('done'),
    ]
    api.setScript((request) => (request.main ? (replies[request.turn] ?? say('ok')) : say('ok')))
    const talk = await Talk.begin(window, { permissionMode: mode }, 'open it')
    await talk.until('the last word', ({ said }) => said.includes('reply: done'))
    expect(window.tabs.findFile(path)).toBeDefined()
    expect(api.requests.filter(({ main }) => main).flatMap(({ results }) => results)).toMatchObject([
      { text: `Opened file: ${path}`, isError: false },
      { text: JSON.stringify([{ uri, diagnostics: [] }]), isError: false },
      { text: expect.stringContaining('openFile needs an absolute path.') as string, isError: true },
    ])
    expect(talk.calls.map(({ state }) => state)).toEqual(['done', 'done', 'failed'])
    expect(window.parts.approvals.list()).toEqual([])
    await talk.until('the server among its servers', ({ state }) =>
      state?.parts.find(({ id }) => id === 'mcp')?.entries.some(({ name }) => name === 'greenlight'),
    )
    expect(app.faults).toEqual([])
  },
)
