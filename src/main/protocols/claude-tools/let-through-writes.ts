import { basename } from 'node:path'
import { dropOldest } from '../../../shared/drop-oldest'
import type { Origin } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { systemCode } from '../../core/files/file-failure'
import type { ExpectedWrite, Ledger } from '../../core/files/ledger'
import { resolveRealPath } from '../../core/files/real-path'
import { readIfShort } from '../../core/files/regular-file'
import type { Receipt, Receipts, Unquestioned } from '../../core/review/record/receipts'
import { type EditTool, type ToolInput, proposedBy } from './edit-tools'

/** Where writes that nobody is asked about are told. */
export interface LetThroughPorts extends Receipts {
  /** Writes that a rule lets through. */
  ledger: Pick<Ledger, 'expect' | 'cancel'>
}

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
  readonly #ports: LetThroughPorts
  readonly #begun = new Map<string, LetThrough>()

  constructor(ports: LetThroughPorts) {
    this.#ports = ports
  }

  /** Looks at what a call is going to change; null where that couldn't be put back. */
  async prepare(
    { tool, input, origin }: { tool: EditTool; input: ToolInput; origin: Origin },
    path: string,
  ): Promise<PreparedWrite | null> {
    const realPath = await resolveRealPath(path)
    const before = await bytesOf(realPath)
    if (before === undefined) return null
    const proposal = proposedBy(tool, input, before === null ? null : before.toString('utf8'))
    return {
      receipt: { origin, realPath, before, title: `${tool} ${basename(path)}` },
      expected:
        proposal.ok && !proposal.value.holds
          ? { path: realPath, hash: hashContent(proposal.value.proposed) }
          : null,
    }
  }

  /** A call is about to run, by a rule, which agrees to it, or as its mode has it. */
  begin(call: string, write: PreparedWrite, by: Unquestioned): void {
    const expected = by.kind === 'rule' ? write.expected : null
    if (expected) this.#ports.ledger.expect(expected)
    this.#begun.set(call, { ...write, expected, by })
    dropOldest(this.#begun, mostRemembered)
  }

  /** A call has run. Resolves when its receipt is kept. */
  async ran(call: string): Promise<void> {
    const begun = this.#take(call)
    const after = begun && (await bytesOf(begun.receipt.realPath))
    if (!begun || after === undefined) return
    await this.#ports.receive({ ...begun.receipt, after, by: begun.by, at: Date.now() })
  }

  /** A call has failed, or is asked about after all. */
  cancel(call: string): void {
    const expected = this.#take(call)?.expected
    if (expected) this.#ports.ledger.cancel(expected)
  }

  #take(call: string): LetThrough | undefined {
    const begun = this.#begun.get(call)
    this.#begun.delete(call)
    return begun
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
