import { type Socket, connect } from 'node:net'
import { type Json, objectOf, parseJson, stringOf, textEntriesOf } from '../../../shared/json'
import { type Result, fail, succeed } from '../../../shared/result'
import { handOverFile } from './directories'
import type {
  CompareRequest,
  EditRequest,
  HandOverAnswer,
  HandOverRequest,
  OutsideRequest,
  OutsideStart,
  RunClient,
  RunRequest,
} from './hand-over-server'
import { readAddress } from './private-address'

/** A second start's end of the hand-over. It doesn't import zod, so that a command that waits starts quickly. */

/** How long the owner may take to answer, in milliseconds; it may have to open a large file first. */
const patience = 10_000

/**
 * Asks the owner to open folders. Fails as `in-use` with the owner's sentence; null if nobody answers in time, or what
 * answers is not Greenlight.
 */
export async function handOver(
  dataDirectory: string,
  asked: HandOverRequest,
  milliseconds = 5_000,
): Promise<Result<HandOverAnswer> | null> {
  const lines = ask(dataDirectory, asked, milliseconds)
  const answer = await lines?.next()
  lines?.end()
  const { refused, pid, ready } = answer ?? {}
  if (typeof refused === 'string') return fail('in-use', refused)
  if (typeof pid !== 'number') return null
  if (ready === null) return succeed({ pid, ready })
  const printed = objectOf(ready)
  return printed ? succeed({ pid, ready: printed }) : null
}

/**
 * Asks the owner to open files, and resolves when the person has closed them all. Fails as `nobody` if no owner
 * answers, as `refused` with the owner's sentence, and as `lost` if the owner ends or gives up.
 */
export async function editElsewhere(
  dataDirectory: string,
  asked: EditRequest,
): Promise<Result<Record<string, never>, EditFailure>> {
  const lines = ask(dataDirectory, { edit: asked }, patience)
  if (!lines) return nobody
  const first = await lines.next()
  if (!first) return nobody
  if (typeof first['refused'] === 'string') return fail('refused', first['refused'])
  if (typeof first['opened'] !== 'number') return nobody
  lines.waitForever()
  const last = await lines.next()
  lines.end()
  if (last?.['closed'] === true) return succeed({})
  return fail('lost', typeof last?.['lost'] === 'string' ? last['lost'] : gone)
}

/** Why nothing was done. */
export type EditFailure = { code: 'nobody' | 'refused' | 'lost'; message: string }

/** Asks the owner how to start an agent here so that its questions go there. Fails like `editElsewhere`. */
export async function askForOutside(
  dataDirectory: string,
  asked: OutsideRequest,
): Promise<Result<OutsideStart, EditFailure>> {
  const answer = await answerTo(dataDirectory, { outside: asked })
  if (!answer.ok) return answer
  const start = objectOf(answer.value['start'])
  const [program, address] = [stringOf(start?.['program']), stringOf(start?.['address'])]
  if (program === null || address === null) return nobody
  const variables = Object.fromEntries(textEntriesOf(start?.['variables']))
  return succeed({ program, address, variables })
}

/** Asks the owner to show two files side by side. Fails like `editElsewhere`. */
export async function compareElsewhere(
  dataDirectory: string,
  asked: CompareRequest,
): Promise<Result<Record<string, never>, EditFailure>> {
  const answer = await answerTo(dataDirectory, { compare: asked })
  if (!answer.ok) return answer
  return typeof answer.value['opened'] === 'number' ? succeed({}) : nobody
}

/**
 * Has the owner run a prompt and returns the exit code; null if no owner answers. Output goes to `client`, no faster
 * than it takes it. If the client's signal aborts, the owner is told to stop; this still waits until it has.
 */
export async function runElsewhere(
  dataDirectory: string,
  asked: RunRequest,
  client: RunClient,
): Promise<number | null> {
  const path = readAddress(handOverFile(dataDirectory))
  if (path === null) return null
  const socket = connect(path)
  socket.setTimeout(patience, () => socket.destroy())
  socket.on('error', () => undefined)
  const stop = () => void socket.write(`${JSON.stringify({ stop: true })}\n`)
  socket.write(`${JSON.stringify({ run: asked })}\n`)
  let isRunning = false
  try {
    for await (const line of linesOf(socket)) {
      const { running, out, say, exit } = objectOf(parseJson(line)) ?? {}
      if (typeof running === 'number' && !isRunning) {
        isRunning = true
        socket.setTimeout(0)
        if (client.signal.aborted) stop()
        else client.signal.addEventListener('abort', stop, { once: true })
      } else if (typeof out === 'string') await client.out(out)
      else if (typeof say === 'string') client.say(say)
      else if (typeof exit === 'number') return exit
    }
  } finally {
    client.signal.removeEventListener('abort', stop)
    socket.destroy()
  }
  if (!isRunning) return null
  client.say('Greenlight ended before the turn was over. Start it, then resume the session.')
  return 1
}

/** The lines that come from a socket. Nothing more is read while one is being handled. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let pieces: string[] = []
  socket.setEncoding('utf8')
  try {
    for await (const chunk of socket as AsyncIterable<string>) {
      const [rest = '', ...more] = chunk.split('\n')
      pieces.push(rest)
      for (const next of more) {
        yield pieces.join('')
        pieces = [next]
      }
    }
  } catch {
    // The connection broke: what came is all there is.
  }
}

const nobody = fail('nobody', 'Greenlight isn’t running. Start it, then try again.')
const gone = 'Greenlight ended before the file was closed. Unsaved text is kept there.'

/** A request to an owner, on the wire. */
type Asked =
  | HandOverRequest
  | { edit: EditRequest }
  | { compare: CompareRequest }
  | { outside: OutsideRequest }

interface Lines {
  /** The next line; null if there will be none, or it is not an object. */
  next(): Promise<Json | null>
  waitForever(): void
  end(): void
}

/** The owner's answer to a request that has one. Fails as `nobody`, or as `refused` with the owner's sentence. */
async function answerTo(dataDirectory: string, asked: Asked): Promise<Result<Json, EditFailure>> {
  const lines = ask(dataDirectory, asked, patience)
  const answer = await lines?.next()
  lines?.end()
  if (!answer) return nobody
  return typeof answer['refused'] === 'string' ? fail('refused', answer['refused']) : succeed(answer)
}

/** Sends one request to the owner. Null if no owner is recorded. */
function ask(dataDirectory: string, asked: Asked, milliseconds: number): Lines | null {
  const path = readAddress(handOverFile(dataDirectory))
  if (path === null) return null
  const socket = connect(path)
  socket.setTimeout(milliseconds, () => socket.destroy())
  socket.on('error', () => undefined)
  const lines = linesOf(socket)
  socket.write(`${JSON.stringify(asked)}\n`)
  return {
    next: async () => {
      const line = await lines.next()
      return line.done ? null : (objectOf(parseJson(line.value)) ?? null)
    },
    waitForever: () => void socket.setTimeout(0),
    end: () => void socket.destroy(),
  }
}
