import { runTasks } from '../../core/workers/worker-task'

/** A frame's parsed value, or that it was not JSON. */
export type ParsedFrame = { json: true; value: unknown } | { json: false }

/** Parses frames that are too large to be parsed where everyone waits. Bytes come as UTF-8 that ws has checked. */
runTasks<Uint8Array, ParsedFrame>((bytes) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    return { output: { json: true, value: JSON.parse(text) as unknown } }
  } catch {
    return { output: { json: false } }
  }
})
