/// <reference path="./node-pty.d.ts" />
import { StringDecoder } from 'node:string_decoder'
import { type IPty, spawn } from 'node-pty'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { keepLastOutput } from './last-output'
import { readNow } from './pty-reader'
import { PtyWriter, writeNow } from './pty-writer'

/**
 * The system gives at most 4 KB at a time, and the stream takes a turn for each. After a piece of at least so many bytes
 * more is likely there: so much of it is read in the same turn.
 */
const muchAtOnce = 2 << 10
const perTurn = 60 << 10

/** A program as it is started in a terminal: everything is resolved. */
export interface PtyStart {
  program: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  columns: number
  rows: number
}

/** How a program ended. `signal` is the number of the signal that ended it, or null. */
export interface PtyEnd {
  code: number
  signal: number | null
}

/**
 * A running program with its terminal. `onOutput` gives whole characters; `onEnd` comes once, after the last output.
 * Its owner ends the processes; disposal only lets go of them.
 */
export class Pty implements Disposable {
  readonly #pty: IPty
  /** Null on Windows, where node-pty's own writing does not block. */
  readonly #writer: PtyWriter | null
  readonly #output = new Emitter<string>()
  readonly #end = new Emitter<PtyEnd>()
  #ended = false
  #paused = false
  /** What is read in one turn, to go out as one. */
  #gathered: string[] | null = null
  readonly #decoder = new StringDecoder('utf8')

  /**
   * `mayReadOn` says whether much may come in one turn now. Throws what the system says when no terminal can be made.
   */
  constructor(start: PtyStart, mayReadOn: () => boolean = () => true) {
    const pty = spawn(start.program, [...start.args], {
      name: 'xterm-256color',
      cols: start.columns,
      rows: start.rows,
      cwd: start.cwd,
      env: start.env,
      // Bytes, for the last of them are read past the stream, in the middle of a character maybe.
      ...(process.platform === 'win32' ? {} : { encoding: null }),
    })
    this.#pty = pty
    const fd = process.platform === 'win32' ? undefined : pty.fd
    // The descriptor's number may belong to another file as soon as the stream is destroyed.
    this.#writer =
      fd === undefined ? null : new PtyWriter((bytes) => (pty._socket?.destroyed ? 0 : writeNow(fd, bytes)))
    pty.onData((data) => {
      if (typeof data === 'string') this.#output.emit(data)
      else if (data.length < muchAtOnce || this.#gathered || !mayReadOn()) this.#decode(data)
      else this.#asOne(() => this.#decode(data), perTurn)
    })
    if (fd !== undefined && pty._socket) keepLastOutput(pty._socket, fd, (bytes) => this.#decode(bytes))
    pty.onExit(({ exitCode, signal }) => {
      this.#ended = true
      this.#writer?.dispose()
      const broken = this.#decoder.end()
      if (broken) this.#output.emit(broken)
      this.#end.emit({ code: exitCode, signal: signal || null })
    })
  }

  readonly onOutput = this.#output.on
  readonly onEnd = this.#end.on

  get pid(): number {
    return this.#pty.pid
  }

  /** Types into the program; what it does not read yet waits. */
  write(text: string): void {
    if (this.#writer) this.#writer.write(text)
    else if (!this.#ended) this.#pty.write(text)
  }

  resize(columns: number, rows: number): void {
    if (this.#ended) return
    try {
      this.#pty.resize(columns, rows)
    } catch {
      // The program has ended and its end has not been told yet.
    }
  }

  /** Reads no more, so that the program has to wait with its output. */
  pause(): void {
    if (this.#paused || this.#ended) return
    this.#paused = true
    this.#pty.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#pty.resume()
  }

  /**
   * Hands on now, and as one, what the program has put out, up to about so many bytes, paused or not. Does nothing on
   * Windows.
   */
  readAhead(most: number): void {
    const stream = this.#pty._socket
    // What the stream holds back comes first; reading it hands it on.
    if (stream && !stream.destroyed) this.#asOne(() => void stream.read(), most)
  }

  dispose(): void {
    this.#writer?.dispose()
    this.#output.dispose()
    this.#end.dispose()
  }

  /** Hands on what `begin` decodes together with what is there after it, past the stream. */
  #asOne(begin: () => void, most: number): void {
    const gathered: string[] = []
    this.#gathered = gathered
    begin()
    const { _socket: stream, fd } = this.#pty
    // In order: nothing that the stream has read already may come later.
    if (fd !== undefined && stream && !stream.destroyed && stream.readableLength === 0) {
      for (let left = most - gathered.reduce((sum, text) => sum + text.length, 0); left > 0;) {
        const bytes = readNow(fd, left)
        if (!bytes?.length) break
        left -= bytes.length
        this.#decode(bytes)
      }
    }
    this.#gathered = null
    const text = gathered.join('')
    if (text) this.#output.emit(text)
  }

  #decode(bytes: Buffer): void {
    const text = this.#decoder.write(bytes)
    if (this.#gathered) this.#gathered.push(text)
    else if (text) this.#output.emit(text)
  }
}
