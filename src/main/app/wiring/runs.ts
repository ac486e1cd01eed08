import { fail } from '../../../shared/result'
import { resolveRealPath } from '../../core/files/real-path'
import type { RunClient, RunRequest } from '../../core/platform/hand-over-server'
import type { FolderTrust } from '../../core/trust/folder-trust'
import type { RunTurn } from '../dialect-kit/turn'
import { RunAsking, type RunDeciders } from './run-asking'

/** What a program learns from how a run ended. */
export const exitCodes = { done: 0, error: 1, usage: 2, refused: 3 } as const

/** Where a turn runs: a window's rooms that no page shows. */
export interface RunPlace {
  /** Null if no agent can run a turn. */
  readonly runTurn: RunTurn | null
  /** Ends what runs there. */
  close(): Promise<void>
}

/** What a run needs of the app. */
export interface RunSurroundings extends RunDeciders {
  trust: Pick<FolderTrust, 'mayRun'>
  /** Whether a tab talks with a session's agent now. */
  isTalkedWith(session: string): boolean
  /** `folder`: a real path. */
  open(folder: string): RunPlace
}

const nobody = fail('missing', 'No agent here can run a prompt. Install Claude Code.')

/** Runs a prompt for a command and prints what its `output` asks for. Resolves once nothing of it is left. */
export async function runForCommand(
  request: RunRequest,
  client: RunClient,
  surroundings: RunSurroundings,
): Promise<number> {
  const folder = await resolveRealPath(request.folder)
  if (!surroundings.trust.mayRun(folder)) {
    client.say(
      `${folder} isn’t trusted, so nothing that belongs to it may run. Open it in Greenlight and trust it, then try again.`,
    )
    return exitCodes.refused
  }
  const { output, resume } = request
  if (resume !== null && surroundings.isTalkedWith(resume)) {
    client.say(
      `A tab of Greenlight is in session ${resume}, and two at once would write into each other’s conversation. Say it there, or close that tab and try again.`,
    )
    return exitCodes.error
  }
  const asking = new RunAsking(folder, request.allowed, surroundings, (sentence) => client.say(sentence))
  const place = surroundings.open(folder)
  try {
    const ended = await (place.runTurn?.(
      { ...request, folder },
      {
        approvals: asking,
        desk: asking,
        rules: asking,
        isWatched: surroundings.isWatched(),
        message: (line) => (output === 'stream-json' ? client.out(`${line}\n`) : undefined),
        say: (sentence) => client.say(sentence),
        refused: (title, path) => asking.refusedByRule(title, path),
        signal: client.signal,
      },
    ) ?? nobody)
    if (!ended.ok) {
      client.say(ended.failure.message)
      return codeOf(ended.failure.code)
    }
    const { message, text, isError, isRefused } = ended.value
    if (output === 'json') await client.out(`${message}\n`)
    else if (output === 'text' && isError) client.say(text)
    else if (output === 'text') await client.out(`${text}\n`)
    if (isError) return exitCodes.error
    return isRefused || asking.isRefused ? exitCodes.refused : exitCodes.done
  } finally {
    asking.dispose()
    await place.close()
  }
}

function codeOf(failure: string): number {
  switch (failure) {
    case 'invalid':
      return exitCodes.usage
    case 'untrusted':
      return exitCodes.refused
    default:
      return exitCodes.error
  }
}
