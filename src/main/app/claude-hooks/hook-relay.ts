import { mkdtempSync, rmSync } from 'node:fs'
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as ask,
} from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Disposable } from '../../../shared/lifetime'
import { parseJson } from '../../../shared/json'
import { type Result, succeed } from '../../../shared/result'
import { openLoopbackServer, sendRefusal } from '../../core/net/loopback-server'
import { readBody } from '../../core/net/request-body'
import { readAddress } from '../../core/platform/private-address'
import { answerUnasked, hookPath, maxBody, refusalBody } from '../../protocols/claude-hooks/hook-requests'
import { readHook } from '../../protocols/claude-hooks/hook-wire'
import { pluginFolder, writePlugin } from '../../protocols/claude-hooks/launch-files'
import { pluginsName } from './plugin-folders'
import { serverPorts } from '../../core/net/free-port'

/** What the hooks of an agent call whose terminal isn't one of the app's. */
export interface HookRelay extends Disposable {
  /** The plugin with these hooks. */
  readonly plugin: string
}

/**
 * Passes what hooks call on to the app, at the same port for as long as this process lives, while the app may end and
 * begin again. The app is reached at a socket that is the person's alone, which the file `address` names: nobody else can
 * answer for it, and nobody can take the port meanwhile. While it is away, changes of files are refused.
 */
export async function startRelay(address: string): Promise<Result<HookRelay>> {
  const opened = await openLoopbackServer({
    ...{ port: serverPorts, origins: 'none', refusalBody },
    onRequest: (request, response) => void pass(request, response, address),
  })
  if (!opened.ok) return opened
  const { port, url } = opened.value
  const folder = mkdtempSync(join(tmpdir(), 'greenlight-'))
  const plugin = pluginFolder(join(folder, pluginsName), port)
  const dispose = (): void => {
    opened.value.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  const written = await writePlugin(plugin, `${url}${hookPath}`)
  if (written.ok) return succeed({ plugin, dispose })
  dispose()
  return written
}

/** Never rejects. */
async function pass(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  const body = await readBody(request, maxBody)
  if (!body.ok) {
    if (body.failure.code === 'too-large')
      sendRefusal(response, { status: 413, message: body.failure.message })
    return
  }
  const answerInstead = (): void => {
    // What the app has begun to say can't be taken back: it fails, as whatever the agent can't read.
    if (response.headersSent) response.destroy()
    else if (!response.destroyed) answerAlone(response, body.value)
  }
  const socketPath = readAddress(address)
  if (socketPath === null) return answerInstead()
  const { method, url: path } = request
  const passed = ask({ socketPath, method, path, headers: headersFor(request, body.value), agent: false })
  // Whoever has asked is gone, and so is the question.
  response.once('close', () => passed.destroy())
  passed.once('error', answerInstead)
  passed.once('response', (answer) => {
    const { 'content-type': type } = answer.headers
    response.writeHead(answer.statusCode ?? 500, type === undefined ? {} : { 'content-type': type })
    answer.once('error', answerInstead).pipe(response)
  })
  passed.end(body.value)
}

/** As they came, but for those about the connection. */
function headersFor({ headers }: IncomingMessage, body: Buffer): OutgoingHttpHeaders {
  const { connection: _, 'transfer-encoding': __, 'keep-alive': ___, ...rest } = headers
  return { ...rest, host: 'localhost', 'content-length': body.length }
}

const away =
  'Greenlight isn’t running, so nobody could review this change. Nothing was written. Start it with this folder, then go on.'

/** Answers in the place of an app that is away. */
function answerAlone(response: ServerResponse, body: Buffer): void {
  const call = readHook(parseJson(body.toString('utf8')))
  if (!call.ok) return refuse(response, 500, call.failure.message)
  const answer = answerUnasked(call.value, away)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendRefusal(response, { status, message }, refusalBody({ message }))
}
