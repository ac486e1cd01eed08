import { basename } from 'node:path'
import { type Done, fail, succeed } from '../../../shared/result'
import { SessionTranscript } from '../../../shared/conversation/session-transcript'
import { readFileChange } from '../../../shared/conversation/tool-change'
import { decodeText } from '../../../shared/text/text-facts'
import { type ToolCall, toolsOf } from '../../../shared/conversation/transcript'
import type { FileSwapper } from '../../core/files/compare-and-swap'
import { hashContent } from '../../core/files/content-hash'
import type { Ledger } from '../../core/files/ledger'
import { readFile } from '../../core/files/read-file'
import { resolveRealPath } from '../../core/files/real-path'
import type { SessionFile } from '../../core/history/session-file'

/** The call is looked for in so many messages before its result. */
const lookedThrough = 200

/** A recorded change: the tool's call, and the line that its result stands in. */
interface RecordedChange {
  call: string
  offset: number
}

/**
 * Puts a file back to what it was before a recorded change, if it is still what the agent left. What is written is
 * taken from the record on disk, never from who asks.
 */
export async function restoreChange(
  session: SessionFile,
  change: RecordedChange,
  { swapper, ledger }: { swapper: FileSwapper; ledger: Ledger },
): Promise<Done> {
  const call = await findCall(session, change)
  const found = call && readFileChange(call)
  if (!found) return fail('unknown', 'The session doesn’t record this change, so it can’t be put back.')
  const name = basename(found.path)
  if (!found.whole) {
    return fail('partial', `The session doesn’t record all of the old ${name}, so it can’t be put back.`)
  }
  const { before, after } = found.whole
  if (before === null) {
    return fail('new-file', `This change created ${name}. Delete it in the file tree if you don’t want it.`)
  }
  const path = await resolveRealPath(found.path)
  let raw = Buffer.alloc(0)
  const disk = await readFile(path, {
    decode: (bytes) => {
      raw = Buffer.from(bytes)
      return decodeText(bytes)
    },
  })
  if (!disk.ok) return disk
  const bytes = disk.value.kind === 'absent' ? null : restoredBytes(raw, before, after)
  if (disk.value.kind === 'absent' || bytes === null) {
    return fail(
      'changed',
      `${name} has changed since the agent wrote it, so it wasn’t put back. Open it and edit it by hand.`,
    )
  }
  const write = { path, hash: hashContent(bytes) }
  ledger.expect(write)
  const swapped = await swapper.swap(path, disk.value.hash, bytes)
  if (swapped.ok) return succeed({})
  ledger.cancel(write)
  return fail(swapped.failure.code, swapped.failure.message)
}

/** A tool's call with its result; null where they do not stand whole in the record. */
async function findCall(session: SessionFile, { call, offset }: RecordedChange): Promise<ToolCall | null> {
  const result = await session.readFrom(offset, 1)
  const [line] = result.ok ? result.value.lines : []
  if (!line || line.offset !== offset) return null
  const before = await session.readBefore(offset, lookedThrough)
  if (!before.ok) return null
  const transcript = new SessionTranscript()
  transcript.add([...before.value.lines, line])
  for (const item of transcript.items()) {
    const found = item.kind === 'reply' ? toolsOf(item.blocks).find(({ id }) => id === call) : undefined
    // What was cut on its way is not what was written.
    if (found) return line.flaw === undefined && !isCut(before.value.lines, item.offset) ? found : null
  }
  return null
}

function isCut(lines: readonly { offset: number; flaw?: string | undefined }[], offset: number): boolean {
  return lines.some((line) => line.offset >= offset && line.flaw === 'shortened')
}

/**
 * The text before the change in the form that the file has: the record has neither its line ends nor its byte order
 * mark. Null where the file is not what the change left.
 */
export function restoredBytes(disk: Buffer, before: string, after: string): Buffer | null {
  const text = disk.toString('utf8')
  if (!Buffer.from(text).equals(disk)) return null
  const mark = text.startsWith('\ufeff') && !after.startsWith('\ufeff') ? '\ufeff' : ''
  const plain = text.slice(mark.length)
  if (plain === after) return Buffer.from(mark + before)
  // Only where every line end is of the one kind can those of the text before be known.
  const isAllCrlf = !/(^|[^\r])\n/.test(plain)
  if (!isAllCrlf || plain.replaceAll('\r\n', '\n') !== after) return null
  return Buffer.from(mark + before.replaceAll('\n', '\r\n'))
}
