import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Invocation, readCommandLine } from '../cli/command-line'
import { runErrand } from '../cli/errands'
import { keepCompiledCode } from '../core/platform/compiled-code'
import { prepareDataDirectory } from '../core/platform/directories'

const built = dirname(fileURLToPath(import.meta.url))
const say = (sentence: string) => void process.stderr.write(`greenlight: ${sentence}\n`)

/** What is large comes after the place where it is kept compiled. */
async function startHost(asked: Extract<Invocation, { kind: 'start' }>): Promise<void> {
  const directory = prepareDataDirectory(asked.dataDir)
  if (!directory.ok) {
    say(directory.failure.message)
    process.exit(2)
  }
  const dataDirectory = directory.value
  keepCompiledCode(dataDirectory)
  const { start } = await import('./start')
  await start({ asked, dataDirectory, built, say })
}

function fault(error: unknown): void {
  say(`Something went wrong in Greenlight: ${String(error)}. Please report this.`)
  process.exit(1)
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
    void runErrand(commandLine, { env: process.env, start: null, say }).then((code) => process.exit(code))
    break
  case 'outside': {
    const asked = commandLine
    void import('../cli/claude-command')
      .then(({ runClaude }) => runClaude(asked, { env: process.env, say }))
      .then((code) => process.exit(code))
    break
  }
  case 'run': {
    const asked = commandLine
    void import('./run')
      .then(({ runPrompt }) => runPrompt(asked, say))
      .then((code) => process.exit(code), fault)
    break
  }
  case 'record': {
    const asked = commandLine
    void import('../cli/record-command').then(({ runRecord }) => runRecord(asked)).catch(fault)
    break
  }
  case 'start':
    void startHost(commandLine)
}
