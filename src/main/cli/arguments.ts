import { resolve } from 'node:path'
import { type RecordArguments, parseRecord } from './record-arguments'
import { claudeWrapper } from '../app/claude-hooks/claude-wrapper'
import type { ClaudeArguments } from './claude-command'
import { type RunArguments, parseRun } from './run-arguments'
import { splitOption } from './split-option'

/** What the person asked for on the command line. Folders and the data directory are absolute. */
export type Arguments =
  | {
      kind: 'start'
      folders: string[]
      /** `window`: Electron; `browser`: a Chromium app window; `headless`: serve and open nothing. */
      mode: 'window' | 'browser' | 'headless'
      /** The page's port; null: any free one. */
      port: number | null
      dataDir: string | null
    }
  /** Files to be edited in the running app, as they were typed: with a line and a column at their end, perhaps. */
  | { kind: 'edit'; files: string[]; dataDir: string | null }
  /** Two files to be shown beside each other, absolute. */
  | { kind: 'compare'; left: string; right: string; dataDir: string | null }
  | RunArguments
  | RecordArguments
  | ClaudeArguments
  | { kind: 'help' }
  | { kind: 'version' }
  /** A sentence for stderr; the exit code is 2. */
  | { kind: 'wrong'; sentence: string }

/** The word of `npm start` that checks the machine; a folder with such a name is written ./doctor. */
const doctor = 'doctor'

/** Reads the arguments. Pure: nothing is looked up on disk. */
export function parseArguments(words: readonly string[], cwd: string): Arguments {
  const named: string[] = []
  let errand: 'edit' | 'compare' | null = null
  let mode: 'window' | 'browser' | 'headless' = 'window'
  let port: number | null = null
  let dataDir: string | null = null
  let onlyFolders = false

  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (onlyFolders || !word.startsWith('-')) {
      if (word === '') return wrong('The folder name is empty.')
      if (!onlyFolders && errand === null && named.length === 0) {
        if (word === doctor) return wrong(`"${word}" is a command of npm start; the folder is ./${word}.`)
        if (word === 'run' || word === 'record') {
          const rest = [...words.slice(0, index), ...words.slice(index + 1)]
          const asked = word === 'run' ? parseRun(rest, cwd) : parseRecord(rest, cwd)
          return typeof asked === 'string' ? wrong(asked) : asked
        }
        if (word === claudeWrapper.command) {
          if (mode !== 'window' || port !== null)
            return wrong(`greenlight ${word} talks to the running app, so start options don’t apply.`)
          return { kind: 'outside', words: words.slice(index + 1), folder: cwd, dataDir }
        }
      }
      named.push(word)
      continue
    }
    const { name, given } = splitOption(word)
    switch (name) {
      case '--':
        onlyFolders = true
        continue
      case '--help':
      case '--version':
        if (given !== null) return wrong(`${name} takes no value.`)
        return { kind: name === '--help' ? 'help' : 'version' }
      case '--wait':
      case '--diff': {
        if (given !== null) return wrong(`${name} takes its files as separate arguments.`)
        const asked = name === '--wait' ? 'edit' : 'compare'
        if (errand !== null && errand !== asked) return wrong('Choose one of --wait and --diff.')
        errand = asked
        continue
      }
      case '--headless':
      case '--browser': {
        if (given !== null) return wrong(`${name} takes no value.`)
        const asked = name === '--headless' ? 'headless' : 'browser'
        if (mode !== 'window' && mode !== asked) return wrong('Choose one of --headless and --browser.')
        mode = asked
        continue
      }
      case '--port':
      case '--data-dir': {
        const value = given ?? words[++index]
        if (value === undefined || value === '') return wrong(`${name} needs a value.`)
        if (name === '--data-dir') {
          dataDir = resolve(cwd, value)
          continue
        }
        port = /^\d{1,5}$/.test(value) ? Number(value) : -1
        if (port < 1 || port > 65_535) return wrong(`--port needs a number from 1 to 65535, not "${value}".`)
        continue
      }
      default:
        return wrong(`Unknown option ${name}. See --help.`)
    }
  }
  if (errand !== null) {
    const option = errand === 'edit' ? '--wait' : '--diff'
    if (mode !== 'window' || port !== null)
      return wrong(`${option} talks to the running app, so start options don’t apply.`)
    if (errand === 'edit') {
      return named.length > 0 ? { kind: 'edit', files: named, dataDir } : wrong('--wait needs a file.')
    }
    const [left, right] = named
    if (left === undefined || right === undefined || named.length > 2) return wrong('--diff needs two files.')
    return { kind: 'compare', left: resolve(cwd, left), right: resolve(cwd, right), dataDir }
  }
  const folders = [...new Set(named.map((word) => resolve(cwd, word)))]
  return { kind: 'start', folders, mode, port, dataDir }
}

function wrong(sentence: string): Arguments {
  return { kind: 'wrong', sentence }
}

/** What --help prints. */
export const helpText = `Usage: greenlight [FOLDER…] [options]
       greenlight --wait FILE[:LINE[:COLUMN]]…   edit files in the running app, and wait until they are closed
       greenlight --diff FILE FILE               compare two files in the running app
       greenlight run [PROMPT] [run options]     have Claude Code answer one prompt, without a window
       greenlight claude [WORD…]                 start Claude Code in this terminal; its changes are reviewed in the
                                                 open window, and all words are its own
       greenlight record [PATH] [record options] print what agents wrote or asked to write, the newest first
       greenlight doctor                         check this machine and why agents don't connect

Opens folders in one window. Coding agents see it as their editor: you accept, reject or
edit each change they propose before it's written.

Options:
  --headless      serve to a browser on this machine; open nothing
  --browser       serve to a browser and open a Chromium app window
  --port N        the page's port (default: any free one)
  --data-dir DIR  settings, journal and logs (default: the platform's application-data folder)
  --help          print this and exit
  --version       print the version and exit

Options of run (without PROMPT, or with -, the prompt is read from stdin):
  --folder DIR            where it works (default: this folder); it must be trusted in Greenlight
  --model M               the model
  --permission-mode P     default, plan, acceptEdits, auto, dontAsk or bypassPermissions
  --output FORMAT         text (default), json or stream-json
  --resume ID             continue a session
  --allow RULE            allow without asking; may be given several times:
                          run:COMMAND, fetch:ADDRESS, use:TOOL:WHAT, edit:FILE; * stands for anything plain
  --data-dir DIR          as above
What no rule allows is asked in the open window, else refused.
Exit codes: 0 done, 1 error, 2 usage, 3 something was refused

Options of record (PATH: a file or folder; without it, everything that is kept):
  --json                  JSON lines in place of a table
  --texts                 with --json: the texts too, which may hold secrets
  --data-dir DIR          as above

If a folder's name is also a command, write ./NAME.
`
