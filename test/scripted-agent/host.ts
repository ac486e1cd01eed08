import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dialects } from '../../src/main/app/dialects'
import { readCommandLine } from '../../src/main/cli/command-line'
import { prepareDataDirectory } from '../../src/main/core/platform/directories'
import { start } from '../../src/main/headless/start'
import { scripted } from './dialect'

// The headless app, which scripted agents can reach too. Built into .cache/scripted-agent by build.ts.
const built = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main')
const say = (sentence: string) => void process.stderr.write(`scripted host: ${sentence}\n`)
const asked = readCommandLine(process.argv.slice(2), process.cwd())
if (asked.kind !== 'start' || asked.dataDir === null) throw new Error('start it with --data-dir and folders')
const directory = prepareDataDirectory(asked.dataDir)
if (!directory.ok) throw new Error(directory.failure.message)
await start({
  asked,
  dataDirectory: directory.value,
  built,
  say,
  dialects: [...dialects, scripted],
})
