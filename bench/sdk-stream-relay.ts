import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** Stands in for Claude Code: says what comes by a socket of the benchmark, and answers whatever it is asked. */
const isOnlyLookedAt = process.argv.some((word) => word === '--version' || word === '--help')
if (isOnlyLookedAt) process.exit(0)
const socket = connect(Number(process.env['BENCH_RELAY_PORT']), '127.0.0.1')
socket.setNoDelay(true)
socket.pipe(process.stdout)
socket.on('error', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { type, request_id } = JSON.parse(line) as { type: string; request_id?: string }
    if (type !== 'control_request') return
    const response = { subtype: 'success', request_id, response: { hook_on_failure_supported: true } }
    process.stdout.write(`${JSON.stringify({ type: 'control_response', response })}\n`)
  })
  .on('close', () => process.exit(0))
