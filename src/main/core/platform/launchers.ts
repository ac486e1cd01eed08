import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Small programs that the app's terminals can run. */
export interface Launchers extends Disposable {
  /** For the end of PATH. */
  readonly folder: string
  /** The value for EDITOR: a launcher that waits until its files are closed. */
  readonly editor: string
}

/** The app's command line, and the same with --wait in front. */
const names = { command: 'greenlight', editor: 'greenlight-edit' }

/**
 * Writes the launchers into a folder of the data directory, at each start because the program may have moved. If that
 * folder's path contains spaces, they go into a temporary folder until disposed, because programs split EDITOR at
 * spaces. Fails as `no-launchers` if neither can be written.
 */
export function writeLaunchers(
  dataDirectory: string,
  program: LaunchedProgram,
  platform: NodeJS.Platform = process.platform,
): Result<Launchers> {
  const usual = join(dataDirectory, 'bin')
  try {
    const [folder, release] = isPlainPath(usual, platform) ? [usual, () => undefined] : temporaryFolder()
    mkdirSync(folder, { recursive: true, mode: privateFolderMode })
    const ending = platform === 'win32' ? '.cmd' : ''
    const write = (name: string, words: readonly string[]) => {
      const text = platform === 'win32' ? windowsLauncher(program, words) : unixLauncher(program, words)
      const path = join(folder, `${name}${ending}`)
      // A new file instead of new text in the old one, which another start may be running.
      rmSync(path, { force: true })
      writeFileSync(path, text, { mode: 0o700 })
      return path
    }
    write(names.command, [])
    const editor = write(names.editor, ['--wait'])
    return succeed({ folder, editor: editorVariable(editor, platform), ...disposable(release) })
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return fail('no-launchers', `Commands in terminals can’t use Greenlight as their editor (${code}).`)
  }
}

/** A launcher for a Unix shell. With `exec` it leaves no process behind. */
function unixLauncher({ node, script }: LaunchedProgram, words: readonly string[]): string {
  const command = [node, script, ...words].map(quoteForShell).join(' ')
  return `#!/bin/sh\n# Written by Greenlight at each of its starts.\nELECTRON_RUN_AS_NODE=1 exec ${command} "$@"\n`
}

/** A launcher for the command interpreter of Windows. */
export function windowsLauncher({ node, script }: LaunchedProgram, words: readonly string[]): string {
  // A percent sign in a path would begin a variable.
  const command = [node, script, ...words].map((word) => `"${word.replaceAll('%', '%%')}"`).join(' ')
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

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
