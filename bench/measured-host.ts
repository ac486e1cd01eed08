import type { ChildProcess } from 'node:child_process'

/** The address in the ready line of a host that was just started; rejects when it ends before. */
export function readUrl(host: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    host.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const end = text.indexOf('\n')
      if (end >= 0) resolve((JSON.parse(text.slice(0, end)) as { url: string }).url)
    })
    host.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
  })
}

/** Ends a host; resolves when it is gone and its output is read. */
export async function endHost(host: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => host.once('close', resolve))
  host.kill('SIGTERM')
  await ended
}
