// npm run bench [NAME…]: runs each benchmark (bench/NAME.ts with a `run`) by itself, figures as ratios to a bare limit.
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

/** A file that measures has a `run`; the others are its parts. */
function isBench(file) {
  return /^export (async )?function run\(/m.test(readFileSync(file, 'utf8'))
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

/** One file, in a process of its own, so that the next one begins with a clean heap. */
async function measure(file) {
  const bench = await import(pathToFileURL(file).href)
  const rows = await bench.run()
  writeFileSync(`${file}.json`, JSON.stringify(rows))
  print(rows)
}

async function main(names) {
  requireNode()
  await ensureInstalled()
  await ensureBuilt()
  await ensureChromium()
  mkdirSync(out, { recursive: true })
  const tools = await import(
    pathToFileURL(await bundle(join(here, '..', 'test', 'module-path.ts'), 'module-path')).href
  )
  const files = readdirSync(here).filter((name) => name.endsWith('.ts') && isBench(join(here, name)))
  let failed = 0
  for (const file of files) {
    const name = basename(file, '.ts')
    if (names.length > 0 && !names.includes(name)) continue
    process.stdout.write(`\n${name}\n`)
    const built = await bundle(join(here, file), name, [tools.modulePath()])
    const code = await run(
      process.execPath,
      ['--expose-gc', fileURLToPath(import.meta.url), '--one', built],
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
  await measure(rest[0])
  process.exit(0)
}
await main(process.argv.slice(2))
