// npm run bench [NAME[/PART]…]: runs each benchmark (bench/NAME.ts with a `run`, or with `parts` of it) by itself, figures
// as ratios to a bare limit.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from '../scripts/building.mjs'
import { ensureChromium } from '../scripts/chromium.mjs'
import { ensureInstalled } from '../scripts/installation.mjs'
import { requireNode } from '../scripts/node-version.mjs'
import { run } from '../scripts/programs.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, '..', '.cache', 'bench')

/** Bundles a TypeScript file with all of ours and none of node_modules, so that what is measured is what is built. */
async function bundle(source, name, plugins = []) {
  const { rolldown } = await import('rolldown')
  const file = join(out, `${name}.mjs`)
  const build = await rolldown({
    input: source,
    platform: 'node',
    plugins,
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.endsWith('?modulePath'),
    logLevel: 'warn',
  })
  await build.write({ file, format: 'esm', codeSplitting: false, sourcemap: 'inline' })
  await build.close()
  return file
}

/** A file that measures exports what it runs; the others are what it is made of. */
function isBench(file) {
  return /^export ((async )?function run\(|const parts\b)/m.test(readFileSync(file, 'utf8'))
}

function showTarget(target) {
  if (!target) return ''
  return 'most' in target ? `≤ ${target.most}` : `≥ ${target.least}`
}

function misses({ ratio, target }) {
  if (!target) return false
  return 'most' in target ? !(ratio <= target.most) : !(ratio >= target.least)
}

function print(rows) {
  const columns = ['', 'ours', 'limit', 'unit', 'ratio', 'target', '']
  const number = (value) =>
    Number.isFinite(value) ? Number(value.toPrecision(3)).toLocaleString('en-US') : '–'
  const table = [
    columns,
    ...rows.map((row) => [
      row.name,
      number(row.ours),
      number(row.limit),
      row.unit ?? 'ms',
      number(row.ratio),
      showTarget(row.target),
      misses(row) ? 'missed' : '',
    ]),
  ]
  const widths = columns.map((_column, index) => Math.max(...table.map((line) => line[index].length)))
  for (const line of table) {
    const cells = line.map((cell, index) =>
      index === 0 || index >= 5 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]),
    )
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
}

/** One file, in a process of its own, so that the next one begins with a clean heap. Rows are told as soon as they are there. */
async function measure(file, wanted) {
  const bench = await import(pathToFileURL(file).href)
  const parts = Object.entries(bench.parts ?? { '': bench.run })
  const rows = []
  for (const [part, run] of parts) {
    if (wanted !== '' && part !== wanted) continue
    const begun = performance.now()
    const measured = await run()
    rows.push(...measured)
    print(measured)
    process.stdout.write(`${part}${part && ': '}${Math.round((performance.now() - begun) / 1000)} s\n`)
  }
  if (rows.length === 0)
    throw new Error(`It has no part ${wanted}, only ${parts.map(([part]) => part).join(', ')}.`)
  writeFileSync(`${file}.json`, JSON.stringify(rows))
}

async function main(words) {
  requireNode()
  const benches = readdirSync(here).filter((name) => name.endsWith('.ts') && isBench(join(here, name)))
  const all = benches.map((file) => basename(file, '.ts'))
  const asked = (words.length === 0 ? all : words).map((word) => word.split('/'))
  const unknown = asked.find(([name]) => !all.includes(name))
  if (unknown) {
    process.stderr.write(`There is no benchmark ${unknown[0]}, only ${all.join(', ')}.\n`)
    process.exitCode = 2
    return
  }
  await ensureInstalled()
  await ensureBuilt()
  await ensureChromium()
  mkdirSync(out, { recursive: true })
  const tools = await import(
    pathToFileURL(await bundle(join(here, '..', 'test', 'module-path.ts'), 'module-path')).href
  )
  let failed = 0
  for (const [name, part = ''] of asked) {
    process.stdout.write(`\n${name}\n`)
    const built = await bundle(join(here, `${name}.ts`), name, [tools.modulePath()])
    const code = await run(
      process.execPath,
      ['--expose-gc', fileURLToPath(import.meta.url), '--one', built, part],
      {
        stdio: 'inherit',
      },
    )
    if (code !== 0) failed++
  }
  process.exitCode = failed > 0 ? 1 : 0
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--one') {
  // The app's own watches and timers keep no process alive: a benchmark that waits for one of them does.
  setInterval(() => undefined, 60_000)
  await measure(rest[0], rest[1])
  process.exit(0)
}
await main(process.argv.slice(2))
