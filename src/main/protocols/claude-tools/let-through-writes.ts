import { basename } from 'node:path'
import type { Origin } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { systemCode } from '../../core/files/file-failure'
import type { ExpectedWrite } from '../../core/files/ledger'
import { resolveRealPath } from '../../core/files/real-path'
import { readIfShort } from '../../core/files/regular-file'
import type { Receipt, Unquestioned } from '../../core/review/receipts'
import { type EditTool, proposedBy } from '../claude-tools/edit-tools'
import { type CallOf, keyOf } from './hook-wire'
import type { HookPorts } from './ports'
import { dropOldest } from '../../../shared/drop-oldest'

/** A write that may be let through, with what is needed to put it back. */
export interface PreparedWrite {
  receipt: Omit<Receipt, 'after' | 'at' | 'by'>
  /** Null where only the tool itself knows what it will write. */
  expected: ExpectedWrite | null
}

interface LetThrough extends PreparedWrite {
  by: Unquestioned
}

/** A file with more bytes couldn't be put back. */
const longest = 8 * 1024 * 1024
const mostRemembered = 500

/** The writes that nobody is asked about: each gets a receipt once the tool has made it. */
export class LetThroughWrites {
  readonly #ports: Pick<HookPorts, 'review' | 'ledger'>
  readonly #begun = new Map<string, LetThrough>()

  constructor(ports: Pick<HookPorts, 'review' | 'ledger'>) {
    this.#ports = ports
  }

  /** Looks at what a call is going to change; null where that couldn't be put back. */
  async prepare(
    tool: EditTool,
    call: CallOf<'PreToolUse'>,
    path: string,
    origin: Origin,
  ): Promise<PreparedWrite | null> {
    const realPath = await resolveRealPath(path)
    const before = await bytesOf(realPath)
    if (before === undefined) return null
    const proposal = proposedBy(tool, call.tool_input, before === null ? null : before.toString('utf8'))
    return {
      receipt: {
        ...{ origin, path, realPath, before, title: `${tool} ${basename(path)}` },
        turn: call.prompt_id ?? null,
      },
      expected: proposal.ok ? { path: realPath, hash: hashContent(proposal.value.proposed) } : null,
    }
  }

  /** The call is about to run, by a rule, which agrees to it, or as its mode has it. */
  begin(call: CallOf<'PreToolUse'>, write: PreparedWrite, by: Unquestioned): void {
    const expected = by.kind === 'rule' ? write.expected : null
    if (expected) this.#ports.ledger.expect(expected)
    this.#begun.set(keyOf(call), { ...write, expected, by })
    dropOldest(this.#begun, mostRemembered)
  }

  /** A call has run, or failed. Resolves when its receipt is kept. */
  async end(call: CallOf<'PostToolUse'> | CallOf<'PostToolUseFailure'>): Promise<void> {
    const key = keyOf(call)
    const begun = this.#begun.get(key)
    if (!begun) return
    this.#begun.delete(key)
    const { receipt, expected, by } = begun
    if (call.hook_event_name === 'PostToolUseFailure') {
      if (expected) this.#ports.ledger.cancel(expected)
      return
    }
    const after = await bytesOf(receipt.realPath)
    if (after === undefined) return
    await this.#ports.review.receive({ ...receipt, after, by, at: Date.now() })
  }
}

/** What a path holds; null for no file, undefined for what can't be kept. */
async function bytesOf(path: string): Promise<Buffer | null | undefined> {
  try {
    return await readIfShort(path, longest)
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : undefined
  }
}
