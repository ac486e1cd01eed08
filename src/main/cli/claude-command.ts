import { claudeWrapper, settingsVariable } from '../app/claude-hooks/claude-wrapper'
import { describeHookless } from '../app/claude-hooks/hookless-start'
import { startRelay } from '../app/claude-hooks/hook-relay'
import { pluginFolders, pluginVariable } from '../app/claude-hooks/plugin-folders'
import { type Environment, withLoopback } from '../core/platform/environment'
import { askForOutside } from '../core/platform/hand-over-client'
import { runProgram } from '../core/platform/node-script'
import { errandTargetOf } from './errands'

/** Claude Code with the person's words, started in a terminal of another program. */
export interface ClaudeArguments {
  kind: 'outside'
  words: string[]
  /** Where it was typed; absolute. */
  folder: string
  dataDir: string | null
}

/**
 * Runs Claude Code to its end, with its changes reviewed in the window that has the folder, and gives its exit code; 1,
 * after a sentence, if nothing could be reviewed.
 */
export async function runClaude(
  { words, folder, dataDir }: ClaudeArguments,
  { env, say }: { env: Environment; say(sentence: string): void },
): Promise<number> {
  const hookless = describeHookless(words, env)
  if (hookless !== null) {
    say(hookless)
    return 1
  }
  const { dataDirectory, window } = errandTargetOf(dataDir, env)
  const { command } = claudeWrapper
  const start = await askForOutside(dataDirectory, { command, folder, window })
  if (!start.ok) {
    const isAway = start.failure.code === 'nobody'
    say(
      isAway
        ? 'Greenlight isn’t running, so nothing could be reviewed. Start it, then try again. (claude itself starts without it.)'
        : start.failure.message,
    )
    return 1
  }
  const relay = await startRelay(start.value.address)
  if (!relay.ok) {
    say(relay.failure.message)
    return 1
  }
  try {
    return await runProgram(start.value.program, words, {
      ...env,
      ...notIts,
      ...noProxy(env),
      ...start.value.variables,
      [pluginVariable]: pluginFolders(relay.value.plugin, env[pluginVariable]),
    })
  } finally {
    relay.value.dispose()
  }
}

/** What is of this command, or of an outer terminal. */
const notIts: Environment = {
  ELECTRON_RUN_AS_NODE: undefined,
  GREENLIGHT_START: undefined,
  [settingsVariable]: undefined,
}

function noProxy(env: Environment): Environment {
  const direct = withLoopback(env['NO_PROXY'] ?? env['no_proxy'])
  return { NO_PROXY: direct, no_proxy: direct }
}
