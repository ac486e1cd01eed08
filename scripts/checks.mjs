import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { isolation } from './isolation.mjs'
import { root, run, runTool, say } from './programs.mjs'

const results = join(root, '.cache', 'results')
// Vite's next loader of configurations would want file extensions, which TypeScript does not.
const toScreen = (more = {}) => ({
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true', ...more },
})

/**
 * How many tests passed and failed, the names of those that failed, and those that were skipped with the reason of each;
 * a check without tests of its own counts only when it fails.
 */
export const nothing = { passed: 0, failed: 0, names: [], skips: [] }

export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    names: [...a.names, ...b.names],
    skips: [...a.skips, ...b.skips],
  }
}

/** What there is to count where one thing failed that is not a test. */
export function failure(name) {
  return { ...nothing, failed: 1, names: [name] }
}

/** How long each part took, in seconds: what grows is seen in time. */
const taken = []

async function timed(name, part) {
  const begun = performance.now()
  const result = await part()
  taken.push({ name, seconds: (performance.now() - begun) / 1000 })
  return result
}

async function step(name, script, args) {
  say(`\n${name}`)
  const code = await timed(name, () => runTool(script, args, toScreen()))
  return code === 0 ? nothing : failure(name)
}

/** Types, lint and format: what needs nothing to run. */
export async function checkStatically() {
  const types = await step('Types', 'typescript/bin/tsc', ['-b'])
  const lint = await step('Lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings'])
  const format = await step('Format', 'oxfmt/bin/oxfmt', ['--check', '.'])
  return add(add(types, lint), format)
}

/** Runs one of vitest's projects and counts its tests. */
export async function runVitest(project, args = []) {
  const heading = `Tests: ${project}`
  say(`\n${heading}`)
  const file = fresh(`vitest-${project}.json`)
  const skipsFile = fresh(`vitest-${project}-skips.json`)
  const code = await timed(heading, () =>
    runTool(
      'vitest/vitest.mjs',
      ['run', '--project', project, ...args],
      toScreen({ GREENLIGHT_RESULTS: file.slice(0, -'.json'.length) }),
    ),
  )
  const report = read(file)
  const counted = {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    names: (report?.testResults ?? []).flatMap(failuresOf),
    skips: read(skipsFile) ?? [],
  }
  return honest(counted, code, heading)
}

/** The unit tests: of the host and the tools, and of the page and what both share. */
export const runUnitTests = (args = []) => runVitest('unit', ['--project=unit-page', ...args])

/** Projects that run by themselves, in a network namespace where the system allows that. */
const alone = {
  // What they measure must not wait for other tests, and what fails by chance is told, not tried again.
  chaos: {
    heading: 'Chaos',
    words: ['--workers=1', '--retries=0'],
    mounts: true,
  },
  // They must have been installed before.
  interop: {
    heading: 'Tests with the real command lines',
    words: [],
    mounts: false,
  },
}

/**
 * Runs Playwright's specs and counts them. What fails is run once more to get a trace of it, and counts as failed however
 * that ends.
 */
export async function runPlaywright(args = []) {
  const { projects, others } = projectsOf(args)
  const together = projects.filter((name) => !(name in alone))
  let sum = nothing
  if (projects.length === 0 || together.length > 0) {
    const heading = 'Tests in Chromium'
    say(`\n${heading}`)
    const words = [...together.map((name) => `--project=${name}`), ...others]
    sum = await timed(heading, () => playwright('playwright', words, { env: { GREENLIGHT_APART: '1' } }))
  }
  for (const [name, { heading, words, mounts }] of Object.entries(alone)) {
    if (projects.length > 0 && !projects.includes(name)) continue
    const isolated = isolation({ mounts })
    const inside = isolated.prefix && { env: { GREENLIGHT_NETWORK: 'none' }, prefix: isolated.prefix }
    const how = isolated.prefix
      ? `without a network (${isolated.name})`
      : `with a network: ${isolated.reason}`
    say(`\n${heading}, ${how}`)
    const all = [`--project=${name}`, ...words, ...others]
    sum = add(sum, await timed(heading, () => playwright(`playwright-${name}`, all, inside)))
  }
  if (sum.passed + sum.failed + sum.skips.length > 0) return sum
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
  const secondTries = specsOf(report, 'flaky', ' (passed the second time)')
  if (secondTries.length > 0) say('\nWhat passes only when it is run again has failed: something raced.')
  const counted = {
    passed: report?.stats.expected ?? 0,
    failed: (report?.stats.unexpected ?? 0) + secondTries.length,
    names: [...specsOf(report, 'unexpected'), ...secondTries],
    skips: skipsOf(report),
  }
  return honest(counted, code, name)
}

/** The specs in Playwright's report that ended so, each with its first errors; none where there is no report. */
function specsOf(report, status, remark = '') {
  const { suites = [], specs = [] } = report ?? {}
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter((test) => test.status === status)
      .map((test) => `[${test.projectName}] ${file}: ${title}${remark}${firstErrorsOf(test.results)}`),
  )
  return [...own, ...suites.flatMap((suite) => specsOf(suite, status, remark))]
}

/**
 * The starts of the errors of a test's first failed try, on lines of their own, each with the line where it was thrown:
 * of a test that ran out of time only the second one says where.
 */
function firstErrorsOf(results) {
  const { errors = [] } = results.find((result) => result.errors.length > 0) ?? {}
  return errors
    .slice(0, 3)
    .map(({ message, location }) => {
      const { file, line } = location ?? {}
      return startOf(message) + (file ? `\n      at ${relative(root, file)}:${line}` : '')
    })
    .join('')
}

/** The first lines of an error, below the name of its test. */
function startOf(message = '') {
  return stripVTControlCharacters(message)
    .split('\n')
    .filter((text) => text.trim() !== '')
    .slice(0, 6)
    .map((text) => `\n      ${text.slice(0, 200)}`)
    .join('')
}

/** The skipped specs of Playwright's report, each with its reason. */
function skipsOf(report) {
  const { suites = [], specs = [] } = report ?? {}
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ projectName, annotations }) => ({
        name: `[${projectName}] ${file}: ${title}`,
        reason: annotations.find(({ type }) => type === 'skip')?.description ?? null,
      })),
  )
  return [...own, ...suites.flatMap(skipsOf)]
}

/** The failed tests of one file of vitest's report; the file itself where it could not be run. */
function failuresOf({ name, status, assertionResults }) {
  const file = relative(root, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && failed.length === 0) return [file]
  return failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}${startOf(failureMessages[0])}`)
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

/** What was skipped and why, what failed, then the last line, and the exit code that goes with it. */
export function conclude(sum) {
  const { skips } = sum
  const mute = skips
    .filter(({ reason }) => reason === null)
    .map(({ name }) => `${name} (skipped without a reason)`)
  const { passed, failed, names } = add(sum, { ...nothing, failed: mute.length, names: mute })
  const list = (title, lines) =>
    lines.length > 0 && process.stdout.write(`\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`)
  list(
    'Skipped',
    skips.map(({ name, reason }) => `${name} (${reason ?? 'no reason given'})`),
  )
  list('Failed', names)
  list(
    'Took',
    taken.map(({ name, seconds }) => `${name}: ${Math.round(seconds)} s`),
  )
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skips.length} skipped\n`)
  process.exitCode = failed > 0 ? 1 : 0
}
