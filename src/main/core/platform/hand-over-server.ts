import { rmSync } from 'node:fs'
import { type Server, type Socket, createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { type Json, parseJson } from '../../../shared/json'
import { type Disposable, disposable } from '../../../shared/lifetime'
import type { Done, Result } from '../../../shared/result'
import { ruleWords } from '../../../shared/approval/approval-schemas'
import { handOverFile } from './directories'
import { choosePrivateAddress, recordAddress } from './private-address'

/**
 * How a second start passes its request to the process that owns the data directory: a socket that only the same user
 * can reach, with lines of JSON in both directions. The other end is hand-over-client.ts.
 */

const path = z.string().min(1).max(4096)
/** The window that a command was typed in, as its terminal says; null if it was none of ours. */
const window = z.string().max(100).nullable()
/** 1-based; null if not given. */
const place = z.number().int().min(1).max(1e9).nullable()

const folders = z.object({ folders: z.array(path).max(100) })
const edit = z.object({
  edit: z.object({
    files: z
      .array(z.object({ path, line: place, column: place }))
      .min(1)
      .max(100),
    window,
  }),
})
const compare = z.object({ compare: z.object({ left: path, right: path, window }) })
const outside = z.object({
  outside: z.object({ command: z.string().min(1).max(100), folder: path, window }),
})
const option = z.string().min(1).max(1000).nullable()
const run = z.object({
  run: z.object({
    prompt: z.string().min(1).max(1_000_000),
    folder: path,
    model: option,
    permissionMode: option,
    resume: option,
    output: z.enum(['text', 'json', 'stream-json']),
    /** What is allowed without asking: rules, and path patterns for files in the folder that may be changed. */
    allowed: z.object({ rules: z.array(ruleWords).max(100), edits: z.array(path).max(100) }),
  }),
})
const request = z.union([folders, edit, compare, outside, run])
const stop = z.object({ stop: z.literal(true) })

/** Folders that the second start was given. */
export type HandOverRequest = z.infer<typeof folders>
/** Files that a command waits for, each an absolute path. */
export type EditRequest = z.infer<typeof edit>['edit']
/** Two files to show side by side. */
export type CompareRequest = z.infer<typeof compare>['compare']

/** An agent's command typed in another program's terminal, and the folder it was typed in. */
export type OutsideRequest = z.infer<typeof outside>['outside']

/** How to start an agent in another program's terminal so that it asks here. */
export interface OutsideStart {
  /** What comes before the agent's own program. */
  program: string
  /** What is added to its environment. */
  variables: Record<string, string>
  /** A file that names the socket to ask, even after this owner has ended and another has taken its place. */
  address: string
}

/** A prompt for an agent, and how its answer is printed. */
export type RunRequest = z.infer<typeof run>['run']

/** Who has asked for a run. */
export interface RunClient {
  /** Prints to standard output; resolves once the client has taken it, or is gone. */
  out(text: string): Promise<void>
  /** Prints a sentence for the person. */
  say(sentence: string): void
  /** Aborted when the client stops it, or is gone. */
  readonly signal: AbortSignal
}

/** What the owner did: `ready` is what a --headless start would have printed, null if there is no page server. */
export interface HandOverAnswer {
  pid: number
  ready: Json | null
}

/** Files that are open for a command. */
export interface OpenedFiles extends Disposable {
  /** `ok` when the person has closed them all; a sentence if nobody will. Never rejects. */
  readonly ended: Promise<Done>
}

/** What the owner of a data directory does for second starts. */
export interface HandOverOwner {
  open(request: HandOverRequest): Promise<Result<HandOverAnswer>>
  /** Disposing of the result ends the waiting: the command is gone. */
  edit(request: EditRequest): Promise<Result<OpenedFiles>>
  compare(request: CompareRequest): Promise<Done>
  outside(request: OutsideRequest): Promise<Result<OutsideStart>>
  /** Resolves with the exit code, once nothing of the run is left. */
  run(request: RunRequest, client: RunClient): Promise<number>
}

/** In characters: a longer line ends its connection. Each character of a prompt may need an escape. */
const longestLine = 8_000_000
/** How long a second start may take to send its request, in milliseconds. */
const patience = 10_000

/**
 * Listens for second starts until disposed. If no socket can be made, or its address can't be recorded, later starts
 * are turned away.
 */
export async function listenForHandOver(dataDirectory: string, owner: HandOverOwner): Promise<Disposable> {
  // We hold the lock, so nobody else is there.
  const address = choosePrivateAddress(join(dataDirectory, 'hand-over.sock'))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, owner)
  })
  const listening = await listen(server, address.path)
  const isRecorded = listening && recordAddress(handOverFile(dataDirectory), address.path)
  return disposable(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    if (isRecorded) rmSync(handOverFile(dataDirectory), { force: true })
    address.dispose()
  })
}

/** One request per socket. A request that can't be parsed, or fails because of a bug, gets no answer. */
function serve(socket: Socket, owner: HandOverOwner): void {
  socket.on('error', () => undefined)
  socket.setTimeout(patience, () => socket.destroy())
  let heard = false
  const stopped = new AbortController()
  socket.once('close', () => stopped.abort())
  hearLines(socket, (line) => {
    if (heard) {
      if (stop.safeParse(parseJson(line)).success) stopped.abort()
      return
    }
    heard = true
    answer(socket, line, owner, stopped.signal).catch((error: unknown) => {
      socket.destroy()
      throw error
    })
  })
}

async function answer(
  socket: Socket,
  line: string,
  owner: HandOverOwner,
  stopped: AbortSignal,
): Promise<void> {
  const { data: asked } = request.safeParse(parseJson(line))
  if (asked === undefined) return void socket.destroy()
  if ('folders' in asked) {
    const opening = await owner.open(asked)
    return void socket.end(toLine(opening.ok ? opening.value : { refused: opening.failure.message }))
  }
  if ('compare' in asked) {
    const shown = await owner.compare(asked.compare)
    return void socket.end(toLine(shown.ok ? opened() : { refused: shown.failure.message }))
  }
  if ('outside' in asked) {
    const start = await owner.outside(asked.outside)
    return void socket.end(toLine(start.ok ? { start: start.value } : { refused: start.failure.message }))
  }
  if ('run' in asked) return answerRun(socket, asked.run, owner, stopped)
  const files = await owner.edit(asked.edit)
  if (!files.ok) return void socket.end(toLine({ refused: files.failure.message }))
  // From now on the command waits as long as the person takes.
  socket.setTimeout(0)
  socket.once('close', () => files.value.dispose())
  if (socket.destroyed) return files.value.dispose()
  socket.write(toLine(opened()))
  const ended = await files.value.ended
  socket.end(toLine(ended.ok ? { closed: true } : { lost: ended.failure.message }))
}

/** Output goes to the client as it comes, no faster than the client takes it. */
async function answerRun(
  socket: Socket,
  request: RunRequest,
  owner: HandOverOwner,
  signal: AbortSignal,
): Promise<void> {
  socket.setTimeout(0)
  const write = (line: object): Promise<void> => {
    if (socket.destroyed || socket.write(toLine(line))) return Promise.resolve()
    return new Promise((resolve) => {
      const go = () => {
        socket.off('drain', go).off('close', go)
        resolve()
      }
      socket.once('drain', go).once('close', go)
    })
  }
  await write({ running: process.pid })
  const exit = await owner.run(request, {
    signal,
    out: (out) => write({ out }),
    say: (say) => void write({ say }),
  })
  socket.end(toLine({ exit }))
}

const opened = () => ({ opened: process.pid })

const toLine = (value: object) => `${JSON.stringify(value)}\n`

/** Calls `hear` with each whole line. */
function hearLines(socket: Socket, hear: (line: string) => void): void {
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 1)
      hear(line)
    }
    if (text.length > longestLine) socket.destroy()
  })
}

function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    // This also holds later: a connection that can't be accepted is no reason to end.
    server.on('error', () => resolve(false))
    server.listen(path, () => resolve(true))
  })
}
