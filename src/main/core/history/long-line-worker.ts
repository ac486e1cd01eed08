import { closeSync } from 'node:fs'
import { readStretchSync } from '../files/file-pieces'
import { openToReadSync } from '../files/regular-file'
import { runTasks } from '../workers/worker-task'
import { parseLine } from './session-line'
import { shorten } from './shortened-record'

/** A line that is too long to be read with the others. */
export interface LongLineTask {
  path: string
  offset: number
  bytes: number
}

/** The parsed line with its longest texts cut; if it isn't JSON, undefined and its beginning. */
export interface LongLineAnswer {
  record: unknown
  head: string
}

/** How much is shown of a line that can't be parsed, in bytes. */
const headBytes = 2000

runTasks<LongLineTask, LongLineAnswer>(({ path, offset, bytes }) => {
  const file = openToReadSync(path)
  try {
    const raw = readStretchSync(file, offset, offset + bytes)
    const record = raw.length < bytes ? undefined : parseLine(raw, offset)
    if (record !== undefined) return { record: shorten(record), head: '' }
    return { record: undefined, head: raw.toString('utf8', 0, headBytes).slice(0, 500) }
  } finally {
    closeSync(file)
  }
})
