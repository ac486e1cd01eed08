import { once } from 'node:events'
import { printRecord } from '../app/wiring/print-record'
import { errandTargetOf } from './errands'
import type { RecordArguments } from './record-arguments'

/** Prints the record of writes to stdout, as far as it is read there. */
export async function runRecord({ path, output, dataDir }: RecordArguments): Promise<void> {
  const { dataDirectory } = errandTargetOf(dataDir, process.env)
  let isRead = true
  process.stdout.on('error', () => (isRead = false))
  for await (const line of printRecord(dataDirectory, path, output)) {
    if (!isRead) return
    if (!process.stdout.write(`${line}\n`)) {
      const waiting = new AbortController()
      const { signal } = waiting
      await Promise.race([
        once(process.stdout, 'drain', { signal }),
        once(process.stdout, 'close', { signal }),
      ]).catch(() => undefined)
      waiting.abort()
    }
  }
}
