import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a hook's call costs at least: a process of its own with node:http and JSON, which allows everything. */
const allowed = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { hook_event_name } = JSON.parse(Buffer.concat(chunks).toString()) as { hook_event_name: string }
    const text = hook_event_name === 'PreToolUse' ? allowed : '{}'
    const length = Buffer.byteLength(text)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(text)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
