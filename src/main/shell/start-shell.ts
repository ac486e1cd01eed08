import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app as electron } from 'electron/main'
import type { Dialect } from '../app/dialect-kit/dialect'
import { readCommandLine } from '../cli/command-line'
import { runErrand } from '../cli/errands'
import { keepCompiledCode } from '../core/platform/compiled-code'
import { prepareDataDirectory } from '../core/platform/directories'
import { runNodeScript } from '../core/platform/node-script'
import { programArguments } from './program-arguments'

interface ShellBeginning {
  /** The folder out/main; absent: this file's own. */
  built?: string
  /** The dialects that the app speaks; absent: those of its list. */
  dialects?: readonly Dialect[]
}

/** Starts Electron's side: reads the arguments, takes the locks, opens the first window. Called once, before `ready`. */
export function startShell({
  built = dirname(fileURLToPath(import.meta.url)),
  ...more
}: ShellBeginning = {}): void {
  const words = programArguments(
    process.argv,
    { path: electron.getAppPath(), packaged: electron.isPackaged },
    process.cwd(),
  )
  const asked = readCommandLine(words, process.cwd())
  if (asked.kind === 'stop') return stop(asked.stdout, asked.stderr, asked.code)
  if (asked.kind === 'run' || asked.kind === 'record')
    return runWithoutElectron(built, words, `greenlight ${asked.kind}`, asked.kind)
  if (asked.kind === 'outside') {
    void runNodeScript(join(built, 'errand.js'), words).then((code) => electron.exit(code))
    return
  }
  if (asked.kind !== 'start') {
    // An app that was started for this alone would be one without its folders: it starts as any other does.
    const start = [process.execPath, ...(electron.isPackaged ? [] : [electron.getAppPath()])]
    const say = (sentence: string) => void process.stderr.write(`greenlight: ${sentence}\n`)
    void runErrand(asked, { env: process.env, start, say }).then((code) => electron.exit(code))
    return
  }
  if (asked.mode !== 'window') return runWithoutElectron(built, words, `--${asked.mode}`, `--${asked.mode}`)
  const directory = prepareDataDirectory(asked.dataDir)
  if (!directory.ok) return stop('', `greenlight: ${directory.failure.message}\n`, 2)

  // Before the single-instance lock, which is one per userData; and apart from our own files.
  const profile = prepareDataDirectory(join(directory.value, 'electron'))
  if (!profile.ok) return stop('', `greenlight: ${profile.failure.message}\n`, 2)
  electron.setPath('userData', profile.value)
  if (!electron.requestSingleInstanceLock({ folders: asked.folders })) return electron.exit(0)
  // What is large comes after the place where it is kept compiled, and still before Electron is ready.
  keepCompiledCode(directory.value)
  void import('./shell').then(({ Shell }) =>
    new Shell({ directory: directory.value, built, ...more }).run(asked.folders),
  )
}

/** An installed app is Node too, on the same archive; beside a clone there is Node itself. */
function runWithoutElectron(built: string, words: readonly string[], what: string, option: string): void {
  if (electron.isPackaged)
    return void runNodeScript(join(built, 'headless.js'), words).then((code) => electron.exit(code))
  stop('', `greenlight: ${what} runs without Electron: npm start -- ${option}\n`, 2)
}

function stop(stdout: string, stderr: string, code: number): void {
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  electron.exit(code)
}
