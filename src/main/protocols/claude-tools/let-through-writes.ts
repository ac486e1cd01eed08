import { basename } from 'node:path'
import type { Origin } from '../../../shared/review/proposal'
import { readDisk } from '../../core/changes/disk-bytes'
import { largest } from '../../core/changes/snapshots'
import { hashContent } from '../../core/files/content-hash'
import { systemCode } from '../../core/files/file-failure'
import type { ExpectedWrite, Ledger } from '../../core/files/ledger'
import { readIfShort } from '../../core/files/regular-file'
import {
  type Held,
  type Receipt,
  type Receipts,
  type Unquestioned,
  isWhole,
  sumOf,
} from '../../core/review/record/receipts'
import { type EditTool, type ToolInput, proposedBy } from './edit-tools'

/** Where writes that nobody is asked about are told. */
export interface LetThroughPorts extends Receipts {
  /** Writes that a rule lets through. */
  ledger: Pick<Ledger, 'expect' | 'cancel'>
}

/** A write that may be let through, with what is needed to put it back, where that can be had. */
export interface PreparedWrite {
  receipt: Omit<Receipt, 'origin' | 'after' | 'at' | 'by'>
  /** Null where only the tool itself knows what it will write. */
  expected: ExpectedWrite | null
}

interface LetThrough extends PreparedWrite {
  origin: Origin
  by: Unquestioned
  /** What the file holds once the call has run. */
  after?: ReturnType<typeof heldAt>
}

/** At most so many calls are remembered until they have run, with so many bytes of former contents; beyond, hashes. */
const bounds = { calls: 500, bytes: 64 * 1024 * 1024 }

/** The writes that nobody is asked about: each gets a receipt once the tool has made it. */
export class LetThroughWrites {
  readonly #ports: LetThroughPorts
  readonly #most: typeof bounds
  readonly #begun = new Map<string, LetThrough>()

  constructor(ports: LetThroughPorts, most = bounds) {
    this.#ports = ports
    this.#most = most
  }

  /** Looks at what a call is going to change; null where that can't be read. */
  async prepare(
    { tool, input }: { tool: EditTool; input: ToolInput },
    { path, realPath }: { path: string; realPath: string },
  ): Promise<PreparedWrite | null> {
    const began = Date.now()
    const before = await heldAt(realPath)
    if (before === undefined) return null
    const proposal = isWhole(before)
      ? proposedBy(tool, input, before && Buffer.from(before).toString('utf8'))
      : null
    return {
      receipt: { realPath, before, began, title: `${tool} ${basename(path)}` },
      expected:
        proposal?.ok && !proposal.value.holds
          ? { path: realPath, hash: hashContent(proposal.value.proposed) }
          : null,
    }
  }

  /** A call is about to run, by a rule, which agrees to it, or as its mode has it. Resolves when there is room for it. */
  async begin(call: string, write: PreparedWrite, origin: Origin, by: Unquestioned): Promise<void> {
    if (by.kind === 'rule' && write.expected) this.#ports.ledger.expect(write.expected)
    this.#begun.set(call, { ...write, origin, by })
    this.#shed()
    for (const [oldest, dropped] of this.#begun) {
      if (this.#begun.size <= this.#most.calls) return
      this.#begun.delete(oldest)
      await this.#tell(dropped, true)
    }
  }

  /** A call has run: begins to look at what it has written, for `ran`. */
  look(call: string): void {
    const begun = this.#begun.get(call)
    if (begun) begun.after ??= heldAt(begun.receipt.realPath)
  }

  /** A call has run. Resolves when its receipt is kept. */
  async ran(call: string): Promise<void> {
    const begun = this.#take(call)
    if (begun) await this.#tell(begun)
  }

  /** A call has failed, or is asked about after all. */
  cancel(call: string): void {
    const begun = this.#take(call)
    if (begun?.by.kind === 'rule' && begun.expected) this.#ports.ledger.cancel(begun.expected)
  }

  /** `ifExpected`: only if the file holds what the call was to write, for it may not have run. */
  async #tell({ receipt, expected, origin, by, ...looked }: LetThrough, ifExpected = false): Promise<void> {
    const after = await (looked.after ?? heldAt(receipt.realPath))
    if (after === undefined) return
    if (ifExpected && (after === null || sumOf(after).hash !== expected?.hash)) return
    await this.#ports.receive({ ...receipt, origin, after, by, at: Date.now() })
  }

  /** Of the oldest only hashes stay. */
  #shed(): void {
    const sizeOf = ({ receipt: { before } }: LetThrough) => (before instanceof Uint8Array ? before.length : 0)
    let bytes = [...this.#begun.values()].reduce((sum, one) => sum + sizeOf(one), 0)
    for (const one of this.#begun.values()) {
      if (bytes <= this.#most.bytes) return
      bytes -= sizeOf(one)
      const { before } = one.receipt
      if (before instanceof Uint8Array) one.receipt = { ...one.receipt, before: sumOf(before) }
    }
  }

  #take(call: string): LetThrough | undefined {
    const begun = this.#begun.get(call)
    this.#begun.delete(call)
    return begun
  }
}

/** What a path holds, of a large file only its sum; undefined for what can't be read. */
async function heldAt(path: string): Promise<Held | undefined> {
  try {
    // Each question to the file system is a chance to wait, and most files are short.
    const bytes = await readIfShort(path, largest)
    if (bytes) return bytes
    const disk = await readDisk(path)
    if (disk.kind === 'large') return { hash: disk.hash, size: disk.size }
    return disk.kind === 'file' ? disk.bytes : undefined
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : undefined
  }
}
