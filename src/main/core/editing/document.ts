import type { ChangeSet, Text } from '@codemirror/state'
import type { DocumentMeta } from '../../../shared/contract/documents'
import { changesBetween } from '../../../shared/text/line-diff'
import {
  adoptLineEnds,
  canEncode,
  encodeText,
  restoreText,
  toText,
  type TextFacts,
} from '../../../shared/text/text-facts'
import { markConflicts, mergeThreeWay } from '../files/three-way-merge'
import type { Unsaved } from './backup-file'
import type { Format } from './text-format'
import { VersionedText, type PushStatus, type WireUpdate } from './versioned-text'

/** A text as it is on disk. `hash` is null if there is no file. */
export interface DiskText {
  text: Text
  facts: TextFacts
  hash: string | null
}

/** How a conflict ends: our text stays, the disk's replaces it, or the two are merged. */
export type Resolution = 'keep-mine' | 'take-disk' | 'merge'

/**
 * The host's text of one open file, without any access to the disk: what pages type, what the disk was seen to hold,
 * and how the two fit together. Each method leaves it consistent; the caller announces the change.
 */
export class TextDocument {
  readonly #versions: VersionedText
  /** What a revert returns to, and what a save may overwrite. */
  #disk: DiskText
  /** What the disk holds, while that conflicts with the text. */
  #theirs: DiskText | undefined
  #state: DocumentMeta['disk'] = 'same'
  /** How to write the text, if somebody chose otherwise than the disk has it. */
  #format: Format = {}
  readOnly: boolean

  /** `startVersion` and `clients` continue those of earlier documents of this path. */
  constructor(disk: DiskText, readOnly: boolean, startVersion: number, clients: ReadonlyMap<string, number>) {
    this.#disk = disk
    this.readOnly = readOnly
    this.#versions = new VersionedText(disk.text, startVersion, clients)
  }

  get text(): Text {
    return this.#versions.text
  }
  get version(): number {
    return this.#versions.version
  }
  get facts(): TextFacts {
    return { ...this.#disk.facts, ...this.#format }
  }
  get diskHash(): string | null {
    return this.#disk.hash
  }
  get state(): DocumentMeta['disk'] {
    return this.#state
  }
  /** Whether anything here, text or format, differs from the disk as last seen. */
  get dirty(): boolean {
    return this.#isReformatted || !this.#versions.text.eq(this.#disk.text)
  }
  get #isReformatted(): boolean {
    const { eol, encoding, bom } = this.#disk.facts
    const now = this.facts
    return now.eol !== eol || now.encoding !== encoding || now.bom !== bom
  }
  get history(): VersionedText {
    return this.#versions
  }

  push(version: number, updates: readonly WireUpdate[]): PushStatus {
    return this.#versions.push(version, updates)
  }

  apply(clientID: string, changes: ChangeSet): void {
    this.#versions.apply(clientID, changes)
  }

  /** Changes the format from the next save on. Mixed line endings become one kind. */
  reformat(format: Format): void {
    if (format.eol && this.facts.eol === 'mixed') {
      this.#replace(toText(this.text.toString().replaceAll('\r\n', '\n')))
    }
    this.#format = { ...this.#format, ...format }
  }

  /** Brings back text that wasn't saved before a crash, and its format. The disk may hold something else by now. */
  recover(unsaved: Unsaved): void {
    const now = this.#disk
    this.#replace(unsaved.text)
    this.#format = unsaved.format ?? {}
    if (!this.dirty) {
      this.#format = {}
      return
    }
    if (unsaved.baseHash === now.hash) {
      this.#state = now.hash === null ? 'deleted' : 'recovered'
      return
    }
    this.#disk = { text: unsaved.base, facts: unsaved.facts, hash: unsaved.baseHash }
    this.#state = 'recovered'
    if (now.hash === null) this.loseFile()
    else this.meetDisk(now)
  }

  /** The disk was read. A clean text follows it; a dirty one conflicts with it, unless both say the same. */
  meetDisk(found: DiskText): void {
    if (found.hash === this.#disk.hash) {
      if (this.#state !== 'recovered') this.#state = 'same'
      this.#theirs = undefined
    } else if (!this.dirty) this.#take(found)
    else if (found.text.eq(this.#disk.text) || found.text.eq(this.text)) {
      // Only the format is new, or both came to the same text: nothing to ask.
      this.#settle(found)
    } else {
      this.#theirs = found
      this.#state = 'conflict'
    }
  }

  /** There is no file yet, and none is missed: the first save creates it. */
  beginNew(): void {
    this.#state = 'new'
  }

  /** The file is gone. The text stays, and a save creates the file again. A file that never existed can't be lost. */
  loseFile(): void {
    if (this.#state === 'new') return
    this.#disk = { ...this.#disk, hash: null }
    this.#theirs = undefined
    this.#state = 'deleted'
  }

  /** A save has written `text`. What was typed meanwhile is unsaved. */
  markSaved(text: Text, facts: TextFacts, hash: string): void {
    this.#settle({ text, facts, hash })
    // A format chosen during the write still holds.
    if (!this.#isReformatted) this.#format = {}
  }

  /** The bytes for a save; undefined if the encoding lacks a character of the text. */
  encode(): { text: Text; facts: TextFacts; bytes: Uint8Array } | undefined {
    const { text, facts } = this
    const whole = text.toString()
    return canEncode(whole, facts.encoding) ? { text, facts, bytes: encodeText(whole, facts) } : undefined
  }

  /**
   * Ends a conflict, or settles recovered text. Returns the number of conflicts left in the text, which then hold both
   * versions between markers. Writes nothing.
   */
  resolve(how: Resolution): number {
    const theirs = this.#theirs ?? this.#disk
    switch (how) {
      case 'keep-mine':
        this.#settle(theirs)
        return 0
      case 'take-disk':
        this.#take(theirs)
        return 0
      case 'merge':
        return this.#merge(theirs)
    }
  }

  /** What has to survive a crash, if anything. */
  get unsaved(): Omit<Unsaved, 'path'> | undefined {
    if (!this.dirty) return undefined
    const { text: base, hash: baseHash, facts } = this.#disk
    return { base, baseHash, facts, text: this.text, format: this.#format }
  }

  #merge(theirs: DiskText): number {
    const base = this.#disk
    // The disk's line endings may be different now; lines are compared with our endings.
    const raw = restoreText(theirs.text.toString(), theirs.facts)
    const sameTerms = theirs.facts.eol === base.facts.eol
    const adopted = sameTerms
      ? theirs.text
      : toText(adoptLineEnds({ text: base.text.toString(), facts: base.facts }, raw).text)
    const merge = mergeThreeWay(base.text, this.text, adopted)
    this.#replace(merge.conflicts.length > 0 ? markConflicts(merge, 'Mine', 'On disk') : merge.text)
    this.#settle(sameTerms ? theirs : { ...theirs, text: adopted, facts: base.facts })
    return merge.conflicts.length
  }

  #take(disk: DiskText): void {
    this.#format = {}
    this.#settle(disk)
    this.#replace(disk.text)
  }

  #settle(disk: DiskText): void {
    this.#disk = disk
    this.#theirs = undefined
    if (disk.hash !== null) this.#state = 'same'
    else if (this.#state !== 'new') this.#state = 'deleted'
  }

  /** With the smallest change, so that cursors and marks stay in place. */
  #replace(text: Text): void {
    if (!text.eq(this.text)) this.#versions.apply('host', changesBetween(this.text, text))
  }
}
