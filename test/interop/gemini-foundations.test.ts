import { afterEach, describe, expect, it } from 'vitest'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startGeminiApi, type GeminiApi } from './gemini-api'
import { geminiCliVersion, installGeminiCli, installQwenCode, qwenCodeVersion } from './install-cli'

const run = promisify(execFile)
const closing: GeminiApi[] = []
afterEach(async () => {
  for (const api of closing.splice(0)) await api.close()
})

describe('the scripted Gemini API', () => {
  it('streams what the script says, and reads texts, tools and results', async () => {
    const api = await startGeminiApi(({ results }) =>
      results.length > 0 ? { text: 'done' } : { calls: [{ name: 'write_file', args: { a: 1 } }] },
    )
    closing.push(api)
    const post = async (contents: unknown) => {
      const answer = await fetch(`${api.url}/v1beta/models/m:streamGenerateContent?alt=sse`, {
        method: 'POST',
        body: JSON.stringify({ contents, tools: [{ functionDeclarations: [{ name: 'write_file' }] }] }),
      })
      return answer.text()
    }
    const user = { role: 'user', parts: [{ text: 'hello' }] }
    expect(await post([user])).toContain('"functionCall":{"name":"write_file","args":{"a":1}}')
    const model = { role: 'model', parts: [{ functionCall: { name: 'write_file', args: {} } }] }
    const result = {
      role: 'user',
      parts: [{ functionResponse: { name: 'write_file', response: { output: 'written' } } }],
    }
    expect(await post([user, model, result])).toContain('"text":"done"')
    expect(api.requests[1]).toMatchObject({
      main: true,
      tools: ['write_file'],
      results: [{ name: 'write_file', text: 'written' }],
    })
    await expect(api.waitFor(() => false, 1)).rejects.toThrow(/no such request/)
  })
})

describe('the command lines themselves', () => {
  it.for([
    ['Gemini CLI', installGeminiCli, geminiCliVersion],
    ['Qwen Code', installQwenCode, qwenCodeVersion],
  ] as const)(
    'of %s are installed from npm, outside the product, and run',
    { timeout: 300_000 },
    async ([_name, install, version], context) => {
      const cli = await install()
      if ('skipped' in cli) return context.skip(cli.skipped)
      const { stdout } = await run(process.execPath, [cli.path, '--version'])
      expect(stdout).toContain(version)
      expect(await install()).toEqual(cli)
    },
  )
})
