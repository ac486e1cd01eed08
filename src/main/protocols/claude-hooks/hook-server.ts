import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import type { Disposable } from '../../../shared/lifetime'
import { type Result, succeed } from '../../../shared/result'
import { openLoopbackServer } from '../../core/net/loopback-server'
import { choosePrivateAddress, recordAddress } from '../../core/platform/private-address'
import type { KeptAddress } from '../kit/connection'
import type { FrameParser } from '../kit/frame-parser'
import { hookPath, HookRequests, refusalBody } from './hook-requests'
import { hooksFile, pluginFolder, writePlugin } from './launch-files'
import type { HookPorts } from './ports'
import { tokenFor } from './terminal-token'
import { dropOldest } from '../../../shared/drop-oldest'
import { serverPorts } from '../../core/net/free-port'

/** The tokens that are known, for what no log may show. */
const mostTokens = 200

/**
 * A running server: one per window. Its disposal refuses every change that waits, tells its agent why, and frees the
 * port; its files stay, for an agent that starts without them would not be asked about anything.
 */
export interface HookServer extends Disposable, KeptAddress {
  /** What the hooks call. */
  readonly url: string
  /** The folder of the plugin that gives agents these hooks. */
  readonly plugin: string
  /** The file of it that says what is called. */
  readonly file: string
  /** The file that says at which socket relays are answered, also by the server that takes up this address; null: none. */
  readonly relays: string | null
  /** Those that terminals were given, or have shown. */
  readonly tokens: readonly string[]
  /** While it is off nobody is asked: the agents' own modes decide. */
  isOn: boolean
  /** How many requests wait for their answer. */
  readonly waiting: number
  tokenFor(terminal: string): string
  rewriteFiles(): Promise<Result<void>>
  /** Settles when the port is free again after disposal. */
  readonly closed: Promise<void>
}

/**
 * Starts the server that the hooks of Claude Code call (docs/protocols/claude-hooks.md). If the kept port is taken it
 * listens elsewhere with another secret, for whoever has that port may have been shown what the old one opens.
 */
export async function startHookServer(options: {
  ports: HookPorts
  /** Parses large bodies; owned by the caller. */
  frames: FrameParser
  /** Where its files are written. */
  folder: string
  kept?: KeptAddress
}): Promise<Result<HookServer>> {
  const { ports, frames, folder, kept } = options
  const tokens = new Set<string>()
  const onToken = (shown: string): void => {
    tokens.add(shown)
    dropOldest(tokens, mostTokens)
  }
  let token = kept?.token ?? newSecret()
  const requests = new HookRequests({ ports, frames, secret: () => token, onToken })
  const opened = await openLoopbackServer({
    port: kept === undefined ? serverPorts : { ...serverPorts, kept: kept.port },
    origins: 'none',
    refusalBody,
    onRequest: (request, response) => void requests.take(request, response),
    onRefused: ({ status, message }) => ports.refused(status, message, null),
  })
  if (!opened.ok) return opened
  const server = opened.value
  if (kept && kept.port !== server.port) token = newSecret()
  const url = `${server.url}${hookPath}`
  const plugin = pluginFolder(folder, server.port)
  const written = await writePlugin(plugin, url)
  if (!written.ok) {
    server.dispose()
    return written
  }
  const relays = await answerRelays(
    dirname(plugin),
    (request, response) => void requests.take(request, response),
  )
  let isEnded = false
  return succeed({
    ...{ url, plugin, token, port: server.port, file: hooksFile(plugin), closed: server.closed },
    relays: relays?.file ?? null,
    get tokens() {
      return [...tokens]
    },
    get isOn() {
      return requests.isOn
    },
    set isOn(isOn) {
      requests.isOn = isOn
    },
    get waiting() {
      return requests.waiting
    },
    tokenFor(terminal) {
      const given = tokenFor(token, terminal)
      onToken(given)
      return given
    },
    rewriteFiles: () => writePlugin(plugin, url),
    dispose() {
      if (isEnded) return
      isEnded = true
      void requests.end().then(() => {
        relays?.dispose()
        server.dispose()
      })
    },
  })
}

/** Answers at a socket that only this user can open, and says in a file of a folder of ours where. Null if it can't. */
async function answerRelays(
  folder: string,
  onRequest: RequestListener,
): Promise<(Disposable & { file: string }) | null> {
  const address = choosePrivateAddress(join(folder, 'relays.sock'))
  const server = createServer(onRequest)
  const listens = await new Promise<boolean>((resolve) => {
    // Also later on: a connection that can't be accepted is no reason to end.
    server.on('error', () => resolve(false))
    server.listen(address.path, () => resolve(true))
  })
  const file = join(folder, 'relays.json')
  const dispose = (): void => {
    server.close()
    server.closeAllConnections()
    address.dispose()
  }
  if (listens && recordAddress(file, address.path)) return { file, dispose }
  dispose()
  return null
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
