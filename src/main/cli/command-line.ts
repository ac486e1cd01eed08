import { type Arguments, helpText, parseArguments } from './arguments'
import { complainAboutFolders } from './folders'
import { version } from './version'

/** What to do: start a host, or print something and end. */
export type CommandLine =
  | Extract<Arguments, { kind: 'start' }>
  | { kind: 'stop'; stdout: string; stderr: string; code: number }

/** Reads the command line and looks whether its folders are there. */
export function readCommandLine(words: readonly string[], cwd: string): CommandLine {
  const parsed = parseArguments(words, cwd)
  switch (parsed.kind) {
    case 'help':
      return { kind: 'stop', stdout: helpText, stderr: '', code: 0 }
    case 'version':
      return { kind: 'stop', stdout: `${version}\n`, stderr: '', code: 0 }
    case 'wrong':
      return stop(parsed.sentence)
    case 'start': {
      const complaint = complainAboutFolders(parsed.folders)
      return complaint ? stop(complaint) : parsed
    }
  }
}

function stop(sentence: string): CommandLine {
  return { kind: 'stop', stdout: '', stderr: `greenlight: ${sentence}\n`, code: 2 }
}
