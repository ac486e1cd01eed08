import { dirname, join } from 'node:path'
import { parseJson } from '../../shared/json'
import { runNodeScript } from '../core/platform/node-script'
import { handOver } from '../core/platform/hand-over-client'
import { mergeOption } from '../app/claude-hooks/claude-wrapper'
import { readCommandLine } from './command-line'
import { errandTargetOf, runErrand } from './errands'
import { writeMergedSettings } from './merged-settings'

/**
 * The command `greenlight` of the app's own terminals, and their EDITOR: a program of its own that starts in no time,
 * because it loads neither the app nor Electron. What it cannot do is asked of the app that runs.
 */

const say = (sentence: string) => void process.stderr.write(`greenlight: ${sentence}\n`)

async function run(): Promise<number> {
  const [option, ours = '', theirs = '', pid] = process.argv.slice(2)
  if (option === mergeOption) {
    const path = await writeMergedSettings({ ours, theirs, pid: Number(pid) }, process.cwd())
    if (path !== null) process.stdout.write(path)
    return path === null ? 1 : 0
  }
  const asked = readCommandLine(process.argv.slice(2), process.cwd())
  switch (asked.kind) {
    case 'stop':
      process.stdout.write(asked.stdout)
      process.stderr.write(asked.stderr)
      return asked.code
    case 'edit':
    case 'compare':
      return runErrand(asked, { env: process.env, start: startOfApp(), say })
    case 'outside': {
      // The others shall not wait until it is read.
      const { runClaude } = await import('./claude-command')
      return runClaude(asked, { env: process.env, say })
    }
    case 'run':
    case 'record':
      return runNodeScript(join(dirname(process.argv[1] ?? ''), 'headless.js'), process.argv.slice(2))
    case 'start': {
      if (asked.mode !== 'window') {
        say(
          `This command talks to the running app. To start another one with --${asked.mode}, use npm start.`,
        )
        return 2
      }
      const { dataDirectory } = errandTargetOf(asked.dataDir, process.env)
      const opened = await handOver(dataDirectory, { folders: asked.folders })
      if (opened?.ok) return 0
      say(opened?.failure.message ?? 'Greenlight isn’t running. Start it, then try again.')
      return 1
    }
  }
}

/** Whoever runs us may say how the app is started: the words of a command, as JSON. */
function startOfApp(): string[] | null {
  const words = parseJson(process.env['GREENLIGHT_START'] ?? '')
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : null
}

void run().then((code) => {
  process.exitCode = code
})
