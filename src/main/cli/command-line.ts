import { type Arguments, helpText, parseArguments } from './arguments'
import type { RecordArguments } from './record-arguments'
import type { ClaudeArguments } from './claude-command'
import type { RunArguments } from './run-arguments'
import type { Errand } from './errands'
import { complainAboutFolders } from './folders-to-open'
import { complainAboutFiles, findPlace } from './places'
import { version } from './version'

/** What to do: start a host, ask the running app for something, answer a prompt, or print something and end. */
export type Invocation =
  | Extract<Arguments, { kind: 'start' }>
  | Errand
  | RunArguments
  | RecordArguments
  | ClaudeArguments
  | { kind: 'stop'; stdout: string; stderr: string; code: number }

/** Reads the command line and looks whether what it names is there. */
export function readCommandLine(words: readonly string[], cwd: string): Invocation {
  const parsed = parseArguments(words, cwd)
  switch (parsed.kind) {
    case 'help':
      return { kind: 'stop', stdout: helpText, stderr: '', code: 0 }
    case 'version':
      return { kind: 'stop', stdout: `${version}\n`, stderr: '', code: 0 }
    case 'wrong':
      return stop(parsed.sentence)
    case 'edit': {
      const files = parsed.files.map((word) => findPlace(word, cwd))
      const complaint = complainAboutFiles(
        files.map(({ path }) => path),
        { mayBeNew: true },
      )
      return complaint ? stop(complaint) : { ...parsed, files }
    }
    case 'compare': {
      const complaint = complainAboutFiles([parsed.left, parsed.right])
      return complaint ? stop(complaint) : parsed
    }
    case 'record':
    case 'outside':
      return parsed
    case 'run': {
      const complaint = complainAboutFolders([parsed.request.folder])
      return complaint ? stop(complaint) : parsed
    }
    case 'start': {
      const complaint = complainAboutFolders(parsed.folders)
      return complaint ? stop(complaint) : parsed
    }
  }
}

function stop(sentence: string): Invocation {
  return { kind: 'stop', stdout: '', stderr: `greenlight: ${sentence}\n`, code: 2 }
}
