import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Changes } from '../src/main/core/changes/changes'
import { FileSwapper } from '../src/main/core/files/compare-and-swap'
import { Ledger } from '../src/main/core/files/ledger'
import { findIgnoredIn, findUnchanged, readCommitted, readWorkTree } from '../src/main/core/git/work-tree'
import { rowOf, type Row } from './row'

const files = 10_000
const folders = 20
/** A stall that a person feels, in milliseconds. */
const felt = 100

/** An agent's command writes 10,000 committed files anew: whether the host stalls, and whether it misses any. */
export async function run(): Promise<Row[]> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-bench-')))
  const folder = join(base, 'project')
  for (let at = 0; at < folders; at += 1) mkdirSync(join(folder, `d${at}`), { recursive: true })
  for (let at = 0; at < files; at += 1) writeFileSync(join(folder, `d${at % folders}`, `f${at}`), 'old\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')

  const grouped: Promise<number>[] = []
  const changes = new Changes({
    directory: join(base, 'data'),
    git: {
      look: (at) => readWorkTree(at, {}),
      ignored: (at, paths) => findIgnoredIn(at, paths, {}),
      committed: (at, paths, sizeOf, most) => readCommitted(at, paths, sizeOf, most, {}),
      unchanged: (at, paths) => findUnchanged(at, paths, {}),
    },
    reviews: {
      isUnderReview: () => false,
      isExpected: () => false,
      open: () => Promise.resolve('r'),
    },
    swapper: new FileSwapper(),
    ledger: new Ledger(),
    report: (error) => grouped.push(Promise.reject(error as Error)),
  })
  const agent = { id: 'a', name: 'Agent', pid: null, workedAt: 1, mayBeQuiet: false }
  const window = changes.follow({
    folders: () => [folder],
    agents: {
      list: () => [{ ...agent, workedAt: Date.now() }],
      onChange: () => ({ dispose: () => undefined }),
    },
    isOn: () => true,
    warn: () => undefined,
  })
  await window.flush()
  const seen = () => changes.groups.list().reduce((sum, group) => sum + group.files.length, 0)
  const all = new Promise<void>((resolve) => {
    changes.groups.onChange(() => {
      if (seen() >= files) resolve()
    })
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const begun = performance.now()
  const script = `const fs = require('node:fs')
    for (let at = 0; at < ${files}; at++) fs.writeFileSync(process.argv[1] + '/d' + at % ${folders} + '/f' + at, 'new\\n')`
  const child = spawn(process.execPath, ['-e', script, folder], { stdio: 'inherit' })
  const wrote = new Promise<number>((resolve) => child.once('exit', () => resolve(performance.now() - begun)))
  const tooLong = new Promise((resolve) => setTimeout(resolve, 60_000))
  await Promise.race([all, tooLong])
  const took = performance.now() - begun
  delay.disable()
  const written = await wrote
  const count = seen()
  window.dispose()
  // The list is told before it is on disk.
  await changes.groups.flush()
  changes.dispose()
  await rm(base, { recursive: true, force: true, maxRetries: 5 })
  return [
    rowOf({
      name: 'files written anew that are listed',
      ours: count,
      limit: files,
      unit: '',
      target: { least: 1 },
    }),
    rowOf({
      name: 'longest stall of the host meanwhile',
      ours: delay.max / 1e6 - 5,
      limit: felt,
      target: { most: 1 },
    }),
    rowOf({ name: 'until all are listed, beside the writing itself', ours: took, limit: written }),
  ]
}
