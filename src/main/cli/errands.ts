import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { type EditFailure, compareElsewhere, editElsewhere } from '../core/platform/hand-over-client'
import { startProgram } from '../core/platform/child-process'
import { defaultDataDirectory, surroundingsOfProcess } from '../core/platform/directories'
import type { Result } from '../../shared/result'
import type { NamedPlace } from './places'

/** What a command has the running app do. */
export type Errand =
  | { kind: 'edit'; files: NamedPlace[]; dataDir: string | null }
  | { kind: 'compare'; left: string; right: string; dataDir: string | null }

/** How a command finds the app, and says what became of its errand. */
interface ErrandSurroundings {
  /** The environment's variables: the app's terminals name their window and their data directory there. */
  env: Readonly<Record<string, string | undefined>>
  /** The program that starts the app on a data directory; null where it cannot be started from here. */
  start: readonly string[] | null
  /** One sentence for the person. */
  say(sentence: string): void
}

/** In a terminal of the app: its window, and that app's data directory. */
const windowVariable = 'GREENLIGHT_WINDOW'
export const dataDirectoryVariable = 'GREENLIGHT_DATA_DIR'

/** An app that was just started listens within this time, in milliseconds, or does not start. */
const longestStart = 60_000
const glance = 100

/**
 * Does an errand and gives the exit code: 0 when the files have been closed in the app, or are shown there; 1, after a
 * sentence, when not. Starts the app where none runs and one can be started.
 */
export async function runErrand(errand: Errand, surroundings: ErrandSurroundings): Promise<number> {
  const { env, say } = surroundings
  const { dataDirectory, window } = errandTargetOf(errand.dataDir, env)
  let done = await ask(errand, dataDirectory, window)
  if (!done.ok && done.failure.code === 'nobody' && surroundings.start) {
    say('Greenlight isn’t running. Starting it.')
    done = await startAndAsk(surroundings.start, errand, dataDirectory, done)
  }
  if (done.ok) return 0
  say(done.failure.message)
  return 1
}

/** The data directory that is meant, and the window that a command was typed in, if it is one of that. */
export function errandTargetOf(
  dataDir: string | null,
  env: ErrandSurroundings['env'],
): { dataDirectory: string; window: string | null } {
  const ofTerminal = env[dataDirectoryVariable] || null
  const dataDirectory =
    dataDir ?? ofTerminal ?? defaultDataDirectory({ ...surroundingsOfProcess(), env: { ...env } })
  return { dataDirectory, window: dataDirectory === ofTerminal ? env[windowVariable] || null : null }
}

type Answer = Result<Record<string, never>, EditFailure>

function ask(errand: Errand, dataDirectory: string, window: string | null): Promise<Answer> {
  switch (errand.kind) {
    case 'edit':
      return editElsewhere(dataDirectory, { files: errand.files, window })
    case 'compare':
      return compareElsewhere(dataDirectory, { left: errand.left, right: errand.right, window })
  }
}

/** Starts the app beside us, to outlive us, and asks until it listens. */
async function startAndAsk(
  [program = '', ...words]: readonly string[],
  errand: Errand,
  dataDirectory: string,
  before: Answer,
): Promise<Answer> {
  const child = startProgram(program, [...words, '--data-dir', dataDirectory], {
    stdio: 'ignore',
    detached: true,
  })
  child?.unref()
  const end = watchEnd(child)
  const until = Date.now() + longestStart
  let answer = before
  while (!answer.ok && answer.failure.code === 'nobody' && !end.failed && Date.now() < until) {
    await wait(glance)
    answer = await ask(errand, dataDirectory, null)
  }
  return answer
}

/** An end with 0 may be a start that has left its work to another process. */
function watchEnd(child: ChildProcess | null): { failed: boolean } {
  const end = { failed: child === null }
  child?.once('exit', (code) => (end.failed = code !== 0))
  return end
}
