import { lookup } from 'node:dns/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from '@playwright/test'

test.skip(
  process.env['GREENLIGHT_NETWORK'] !== 'none',
  'this run is not in a network namespace (npm test makes one where the system allows it)',
)

/** An address that is reserved for examples: nobody answers there, but where there is a network packets go out. */
const outside = '192.0.2.1'

test('a run without a network has loopback and nothing else', async ({ context }) => {
  const code = await new Promise((resolve) => {
    connect(443, outside)
      .once('connect', () => resolve('connected'))
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  expect(code).toBe('ENETUNREACH')
  await expect(lookup('example.com')).rejects.toThrow()
  const far = await context.newPage()
  await expect(far.goto(`http://${outside}/`)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED|UNREACHABLE/)

  // A page of its own: the other one is still on its way to Chromium's page for errors.
  const page = await context.newPage()
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await expect(page.getByText('here')).toBeVisible()
  server.closeAllConnections()
  server.close()
})
