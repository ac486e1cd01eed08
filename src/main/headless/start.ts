import { join } from 'node:path'
import { App } from '../app/app'
import type { Dialect } from '../app/dialect-kit/dialect'
import type { Invocation } from '../cli/command-line'
import { startOrHandOver } from '../cli/second-start'
import { version } from '../cli/version'
import { handOver } from '../core/platform/hand-over-client'
import type { HandOverAnswer } from '../core/platform/hand-over-server'
import { alreadyRunning } from '../core/platform/lock'
import { FileLog } from '../core/platform/log'
import { endProcess } from '../core/platform/process-end'
import { catchStrayErrors } from '../core/platform/stray-errors'
import { findBrowser } from './browser-program'
import { type HeadlessHost, type HeadlessOptions, startHeadlessHost } from './headless-host'
import { openSettings } from './headless-settings'

/** What was asked for, and what is there for it. */
export interface HeadlessStart {
  asked: Extract<Invocation, { kind: 'start' }>
  /** Prepared. */
  dataDirectory: string
  /** The folder out/main. */
  built: string
  /** A sentence for the person, on stderr. */
  say(sentence: string): void
  /** The dialects that the app speaks; absent: those of its list. */
  dialects?: readonly Dialect[]
}

/** Milliseconds; the process itself needs some of the 3 s that an end may take, more on a busy machine. */
const longestEnd = 2_500

/** Starts the host, or hands its folders over to the one that has the data directory. Ends the process by itself. */
export async function start({ asked, dataDirectory, built, say, dialects }: HeadlessStart): Promise<void> {
  const log = new FileLog({
    directory: join(dataDirectory, 'logs'),
    screen: (line) => void process.stderr.write(`${line}\n`),
  })
  const browser =
    asked.mode === 'headless' ? null : findBrowser({ platform: process.platform, env: process.env })

  let host: HeadlessHost | null = null
  let ending = false
  const end = (reason: string, code: number) => {
    if (ending) return
    ending = true
    const begun = performance.now()
    log.info('ending', { reason })
    const finish = () => {
      log.dispose()
      endProcess(() => process.exit(code), begun)
    }
    setTimeout(finish, longestEnd)
    void (host?.shutdown() ?? Promise.resolve()).then(finish, (error: unknown) => {
      log.error('ending failed', { error })
      finish()
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal, 0))
  // A reader of stdout or stderr that goes away must not take the host with it.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  catchStrayErrors({
    log,
    tell: (sentence) => {
      host?.warn(sentence)
      return host !== null || ending
    },
    end: () => end('bug', 1),
  })

  const options: HeadlessOptions = {
    folders: asked.folders,
    // A script that starts a host without a folder means that.
    reopens: browser?.ok ?? false,
    port: asked.port,
    dataDirectory,
    // The built page beside the built host.
    pageDirectory: join(built, '..', 'renderer'),
    browser: browser?.ok ? browser.value : null,
    log,
    say,
    onUnwatched: () => end('last window closed', 0),
    createApp: (abilities) =>
      App.create({
        dataDir: dataDirectory,
        host: 'browser',
        version,
        log,
        settingsStore: () => openSettings(dataDirectory),
        errandScript: join(built, 'errand.js'),
        abilities,
        ...(dialects ? { dialects } : {}),
      }),
  }
  const started = await startOrHandOver({
    start: () => startHeadlessHost(options),
    handOver: async () => (ending ? null : handOver(dataDirectory, { folders: asked.folders })),
  })
  if (started.kind === 'handed') {
    log.dispose()
    return tellHandedOver(started.answer, { dataDirectory, asked, say })
  }
  if (started.kind === 'failed') {
    log.dispose()
    say(started.failure.message)
    return process.exit(started.failure.code === 'in-use' ? 2 : 1)
  }
  host = started.value
  if (ending) return void host.shutdown()
  if (browser?.ok) return
  const line = host.readyLine()
  if (browser) {
    const { url } = JSON.parse(line) as { url: string }
    say(
      `${browser.failure.message} Open this link in a browser on this machine (it works once, for a minute):\n  ${url}`,
    )
  }
  process.stdout.write(`${line}\n`)
}

/** Another process has the data directory and opens the folders. This start ends with 2 where it has no page for them. */
async function tellHandedOver(
  answer: HandOverAnswer,
  { dataDirectory, asked, say }: Pick<HeadlessStart, 'dataDirectory' | 'asked' | 'say'>,
): Promise<void> {
  if (asked.mode === 'headless' && !answer.ready) {
    say(alreadyRunning(dataDirectory, answer.pid))
    return process.exit(2)
  }
  say(`Greenlight is already running (process ${answer.pid}); opening it there.`)
  if (answer.ready) await written(`${JSON.stringify(answer.ready)}\n`)
  return process.exit(0)
}

function written(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()))
}
