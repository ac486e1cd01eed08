import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Runs a program to its end and gives its exit code; 127 where it cannot be started. What it prints goes to stderr,
 * because stdout belongs to what was asked for, unless `stdio` says otherwise.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
    child.once('error', () => resolve(127))
    child.once('close', (code, signal) => resolve(code ?? (signal ? 128 : 1)))
  })
}

/** Runs npm: the one that runs us, where there is one. */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath
  if (npm && /\.c?js$/.test(npm)) return run(process.execPath, [npm, ...args], options)
  return run('npm', args, { shell: process.platform === 'win32', ...options })
}

/** Runs a tool of node_modules by its own script, without a shell and without npx. */
export function runTool(script, args, options = {}) {
  return run(process.execPath, [join(root, 'node_modules', script), ...args], options)
}

/** Where a program lies on PATH; undefined when it is nowhere. */
export function findOnPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not here.
    }
  }
  return undefined
}

export function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}
