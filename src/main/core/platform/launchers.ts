import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Result, fail, succeed } from '../../../shared/result'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { privateFolderMode } from './file-modes'

/** The program that a launcher starts. */
export interface LaunchedProgram {
  /** Node, or Electron, which is Node when ELECTRON_RUN_AS_NODE is set. */
  node: string
  /** The script that it runs. */
  script: string
}

/** A program that stands before another of the same name on the PATH of terminals. */
export interface Wrapper {
  /** The name of both. */
  command: string
  /** Its text for a Unix shell; `program` runs Greenlight's commands. It skips folders with `wrapperMark`. */
  unix(program: LaunchedProgram): string
  /** Its text for Windows' command interpreter. */
  windows(program: LaunchedProgram): string
}

/** Marks a folder of wrappers, of this Greenlight or another, so that no wrapper wraps another. */
export const wrapperMark = '.greenlight-wrappers'

/** Small programs that the app's terminals can run. */
export interface Launchers extends Disposable {
  /** For the front of PATH: the wrappers; null if there are none. */
  readonly front: string | null
  /** For the end of PATH. */
  readonly folder: string
  /** The value for EDITOR: a launcher that waits until its files are closed. */
  readonly editor: string
}

/** The app's command line, and the same with --wait in front. */
const names = { command: 'greenlight', editor: 'greenlight-edit' }

/**
 * Writes the launchers and the wrappers into folders of the data directory, at each start because the program may have
 * moved. If the launchers' path contains spaces, they go into a temporary folder until disposed, because programs split
 * EDITOR at spaces. Fails as `no-launchers` if something can't be written.
 */
export function writeLaunchers(
  dataDirectory: string,
  program: LaunchedProgram,
  wrappers: readonly Wrapper[] = [],
): Result<Launchers> {
  const { platform } = process
  const usual = join(dataDirectory, 'bin')
  try {
    const [folder, release] = isPlainPath(usual, platform) ? [usual, () => undefined] : temporaryFolder()
    mkdirSync(folder, { recursive: true, mode: privateFolderMode })
    const write = (name: string, words: readonly string[]) =>
      writeProgram(
        folder,
        name,
        platform === 'win32' ? windowsLauncher(program, words) : unixLauncher(program, words),
      )
    write(names.command, [])
    const editor = write(names.editor, ['--wait'])
    return succeed({
      folder,
      editor: editorVariable(editor, platform),
      front: writeWrappers(join(dataDirectory, 'agent-bin'), program, wrappers),
      ...disposable(release),
    })
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return fail('no-launchers', `Commands in terminals can’t use Greenlight as their editor (${code}).`)
  }
}

/** Null if there are no wrappers, or if PATH can't hold the folder. */
function writeWrappers(
  folder: string,
  program: LaunchedProgram,
  wrappers: readonly Wrapper[],
): string | null {
  if (wrappers.length === 0 || folder.includes(delimiter)) return null
  mkdirSync(folder, { recursive: true, mode: privateFolderMode })
  writeFileSync(join(folder, wrapperMark), '')
  for (const { command, unix, windows } of wrappers)
    writeProgram(folder, command, (process.platform === 'win32' ? windows : unix)(program))
  return folder
}

function writeProgram(folder: string, name: string, text: string): string {
  const path = join(folder, process.platform === 'win32' ? `${name}.cmd` : name)
  // A new file instead of new text in the old one, which another start may be running.
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o700 })
  return path
}

/** A launcher for a Unix shell. With `exec` it leaves no process behind. */
function unixLauncher({ node, script }: LaunchedProgram, words: readonly string[]): string {
  const command = [node, script, ...words].map(quoteForShell).join(' ')
  return `#!/bin/sh\n# Written by Greenlight at each of its starts.\nELECTRON_RUN_AS_NODE=1 exec ${command} "$@"\n`
}

/** A launcher for Windows' command interpreter. */
export function windowsLauncher({ node, script }: LaunchedProgram, words: readonly string[]): string {
  const command = [node, script, ...words].map(quoteForBatch).join(' ')
  return [
    '@echo off',
    'rem Written by Greenlight at each of its starts.',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    `${command} %*`,
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n')
}

/**
 * A launcher's path for EDITOR. Git reads EDITOR with a Unix shell on Windows too, where a backslash would escape the
 * next letter.
 */
export function editorVariable(path: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return path
  const slashed = path.replaceAll('\\', '/')
  return isPlainPath(path, platform) ? slashed : `"${slashed}"`
}

/** Whether a path reads the same for a shell, and for programs that split a command at spaces. */
export function isPlainPath(path: string, platform: NodeJS.Platform): boolean {
  return (platform === 'win32' ? /^[\w./\\:+,@=-]+$/ : /^[\w./+,@:=-]+$/).test(path)
}

function temporaryFolder(): [string, () => void] {
  const folder = mkdtempSync(join(tmpdir(), 'greenlight-'))
  return [folder, () => rmSync(folder, { recursive: true, force: true })]
}

/** A word as a Unix shell reads it back. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** A word for a batch file, in which a percent sign would begin a variable. */
function quoteForBatch(word: string): string {
  return `"${word.replaceAll('%', '%%')}"`
}
