import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isolation } from './isolation.mjs'
import { root, run, runTool, say } from './programs.mjs'

/** How many of Playwright's tests may need their second try before the run counts as failed. */
const mostSecondTries = 8
/** How many of vitest's tests may. */
const mostRepeated = 3

const results = join(root, '.cache', 'results')
// Vite's next loader of configurations would want file extensions, which TypeScript does not.
const toScreen = (more = {}) => ({
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true', ...more },
})

/**
 * How many tests passed, failed and were skipped, and what the failed ones are called; a check without tests of its own
 * counts only when it fails.
 */
export const nothing = { passed: 0, failed: 0, skipped: 0, names: [] }

export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    names: [...a.names, ...b.names],
  }
}

/** What there is to count where one thing failed that is not a test. */
export function failure(name) {
  return { ...nothing, failed: 1, names: [name] }
}

async function step(name, script, args) {
  say(`\n${name}`)
  const code = await runTool(script, args, toScreen())
  return code === 0 ? nothing : failure(name)
}

/** Types, lint and format: what needs nothing to run. */
export async function checkStatically() {
  const types = await step('Types', 'typescript/bin/tsc', ['-b'])
  const lint = await step('Lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings'])
  const format = await step('Format', 'oxfmt/bin/oxfmt', ['--check', '.'])
  return add(add(types, lint), format)
}

/**
 * Runs one of vitest's projects and counts its tests. Where no more than a few failed, their files are run once more by
 * themselves, as Playwright does it: what passes then is named and counted as passed.
 */
export async function runVitest(project, args = []) {
  say(`\nTests: ${project}`)
  const first = await vitest(project, args)
  const ran = first.report?.testResults ?? []
  const files = ran.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (files.length === 0 || first.counted.failed > mostRepeated) return first.counted
  say(`\nTests: ${project}, once more: ${files.map((file) => relative(root, file)).join(', ')}`)
  const again = await vitest(project, [...options(args), ...files])
  const { failed, names } = again.counted
  const passed = first.counted.passed + first.counted.failed - failed
  if (failed === 0) say(`\nPassed at the second try only: ${first.counted.names.join('; ')}`)
  return { ...first.counted, passed, failed, names }
}

const options = (args) => args.filter((arg) => arg.startsWith('-'))

async function vitest(project, args) {
  const file = fresh(`vitest-${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runTool(
    'vitest/vitest.mjs',
    ['run', '--project', project, ...reporters, ...args],
    toScreen(),
  )
  const report = read(file)
  const counted = {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    names: (report?.testResults ?? []).flatMap(failuresOf),
  }
  return { report, counted: honest(counted, code, `Tests: ${project}`) }
}

/**
 * Runs Playwright's specs and counts them. A test that passes at its second try is named and counted as passed, but no
 * more than a few may: a machine that stalls fells one or two of hundreds, a fault fells more, or the same one twice.
 * The real command lines run apart, where there is no network, if the system allows that; they must have been installed before.
 */
export async function runPlaywright(args = []) {
  const isolated = isolation()
  if ('reason' in isolated) {
    say(`\nTests in Chromium (the real command lines have a network: ${isolated.reason})`)
    return playwright('playwright', args)
  }
  const { projects, others } = projectsOf(args)
  const apart = projects.filter((name) => name !== 'interop')
  let sum = nothing
  if (projects.length === 0 || apart.length > 0) {
    say('\nTests in Chromium')
    const words = [...apart.map((name) => `--project=${name}`), ...others]
    sum = await playwright('playwright', words, { env: { GREENLIGHT_INTEROP: 'apart' } })
  }
  if (projects.length === 0 || apart.length < projects.length) {
    say(`\nTests with the real command lines, without a network (${isolated.name})`)
    const inside = { env: { GREENLIGHT_NETWORK: 'none' }, prefix: isolated.prefix }
    sum = add(sum, await playwright('playwright-interop', ['--project=interop', ...others], inside))
  }
  const { passed, failed, skipped } = sum
  if (passed + failed + skipped > 0) return sum
  return failure('These words pick no test.')
}

/** The projects that Playwright's words name, and the other words. */
function projectsOf(args) {
  const projects = []
  const others = []
  let naming = false
  for (const word of args) {
    if (word.startsWith('--project=')) projects.push(word.slice('--project='.length))
    else if (naming && !word.startsWith('-')) projects.push(word)
    else if (word !== '--project') others.push(word)
    naming = word === '--project' || (naming && !word.startsWith('-'))
  }
  return { projects, others }
}

/** One run of Playwright; words that pick files may pick none of it. */
async function playwright(name, args, { env = {}, prefix = [] } = {}) {
  const file = fresh(`${name}.json`)
  const quiet = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, DISPLAY: '', WAYLAND_DISPLAY: '', ...env }
  const script = join(root, 'node_modules', '@playwright/test/cli.js')
  const [program, ...words] = [
    ...prefix,
    process.execPath,
    script,
    'test',
    '--pass-with-no-tests',
    '--retries=1',
    ...args,
  ]
  const code = await run(program, words, toScreen(quiet))
  const report = read(file)
  const secondTries = report?.stats.flaky ?? 0
  if (secondTries > 0) say(`\nPassed at the second try only: ${titlesOf(report, 'flaky').join('; ')}`)
  const isTooMany = secondTries > mostSecondTries
  if (isTooMany) say(`That is more than ${mostSecondTries}: they count as failed.`)
  const counted = {
    passed: (report?.stats.expected ?? 0) + (isTooMany ? 0 : secondTries),
    failed: (report?.stats.unexpected ?? 0) + (isTooMany ? secondTries : 0),
    skipped: report?.stats.skipped ?? 0,
    names: [...titlesOf(report, 'unexpected'), ...(isTooMany ? titlesOf(report, 'flaky') : [])],
  }
  return honest(counted, code, name)
}

/** The titles of the specs in Playwright's report that ended so; none where there is no report. */
function titlesOf(report, status) {
  const { suites = [], specs = [] } = report ?? {}
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.filter((test) => test.status === status).map((test) => `[${test.projectName}] ${file}: ${title}`),
  )
  return [...own, ...suites.flatMap((suite) => titlesOf(suite, status))]
}

/** The failed tests of one file of vitest's report; the file itself where it could not be run. */
function failuresOf({ name, status, assertionResults }) {
  const file = relative(root, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && failed.length === 0) return [file]
  return failed.map(({ fullName }) => `${file}: ${fullName}`)
}

/** A run that failed without a failed test (a file that does not load, a setup that throws) is a failure too. */
function honest(counted, code, name) {
  if (code === 0 || counted.failed > 0) return counted
  return { ...counted, failed: 1, names: [...counted.names, `${name} (exit code ${code})`] }
}

function fresh(name) {
  mkdirSync(results, { recursive: true })
  const file = join(results, name)
  rmSync(file, { force: true })
  return file
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** What failed, then the last line, and the exit code that goes with it. */
export function conclude({ passed, failed, skipped, names }) {
  if (names.length > 0) process.stdout.write(`\nFailed:\n${names.map((name) => `  ${name}\n`).join('')}`)
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  process.exitCode = failed > 0 ? 1 : 0
}
