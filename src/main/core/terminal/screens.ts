import { Worker } from 'node:worker_threads'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { ScreenImage } from './screen'
import screenWorker from './screen-worker?modulePath'
import type { FromScreens, ToScreens } from './screen-messages'

/** Output for a screen is joined for this many milliseconds: nobody waits for it, and each message wakes a thread. */
const feedMs = 8

/** Texts on their way to a screen, and their length in UTF-8. */
interface WaitingOutput {
  texts: string[]
  bytes: number
}

/** What a terminal's screen reports. `taken` counts bytes that the screen has dealt with. */
export type ScreenNews = Extract<FromScreens, { id: string }>

/**
 * The screens of a window's terminals, in one worker thread that starts with the first terminal. Calls for one terminal
 * take effect in order.
 */
export class Screens implements Disposable {
  readonly #news = new Emitter<ScreenNews>()
  #worker: Worker | null = null
  #nextRequest = 1
  readonly #requests = new Map<number, (answer: FromScreens | null) => void>()
  /**
   * Output not yet given to the worker. A terminal's entry stays until it is closed: a Map that is emptied every few
   * milliseconds keeps what it held alive (V8 links its old tables), and collecting that delays echoes.
   */
  readonly #output = new Map<string, WaitingOutput>()
  #feeding: ReturnType<typeof setTimeout> | null = null
  readonly #broken = new Emitter<unknown>()
  #isOver = false

  readonly onNews = this.#news.on
  /** The worker failed and every screen is gone; screens opened from now on use a new one. */
  readonly onBroken = this.#broken.on

  open(id: string, columns: number, rows: number): void {
    this.#tell({ kind: 'open', id, columns, rows })
  }

  /** Returns how many bytes that is, as `taken` counts them. */
  feed(id: string, output: string): number {
    if (this.#isOver) return 0
    const length = Buffer.byteLength(output)
    let waiting = this.#output.get(id)
    if (!waiting) this.#output.set(id, (waiting = { texts: [], bytes: 0 }))
    waiting.texts.push(output)
    waiting.bytes += length
    this.#feeding ??= setTimeout(() => this.#feedAll(), feedMs)
    return length
  }

  resize(id: string, columns: number, rows: number): void {
    this.#tell({ kind: 'resize', id, columns, rows })
  }

  close(id: string): void {
    if (this.#worker) this.#tell({ kind: 'close', id })
    this.#output.delete(id)
  }

  /** The screen with all output fed before; null if there is none. */
  async image(id: string): Promise<ScreenImage | null> {
    const answer = await this.#ask((request) => ({ kind: 'image', id, request }))
    return answer?.kind === 'image' ? answer.image : null
  }

  /** Whether the program has turned on bracketed paste. */
  async takesPaste(id: string): Promise<boolean> {
    const answer = await this.#ask((request) => ({ kind: 'takesPaste', id, request }))
    return answer?.kind === 'takesPaste' && answer.takes
  }

  /** From now on there are no screens: nothing is kept, and requests get null. */
  giveUp(): void {
    this.#isOver = true
    if (this.#feeding) clearTimeout(this.#feeding)
    this.#output.clear()
    const worker = this.#worker
    this.#worker = null
    void worker?.terminate()
    this.#abandon()
  }

  dispose(): void {
    this.#news.dispose()
    this.#broken.dispose()
    this.giveUp()
  }

  #ask(make: (request: number) => ToScreens): Promise<FromScreens | null> {
    if (this.#isOver) return Promise.resolve(null)
    const request = this.#nextRequest++
    return new Promise((resolve) => {
      this.#requests.set(request, resolve)
      this.#tell(make(request))
    })
  }

  #feedAll(): void {
    if (this.#feeding) clearTimeout(this.#feeding)
    this.#feeding = null
    for (const [id, waiting] of this.#output) {
      if (waiting.bytes === 0) continue
      const output = encoded(waiting)
      waiting.texts = []
      waiting.bytes = 0
      this.#post({ kind: 'feed', id, output }, [output.buffer])
    }
  }

  #tell(message: ToScreens): void {
    // Calls take effect in order.
    if (this.#feeding) this.#feedAll()
    this.#post(message)
  }

  #post(message: ToScreens, given: ArrayBuffer[] = []): void {
    if (this.#isOver) return
    this.#worker ??= this.#start()
    this.#worker.postMessage(message, given)
  }

  #start(): Worker {
    const worker = new Worker(screenWorker, { name: 'terminal-screens' })
    worker.on('message', (message: FromScreens) => {
      if ('id' in message) return this.#news.emit(message)
      this.#requests.get(message.request)?.(message)
      this.#requests.delete(message.request)
    })
    worker.on('error', (error) => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#abandon()
      this.#broken.emit(error)
    })
    return worker
  }

  #abandon(): void {
    for (const resolve of this.#requests.values()) resolve(null)
    this.#requests.clear()
  }
}

/** Texts as UTF-8 in their own memory, which can be transferred to another thread. */
function encoded({ texts, bytes }: WaitingOutput): Uint8Array<ArrayBuffer> {
  const output = Buffer.from(new ArrayBuffer(bytes))
  let at = 0
  for (const text of texts) at += output.write(text, at)
  return output
}
