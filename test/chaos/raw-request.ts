import { connect } from 'node:net'

/** After so many milliseconds, what has come counts as the whole answer. */
const patience = 5_000

/** Sends bytes as they are and gives what came back, as Latin-1; empty if nothing did or nobody listens. */
export function sendRaw(port: number, bytes: string | Buffer, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect({ port, host })
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(heard)
    }
    const timer = setTimeout(end, patience)
    socket.on('data', (data: Buffer) => {
      heard += data.toString('latin1')
      // An upgraded connection stays open.
      if (heard.startsWith('HTTP/1.1 101')) end()
    })
    socket.on('error', () => undefined)
    socket.on('close', end)
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

/** A request as text. Headers are sent as given, duplicates included; the connection is closed afterwards. */
export function requestText(
  line: string,
  headers: readonly (readonly [name: string, value: string])[],
  body = '',
): string {
  const all = [...headers, ['Connection', isUpgrade(headers) ? 'Upgrade' : 'close'] as const]
  return `${line}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

const isUpgrade = (headers: readonly (readonly [string, string])[]): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'upgrade')

/** The status of each response in what came back. */
export function statusesOf(heard: string): number[] {
  return [...heard.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status))
}
