import { isUtf8 } from 'node:buffer'
import { runTasks } from '../../core/workers/worker-task'

/** A frame's parsed value, or that it was not JSON. */
export type ParsedFrame = { json: true; value: unknown } | { json: false }

/** Parses frames that are too large to be parsed where everyone waits. JSON is UTF-8 (RFC 8259) or it is not JSON. */
runTasks<Uint8Array, ParsedFrame>((bytes) => {
  if (!isUtf8(bytes)) return { output: { json: false } }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    return { output: { json: true, value: JSON.parse(text) as unknown } }
  } catch {
    return { output: { json: false } }
  }
})
