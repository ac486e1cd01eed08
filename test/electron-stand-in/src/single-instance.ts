import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the second start tells the first. */
export interface SecondStart {
  argv: string[]
  workingDirectory: string
  additionalData: unknown
}

/** The longest path that a unix socket's name may have on every system. */
const longestSocketPath = 100

/** How long a second start waits for the first one's answer, in milliseconds. */
const patience = 10_000

/**
 * Sends a message and waits for one byte in return, on a thread of its own: the caller sleeps meanwhile, because
 * `app.requestSingleInstanceLock()` answers synchronously. Cell 0: 0 waiting, 1 taken, 2 nobody listens.
 */
const messenger = `
const { workerData } = require('node:worker_threads')
const { connect } = require('node:net')
const cell = new Int32Array(workerData.memory)
const answer = (value) => { Atomics.store(cell, 0, value); Atomics.notify(cell, 0) }
const socket = connect(workerData.path)
socket.on('connect', () => socket.write(workerData.message + '\\n'))
socket.on('data', () => { answer(1); socket.destroy() })
socket.on('error', () => answer(2))
`

/** One lock per user-data folder, across processes: a unix socket in the folder. */
export class SingleInstance {
  readonly #onSecondStart: (start: SecondStart) => void
  #server: Server | undefined
  #path: string | undefined

  constructor(onSecondStart: (start: SecondStart) => void) {
    this.#onSecondStart = onSecondStart
  }

  get held(): boolean {
    return this.#server !== undefined
  }

  /** Takes the lock, or hands `start` to the process that holds it and returns false. */
  request(userData: string, start: SecondStart): boolean {
    if (this.held) return true
    mkdirSync(userData, { recursive: true })
    const path = socketPath(userData)
    // As in Chromium, two starts at the same moment over a dead lock may both take it away; one of them binds.
    for (let tries = 0; tries < 3; tries++) {
      if (this.#listen(path)) return true
      const answer = tell(path, JSON.stringify(start))
      if (answer === 'taken') return false
      if (answer === 'silent') {
        console.error('stand-in: another instance holds the lock and does not answer')
        return false
      }
      rmSync(path, { force: true })
    }
    return false
  }

  release(): void {
    this.#server?.close()
    if (this.#path !== undefined) rmSync(this.#path, { force: true })
    this.#server = undefined
    this.#path = undefined
  }

  #listen(path: string): boolean {
    const server = createServer((socket) => this.#receive(socket))
    server.on('error', () => {})
    server.listen(path)
    // Node binds a pipe before listen returns, so this is the answer and not a guess.
    if (!server.listening) return false
    server.unref()
    this.#server = server
    this.#path = path
    return true
  }

  #receive(socket: Socket): void {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (part: string) => {
      text += part
      if (!text.endsWith('\n')) return
      socket.end('.')
      this.#onSecondStart(JSON.parse(text) as SecondStart)
    })
  }
}

function socketPath(userData: string): string {
  const plain = join(userData, 'SingletonSocket')
  if (Buffer.byteLength(plain) <= longestSocketPath) return plain
  const name = createHash('sha256').update(userData).digest('hex').slice(0, 24)
  return join(tmpdir(), `electron-stand-in-${name}.lock`)
}

function tell(path: string, message: string): 'taken' | 'absent' | 'silent' {
  const memory = new SharedArrayBuffer(4)
  const cell = new Int32Array(memory)
  const worker = new Worker(messenger, { eval: true, workerData: { memory, path, message } })
  Atomics.wait(cell, 0, 0, patience)
  void worker.terminate()
  const answer = Atomics.load(cell, 0)
  return answer === 1 ? 'taken' : answer === 2 ? 'absent' : 'silent'
}
