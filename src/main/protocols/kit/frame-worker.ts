import { isUtf8 } from 'node:buffer'
import { parseJson } from '../../../shared/json'
import { runTasks } from '../../core/workers/worker-task'

/** Parses frames that are too large to be parsed where everyone waits. JSON is UTF-8 (RFC 8259) or it is not JSON. */
runTasks<Uint8Array, unknown>((bytes) =>
  isUtf8(bytes)
    ? parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    : undefined,
)
