import { type Done, fail, succeed } from '../../../shared/result'
import { type Disposable, Emitter } from '../../../shared/lifetime'

/** A command that waits until all of its files have been closed. */
export interface FileWait extends Disposable {
  /** `ok` once the person has closed all of them; a failure if nobody will any more. Never rejects. */
  readonly ended: Promise<Done>
}

interface Waiting {
  readonly open: Set<string>
  end(done: Done): void
}

const windowGone = fail(
  'window-gone',
  'The window was closed before the file was. Your unsaved text is kept.',
)

/** The open files of a window that commands wait for. Paths are real ones. */
export class FileWaits implements Disposable {
  readonly #waiting = new Set<Waiting>()
  readonly #changed = new Emitter<void>()
  readonly #came = new Emitter<string>()
  #over = false
  /** The set of files waited for has changed. */
  readonly onChange = this.#changed.on
  /** A new command wants this file brought to the front. */
  readonly onCame = this.#came.on

  /**
   * Waits until none of the files is open. Dispose of the result when the command is gone. If the window was closed
   * meanwhile, the wait has already ended.
   */
  add(paths: readonly string[]): FileWait {
    if (this.#over) return { ended: Promise.resolve(windowGone), dispose: () => undefined }
    let settle: (done: Done) => void = () => undefined
    const ended = new Promise<Done>((resolve) => (settle = resolve))
    const waiting: Waiting = {
      open: new Set(paths),
      end: (done) => {
        if (!this.#waiting.delete(waiting)) return
        settle(done)
        this.#changed.emit()
      },
    }
    this.#waiting.add(waiting)
    this.#changed.emit()
    return { ended, dispose: () => waiting.end(fail('gone', 'The command has ended.')) }
  }

  /** Asks for a new command's file to be brought to the front. */
  bringUp(path: string): void {
    this.#came.emit(path)
  }

  /** Whether a command waits for this file. */
  has(path: string): boolean {
    return [...this.#waiting].some(({ open }) => open.has(path))
  }

  /** An open file was moved; commands keep waiting for it. */
  rename(path: string, to: string): void {
    for (const { open } of this.#waiting) if (open.delete(path)) open.add(to)
  }

  /** Ends the waits for files that are no longer open. */
  follow(isOpen: (path: string) => boolean): void {
    for (const waiting of [...this.#waiting]) {
      const before = waiting.open.size
      for (const path of [...waiting.open]) if (!isOpen(path)) waiting.open.delete(path)
      if (waiting.open.size === 0) waiting.end(succeed({}))
      else if (waiting.open.size < before) this.#changed.emit()
    }
  }

  /** Nobody will close these files any more. */
  dispose(): void {
    this.#over = true
    for (const waiting of [...this.#waiting]) waiting.end(windowGone)
    this.#changed.dispose()
    this.#came.dispose()
  }
}
