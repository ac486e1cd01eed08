import { join } from 'node:path'
import { fail, succeed } from '../../shared/result'
import { App } from '../app/app'
import type { HostAbilities } from '../app/host-abilities'
import { dialects } from '../app/dialects'
import { dataDirectoryVariable } from '../cli/errands'
import { readPrompt } from '../cli/prompt'
import type { RunArguments } from '../cli/run-arguments'
import { startOrHandOver } from '../cli/second-start'
import { version } from '../cli/version'
import { prepareDataDirectory } from '../core/platform/directories'
import { runElsewhere } from '../core/platform/hand-over-client'
import { type RunClient, type RunRequest, listenForHandOver } from '../core/platform/hand-over-server'
import { FileLog } from '../core/platform/log'
import { endProcess } from '../core/platform/process-end'
import { catchStrayErrors } from '../core/platform/stray-errors'
import { openSettings } from './headless-settings'

/** A signal that a parent passes on may come twice; one that comes later ends this process at once. In milliseconds. */
const sameSignal = 1000

/**
 * Runs a prompt: in the app that has the data directory, else in an app of this process, without a page. Gives the exit
 * code once nothing of it is left.
 */
export async function runPrompt(
  { request: { prompt: given, ...rest }, dataDir }: RunArguments,
  say: (sentence: string) => void,
): Promise<number> {
  const prompt = await readPrompt(given, process.stdin)
  if (!prompt.ok) {
    say(prompt.failure.message)
    return 2
  }
  const directory = prepareDataDirectory(dataDir ?? (process.env[dataDirectoryVariable] || null))
  if (!directory.ok) {
    say(directory.failure.message)
    return 2
  }
  const request: RunRequest = { ...rest, prompt: prompt.value }
  const client = clientOfProcess(say)
  const code = await runSomewhere(directory.value, request, client)
  // What was stopped isn't done, even if its end was on the way.
  return client.signal.aborted && code === 0 ? 1 : code
}

async function runSomewhere(directory: string, request: RunRequest, client: RunClient): Promise<number> {
  const code = await runElsewhere(directory, request, client)
  if (code !== null) return code
  const started = await startOrHandOver({
    start: () => openApp(directory),
    handOver: async () => {
      if (client.signal.aborted) return succeed(1)
      const elsewhere = await runElsewhere(directory, request, client)
      return elsewhere === null ? null : succeed(elsewhere)
    },
  })
  switch (started.kind) {
    case 'handed':
      return started.answer
    case 'failed':
      client.say(started.failure.message)
      return started.failure.code === 'in-use' ? 2 : 1
    case 'started':
      return runHere(started.value, directory, request, client)
  }
}

/** Prints to this process; its signals, and a reader that goes away, stop the run. */
function clientOfProcess(say: (sentence: string) => void): RunClient {
  const stopped = new AbortController()
  let stoppedAt = 0
  const stop = () => {
    if (stoppedAt > 0 && Date.now() - stoppedAt > sameSignal) endProcess(() => process.exit(1))
    stoppedAt ||= Date.now()
    stopped.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.stdout.on('error', () => stopped.abort())
  process.stderr.on('error', () => undefined)
  return {
    signal: stopped.signal,
    say,
    out: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  }
}

/** Runs it in the app of this process, which also runs what other starts ask for meanwhile. */
async function runHere(
  { app, log }: { app: App; log: FileLog },
  directory: string,
  request: RunRequest,
  client: RunClient,
): Promise<number> {
  for (const problem of app.takeProblems()) client.say(problem)
  catchStrayErrors({
    log,
    tell: () => {
      client.say('Something went wrong in Greenlight. Details are in the logs folder of the data directory.')
      return true
    },
    end: () => undefined,
  })
  const others = new Set<Promise<number>>()
  const listening = await listenForHandOver(directory, {
    open: () => Promise.resolve(onlyRuns),
    edit: () => Promise.resolve(noWindow),
    compare: () => Promise.resolve(noWindow),
    outside: () => Promise.resolve(noWindow),
    run: (other, itsClient) => {
      const running = app.commands.run(other, itsClient)
      others.add(running)
      void running.finally(() => others.delete(running))
      return running
    },
  })
  const code = await app.commands.run(request, client)
  if (others.size > 0) client.say('Another greenlight run is still using this process. Waiting for it.')
  while (others.size > 0) await Promise.allSettled(others)
  listening.dispose()
  await app.shutdown()
  log.dispose()
  return code
}

const onlyRuns = fail(
  'in-use',
  `greenlight run is answering a prompt (process ${process.pid}). Start Greenlight again when it has ended.`,
)
const noWindow = fail(
  'no-window',
  'Greenlight has no window now: it is only running a prompt. Try again later.',
)

async function openApp(dataDirectory: string) {
  const log = new FileLog({ directory: join(dataDirectory, 'logs'), screen: () => undefined })
  const created = await App.create({
    dataDir: dataDirectory,
    host: 'browser',
    version,
    log,
    settingsStore: () => openSettings(dataDirectory),
    abilities: none,
    // Nobody shall find a server.
    dialects: dialects.filter(({ scope }) => scope === 'window'),
  })
  if (created.ok) return succeed({ app: created.value, log })
  log.dispose()
  return created
}

/** There is no frame. */
const none: HostAbilities = {
  chooseFolder: null,
  openExternal: () => Promise.resolve(false),
  openWindow: () => Promise.resolve(null),
  focusWindow: () => null,
  trash: () => Promise.resolve('there is no window'),
  showInFileManager: () => Promise.resolve(false),
  notify: () => false,
  setWaiting: () => undefined,
}
