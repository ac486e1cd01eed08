import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App } from '../app/app'
import { type CommandLine, readCommandLine } from '../cli/command-line'
import { runErrand } from '../cli/errands'
import { startOrHandOver } from '../cli/second-start'
import { version } from '../cli/version'
import {
  defaultDataDirectory,
  prepareDataDirectory,
  surroundingsOfProcess,
} from '../core/platform/directories'
import { handOver } from '../core/platform/asking-owner'
import type { HandOverAnswer } from '../core/platform/hand-over'
import { alreadyRunning } from '../core/platform/lock'
import { FileLog } from '../core/platform/log'
import { findBrowser } from './browser-program'
import { type HeadlessHost, type HeadlessOptions, startHeadlessHost } from './headless-host'
import { openSettings } from './settings-file'

const built = dirname(fileURLToPath(import.meta.url))
/** The built page beside the built host. */
const pageDirectory = join(built, '..', 'renderer')
/** Milliseconds; the process itself needs some of the 3 s that an end may take, more on a busy machine. */
const longestEnd = 2_500

const say = (sentence: string) => void process.stderr.write(`greenlight: ${sentence}\n`)

function exit(code: number): never {
  process.exit(code)
}

async function start(asked: Extract<CommandLine, { kind: 'start' }>): Promise<void> {
  const directory = prepareDataDirectory(asked.dataDir ?? defaultDataDirectory(surroundingsOfProcess()))
  if (!directory.ok) {
    say(directory.failure.message)
    return exit(2)
  }
  const dataDirectory = directory.value
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
    log.info('ending', { reason })
    const finish = () => {
      log.dispose()
      exit(code)
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
  const crash = (error: unknown) => {
    log.error('bug', { error })
    end('bug', 1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)

  const options: HeadlessOptions = {
    folders: asked.folders,
    // A script that starts a host without a folder means that.
    reopens: browser?.ok ?? false,
    port: asked.port,
    dataDirectory,
    pageDirectory,
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
        settingsStore: () => openSettings(dataDirectory, version),
        errandScript: join(built, 'errand.js'),
        abilities,
      }),
  }
  const started = await startOrHandOver({
    start: () => startHeadlessHost(options),
    handOver: async () => (ending ? null : handOver(dataDirectory, { folders: asked.folders })),
  })
  if (started.kind === 'handed') {
    log.dispose()
    return tellHandedOver(started.answer, dataDirectory, asked)
  }
  if (started.kind === 'failed') {
    log.dispose()
    say(started.failure.message)
    return exit(started.failure.code === 'in-use' ? 2 : 1)
  }
  host = started.value
  if (ending) return void host.shutdown()
  if (browser?.ok) return
  const line = host.readyLine()
  if (browser) {
    const { url } = JSON.parse(line) as { url: string }
    say(
      `${browser.failure.message} Open this link, which works once, in a browser on this machine:\n  ${url}`,
    )
  }
  process.stdout.write(`${line}\n`)
}

/** Another process has the data directory and opens the folders. This start ends with 2 where it has no page for them. */
async function tellHandedOver(
  answer: HandOverAnswer,
  dataDirectory: string,
  asked: Extract<CommandLine, { kind: 'start' }>,
): Promise<void> {
  if (asked.mode === 'headless' && !answer.ready) {
    say(alreadyRunning(dataDirectory, answer.pid))
    return exit(2)
  }
  say(`Greenlight is already running (process ${answer.pid}) and opens what you named.`)
  if (answer.ready) await written(`${JSON.stringify(answer.ready)}\n`)
  return exit(0)
}

function written(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()))
}

const commandLine = readCommandLine(process.argv.slice(2), process.cwd())
switch (commandLine.kind) {
  case 'stop':
    process.stdout.write(commandLine.stdout)
    process.stderr.write(commandLine.stderr)
    process.exitCode = commandLine.code
    break
  case 'edit':
  case 'compare':
    void runErrand(commandLine, { env: process.env, start: null, say }).then(exit)
    break
  case 'start':
    void start(commandLine)
}
