import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { claudeTools } from '../src/main/protocols/claude-ide/tools'

/** A process of its own with the limit: ws and JSON and nothing else. */

interface Message {
  id?: number
  method?: string
  params?: { name?: string; arguments?: { tab_name?: string; uri?: string } }
}

const refusal = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Not a call.' } })

/** A call or a notification; undefined where it is none. */
function read(data: Buffer): Message | undefined {
  try {
    const value = JSON.parse(data.toString()) as Message
    const isWhole = value.params?.name !== 'openDiff' || value.params.arguments !== undefined
    return typeof value.method === 'string' && isWhole ? value : undefined
  } catch {
    return undefined
  }
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'mcp' })
const tools = claudeTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
server.on('connection', (socket) => {
  let open: number | undefined
  socket.on('message', (data: Buffer) => {
    const message = read(data)
    if (message === undefined) return socket.send(refusal)
    const { id, method, params } = message
    if (id === undefined) return
    const answer = (result: unknown, to = id): void =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: to, result }))
    const text = (value: string, to = id): void => answer({ content: [{ type: 'text', text: value }] }, to)
    if (method === 'initialize') {
      const serverInfo = { name: 'limit', version: '0' }
      answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
    } else if (method === 'tools/list') answer({ tools })
    else if (params?.name === 'openDiff') open = id
    else if (params?.name === 'close_tab') {
      text('TAB_CLOSED')
      if (open !== undefined) text('DIFF_REJECTED', open)
    } else text(JSON.stringify([{ uri: params?.arguments?.uri, diagnostics: [] }]))
  })
})
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as AddressInfo
process.on('disconnect', () => process.exit(0))
process.send?.({ port, token: '' })
