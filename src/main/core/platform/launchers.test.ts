import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { editorVariable, isPlainPath, windowsLauncher, writeLaunchers } from './launchers'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-launchers-'))
})
afterEach(() => rmSync(base, { recursive: true }))

/** A script that tells how it was run. */
function program(name = 'tell.mjs') {
  const script = join(base, name)
  writeFileSync(
    script,
    'process.stdout.write(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]))',
  )
  return { node: process.execPath, script }
}

function written(directory: string, given = program()) {
  const launchers = writeLaunchers(directory, given)
  if (!launchers.ok) throw new Error(launchers.failure.message)
  return launchers.value
}

test('both run the script as Node, with every word as it was', (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const { folder, editor } = written(base, program("it's $HOME.mjs"))
  const words = ['a b', "it's", '$HOME', '']
  const said = (path: string) => JSON.parse(execFileSync(path, words, { encoding: 'utf8' })) as unknown
  expect(said(join(folder, 'greenlight'))).toEqual(['1', ...words])
  expect(said(editor)).toEqual(['1', '--wait', ...words])
  // As git runs it: by a shell, with the file behind.
  const byShell = execFileSync('/bin/sh', ['-c', `${editor} "$@"`, editor, 'COMMIT_EDITMSG'], {
    encoding: 'utf8',
  })
  expect(JSON.parse(byShell)).toEqual(['1', '--wait', 'COMMIT_EDITMSG'])
  expect(statSync(editor).mode & 0o777).toBe(0o700)
})

test('are written anew at each start, with the program of that start', (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const first = written(base)
  const second = written(base, { node: '/opt/other/node', script: '/opt/other/script.js' })
  expect(second.editor).toBe(first.editor)
  expect(readFileSync(second.editor, 'utf8')).toContain("exec '/opt/other/node' '/opt/other/script.js'")
  second.dispose()
  expect(existsSync(second.editor)).toBe(true)
})

test('a path with blanks is none for EDITOR: they lie elsewhere until the end', () => {
  const directory = join(base, 'Application Support')
  mkdirSync(directory)
  const launchers = written(directory)
  expect(launchers.editor).not.toContain(' ')
  expect(launchers.folder.startsWith(directory)).toBe(false)
  launchers.dispose()
  expect(existsSync(dirname(launchers.editor))).toBe(false)
})

test('where nothing can be written it is a sentence', () => {
  writeFileSync(join(base, 'bin'), '')
  expect(writeLaunchers(base, program())).toMatchObject({
    ok: false,
    failure: { code: 'no-launchers', message: expect.stringContaining('editor') },
  })
})

test('on Windows a batch file, whose path git’s own shell can read', () => {
  const text = windowsLauncher({ node: 'C:\\100%\\node.exe', script: 'C:\\app\\errand.js' }, ['--wait'])
  expect(text).toContain('"C:\\100%%\\node.exe" "C:\\app\\errand.js" "--wait" %*\r\n')
  expect(text).toContain('set ELECTRON_RUN_AS_NODE=1\r\n')
  expect(editorVariable('C:\\Data\\bin\\greenlight-edit.cmd', 'win32')).toBe(
    'C:/Data/bin/greenlight-edit.cmd',
  )
  expect(editorVariable('C:\\Ada L\\greenlight-edit.cmd', 'win32')).toBe('"C:/Ada L/greenlight-edit.cmd"')
})

test.each([
  ['/home/ada/.config/greenlight/bin', true],
  ['/tmp/a+b,c@d:e=f', true],
  ['/home/Ada L', false],
  ['/home/$ada', false],
  ["/it's", false],
  ['/ü', false],
  ['/a\\b', false],
])('%s is plain: %s', (path, plain) => expect(isPlainPath(path, 'linux')).toBe(plain))
