import { open, truncate, type FileHandle } from 'node:fs/promises'
import { privateFileMode } from '../platform/file-modes'

/** A file of texts that is written on from a place; what stands behind that is cut off. */
export class AppendedFile {
  readonly #file: FileHandle
  #waiting: string[] = []
  #waitingLength = 0
  bytes: number

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.bytes = bytes
  }

  static async open(path: string, bytes: number): Promise<AppendedFile> {
    if (bytes > 0) await truncate(path, bytes)
    return new AppendedFile(await open(path, bytes > 0 ? 'r+' : 'w', privateFileMode), bytes)
  }

  add(text: string): void {
    this.#waiting.push(text)
    this.#waitingLength += text.length
  }

  /** Writes what has been gathered, if it is so much. */
  async flush(least = 1): Promise<void> {
    if (this.#waitingLength < least) return
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#waitingLength = 0
    let done = 0
    while (done < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.bytes + done)
      done += bytesWritten
    }
    this.bytes += bytes.length
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
