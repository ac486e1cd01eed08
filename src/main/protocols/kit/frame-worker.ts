import { isUtf8 } from 'node:buffer'
import { parseJson } from '../../../shared/json'
import { runTasks } from '../../core/workers/worker-task'

/** A frame's parsed value, or that it was not JSON. */
export type ParsedFrame = { json: true; value: unknown } | { json: false }

/** Parses frames that are too large to be parsed where everyone waits. JSON is UTF-8 (RFC 8259) or it is not JSON. */
runTasks<Uint8Array, ParsedFrame>((bytes) => {
  if (!isUtf8(bytes)) return { json: false }
  const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return value === undefined ? { json: false } : { json: true, value }
})
