/// <reference path="./node-pty.d.ts" />
import { StringDecoder } from 'node:string_decoder'
import { type IPty, spawn } from 'node-pty'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { keepLastOutput } from './last-output'
import { PtyWriter, writeNow } from './pty-writer'

/** A program to start in a terminal, with everything resolved. */
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
 * A running program with its terminal. `onOutput` delivers whole characters; `onEnd` comes once, after the last output.
 * Its owner ends the processes; disposal only lets go of them.
 */
export class Pty implements Disposable {
  readonly #pty: IPty
  /** Null on Windows, where node-pty's own writing doesn't block. */
  readonly #writer: PtyWriter | null
  readonly #output = new Emitter<string>()
  readonly #end = new Emitter<PtyEnd>()
  #ended = false
  #paused = false
  readonly #decoder = new StringDecoder('utf8')

  /** Throws the system's error if no terminal can be created. */
  constructor(start: PtyStart) {
    const pty = spawn(start.program, [...start.args], {
      name: 'xterm-256color',
      cols: start.columns,
      rows: start.rows,
      cwd: start.cwd,
      env: start.env,
      // As bytes, because the last of them are read past the stream, possibly in the middle of a character.
      ...(process.platform === 'win32' ? {} : { encoding: null }),
    })
    this.#pty = pty
    const fd = process.platform === 'win32' ? undefined : pty.fd
    // The descriptor's number may belong to another file as soon as the stream is destroyed.
    this.#writer =
      fd === undefined ? null : new PtyWriter((bytes) => (pty._socket?.destroyed ? 0 : writeNow(fd, bytes)))
    pty.onData((data) => {
      if (typeof data === 'string') this.#output.emit(data)
      else this.#decode(data)
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

  /** Types into the program; what it doesn't read yet waits. */
  write(text: string): void {
    if (this.#writer) this.#writer.write(text)
    else if (!this.#ended) this.#pty.write(text)
  }

  resize(columns: number, rows: number): void {
    if (this.#ended) return
    try {
      this.#pty.resize(columns, rows)
    } catch {
      // The program has ended, and its end has not been told yet.
    }
  }

  /** Stops reading, so that the program's output has to wait. */
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

  dispose(): void {
    this.#writer?.dispose()
    this.#output.dispose()
    this.#end.dispose()
  }

  #decode(bytes: Buffer): void {
    const text = this.#decoder.write(bytes)
    if (text) this.#output.emit(text)
  }
}
