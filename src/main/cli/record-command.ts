import { once } from 'node:events'
import { printRecord } from '../app/wiring/print-record'
import { defaultDataDirectory, surroundingsOfProcess } from '../core/platform/directories'
import { dataDirectoryVariable } from './errands'
import type { RecordArguments } from './record-arguments'

/** Prints the record of writes to stdout, as far as it is read there. */
export async function runRecord({ path, output, dataDir }: RecordArguments): Promise<void> {
  const directory =
    dataDir ?? (process.env[dataDirectoryVariable] || defaultDataDirectory(surroundingsOfProcess()))
  let isRead = true
  process.stdout.on('error', () => (isRead = false))
  for await (const line of printRecord(directory, path, output)) {
    if (!isRead) return
    if (!process.stdout.write(`${line}\n`)) {
      await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]).catch(
        () => undefined,
      )
    }
  }
}
