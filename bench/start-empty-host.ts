import { disposable } from '../src/shared/lifetime'
import { openPageServer } from '../src/main/headless/page-server'

/** The headless host's page server with nothing behind it, for an empty page. Prints its link. */
const opened = await openPageServer({
  port: null,
  directory: process.argv[2] ?? '',
  window: (id) => (id === 'empty' ? { id, connect: () => disposable(() => undefined) } : undefined),
})
if (!opened.ok) throw new Error(opened.failure.message)
process.stdout.write(`${JSON.stringify({ url: opened.value.mintUrl('empty') })}\n`)
process.on('SIGTERM', () => process.exit(0))
