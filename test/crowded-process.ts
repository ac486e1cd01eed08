import { closeSync, openSync } from 'node:fs'
import { runGit } from '../src/main/core/git/run-git'
import { outputOf, startProgram } from '../src/main/core/platform/child-process'
import { runRipgrep } from '../src/main/core/platform/ripgrep'

/** A program for a test: uses up its descriptors, and then starts programs in every way that the host does. */
const folder = process.cwd()
const run = async () => !(await outputOf(process.execPath, ['-e', ''], {})).hasFailed
const before = await run()
const taken: number[] = []
for (;;) {
  try {
    taken.push(openSync(process.execPath, 'r'))
  } catch {
    break
  }
}
const started = startProgram(process.execPath, ['-e', ''], {}) !== null || (await run())
const git = await runGit({ folder, args: ['--version'] })
const { signal } = new AbortController()
const search = { program: process.execPath, folder, args: [], output: () => true, signal }
const ripgrep = (await runRipgrep(search)).isStarted
for (const file of taken) closeSync(file)
// Node leaves the pipes open that it made for a program without a descriptor.
process.stdout.write(JSON.stringify({ before, started, git, ripgrep, after: await run() }), () =>
  process.exit(),
)
