// An agent that asks nobody: it does what it finds in its folder of tasks, saying so all the while.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [folder] = process.argv.slice(2)
process.stdout.write('Robot is ready.\r\n')

/** A model thinks before its agent writes, and the agent says so; only what is seen to work is in a turn. */
const thinking = 600
const begun = new Map()

setInterval(() => {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue
    const since = begun.get(name)
    if (since === undefined) {
      begun.set(name, Date.now())
      process.stdout.write(`Working on ${name}.\r\n`)
    }
    if (since === undefined || Date.now() - since < thinking) continue
    const { writes, run } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const [path, text] of writes) {
      mkdirSync(dirname(path), { recursive: true })
      if (text === null) rmSync(path)
      else writeFileSync(path, text)
    }
    if (run) execFileSync(run[0], run.slice(1), { cwd: process.cwd() })
    process.stdout.write(`Done with ${name}.\r\n`)
    rmSync(join(folder, name))
  }
  // Seldom enough that looking is no work that a system counts: who computes is taken to be in a turn.
}, 200)
