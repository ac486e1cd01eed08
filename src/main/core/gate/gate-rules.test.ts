import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PathRule, patternsFor } from '../../../shared/gate/path-rule'
import { PathRules, anchorPatterns } from '../files/path-rules'
import { GateRules } from './gate-rules'

let home = ''
let project = ''
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-gate-rules-')))
  project = join(home, 'project')
  mkdirSync(join(project, 'docs'), { recursive: true })
  mkdirSync(join(home, 'elsewhere'))
  writeFileSync(join(project, 'secret.ts'), '')
  symlinkSync(join(home, 'elsewhere'), join(project, 'docs', 'out'))
  symlinkSync(join(project, 'secret.ts'), join(project, 'docs', 'alias.ts'))
})
afterAll(() => rmSync(home, { recursive: true }))

const rulesOf = (rules: readonly PathRule[], folders = [project]) =>
  new GateRules({ rules: () => rules, folders: () => folders, home })
const write = (pattern: string): PathRule => ({ pattern, answer: 'write' })
const ask = (pattern: string): PathRule => ({ pattern, answer: 'ask' })
const never = (pattern: string): PathRule => ({ pattern, answer: 'never' })

async function answerOf(rules: readonly PathRule[], path: string, folders?: string[]): Promise<string> {
  return (await rulesOf(rules, folders).of(join(project, path)))?.answer ?? 'none'
}

test('of all rules that fit the strictest counts, and is told', async () => {
  const all = [write('docs/**'), never('docs/old/**'), ask('docs/*/index.md')]
  expect(await answerOf(all, 'docs/a.md')).toBe('write')
  expect(await answerOf(all, 'docs/api/index.md')).toBe('ask')
  expect(await answerOf(all, 'src/a.ts')).toBe('none')
  expect(await rulesOf(all).of(join(project, 'docs/old/index.md'))).toEqual(never('docs/old/**'))
  expect(await answerOf([], 'docs/a.md')).toBe('none')
})

test('what lets through is exact, and what forbids is not', async () => {
  expect(await answerOf([write('docs/**')], 'Docs/a.md')).toBe('none')
  expect(await answerOf([never('docs/**')], 'Docs/a.md')).toBe('never')
  expect(await answerOf([write('*a*b*c*d*')], 'xaxbxcxdx')).toBe('none')
  expect(await answerOf([never('*a*b*c*d*')], 'other')).toBe('never')
  expect(await answerOf([write('!src')], 'docs/a.md')).toBe('none')
  expect(await answerOf([never('docs/**'), never('!docs/a.md')], 'docs/a.md')).toBe('never')
})

test('a path that is too deep to be matched is not let through, and is forbidden by any rule that forbids', async () => {
  const deep = `docs/${'a/'.repeat(200)}b`
  expect(await answerOf([write('docs/**')], deep)).toBe('none')
  expect(await answerOf([never('src/x')], deep)).toBe('never')
})

test('by its name and by its real path', async () => {
  expect(await answerOf([write('docs/**')], 'docs/out/a')).toBe('none')
  expect(await answerOf([write('docs/**')], 'docs/alias.ts')).toBe('none')
  expect(await answerOf([write('docs/**'), write('secret.ts')], 'docs/alias.ts')).toBe('none')
  expect(await answerOf([write('*.ts')], 'docs/alias.ts')).toBe('write')
  expect(await answerOf([write('*.ts'), never('secret.ts')], 'docs/alias.ts')).toBe('never')
  expect(await answerOf([never('docs/alias.ts')], 'docs/alias.ts')).toBe('never')
})

test('home counts by each of its names', async () => {
  const linked = join(home, 'linked-home')
  symlinkSync(home, linked)
  const rules = { rules: () => [never('~/project/a')], folders: () => [project], home: linked }
  expect(await new GateRules(rules).of(join(project, 'a'))).toEqual(never('~/project/a'))
  expect(await new GateRules(rules).of(join(linked, 'project', 'a'))).toEqual(never('~/project/a'))
})

test('lets through only within the window’s folders, whatever the pattern is relative to', async () => {
  const rules = [write('~/**'), write('//**'), write('a.ts')]
  expect(await rulesOf(rules).of(join(home, 'elsewhere', 'a.ts'))).toBeNull()
  expect(await answerOf([write('~/project/docs/**')], 'docs/a')).toBe('write')
  expect(await answerOf([write(`/${project}/docs/**`)], 'docs/a')).toBe('write')
  expect(await answerOf([write('docs/**')], 'docs/a', [])).toBe('none')
  const other = join(home, 'elsewhere')
  expect(await answerOf([write('a')], 'docs/out/a', [project, other])).toBe('none')
})

test('a wildcard lets no settings of programs or agents through', async () => {
  for (const path of [
    '.git/hooks/x',
    'a/.env',
    'CLAUDE.md',
    'docs/claude.md',
    '.mcp.json',
    'docs/.github/a',
  ]) {
    expect([path, await answerOf([write('**'), write('*'), write('docs/**'), write('.*')], path)]).toEqual([
      path,
      'none',
    ])
  }
  expect(await answerOf([write('.github/workflows/*.yml')], '.github/workflows/a.yml')).toBe('write')
  expect(await answerOf([write('\\.github/**')], '.github/a')).toBe('write')
  expect(await answerOf([write('.github/**')], '.github/.env')).toBe('none')
  expect(await answerOf([write('.github/**')], '.github/.github/a')).toBe('none')
  expect(await answerOf([write('docs/CLAUDE.md')], 'docs/CLAUDE.md')).toBe('write')
  expect(await answerOf([write('~/**')], '.env')).toBe('none')
})

test('follows its sources', async () => {
  let rules: readonly PathRule[] = [write('a')]
  const folders: string[] = []
  const gate = new GateRules({ rules: () => rules, folders: () => folders, home })
  expect(await gate.of(join(project, 'a'))).toBeNull()
  folders.push(project)
  expect(await gate.of(join(project, 'a'))).toEqual(write('a'))
  rules = [never('a')]
  expect(await gate.of(join(project, 'a'))).toEqual(never('a'))
})

const name = fc.constantFrom('a', 'b', 'ab', '.a', '.env', 'CLAUDE.md', 'a.b')
const part = fc.oneof(name, fc.constantFrom('*', '**', '?', '.*', '?env', '[.]env', '*a', '\\.a'))
const pattern = fc
  .tuple(fc.constantFrom('', '/', '~/project/', '~/'), fc.array(part, { minLength: 1, maxLength: 4 }))
  .map(([start, parts]) => start + parts.join('/'))
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const rule = fc.record({ pattern, answer: fc.constantFrom('write', 'ask', 'never') })
const strictness = ['none', 'write', 'ask', 'never']

test('no rule without a literal name that begins with a dot lets such a name through', () =>
  fc.assert(
    fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 4 }), path, async (patterns, file) => {
      if ((await answerOf(patterns.map(write), file)) !== 'write') return
      const hidden = file.split('/').filter((one) => one.startsWith('.') || one === 'CLAUDE.md')
      const spelled = patterns.map((one) => one.split('/').map((word) => word.replace('\\', '')))
      expect(spelled.some((words) => hidden.every((one) => words.includes(one)))).toBe(true)
    }),
    { numRuns: 1500 },
  ))

test('a file is let through by each of the patterns that are offered for it', () =>
  fc.assert(
    fc.asyncProperty(path, async (file) => {
      const offered = patternsFor(join(project, file), [project], 'linux')
      expect(offered.length).toBeGreaterThan(0)
      for (const one of offered) expect([one, await answerOf([write(one)], file)]).toEqual([one, 'write'])
    }),
    { numRuns: 300 },
  ))

test('patterns are offered for plain names in the window’s folders, and for no folder that is all of it', () => {
  expect(patternsFor('/p/docs/api/a.md', ['/p'], 'linux')).toEqual(['docs/api/a.md', 'docs/api/**'])
  expect(patternsFor('C:\\p\\docs\\a.md', ['C:\\p'], 'win32')).toEqual(['docs/a.md', 'docs/**'])
  expect(patternsFor('/p/a.md', ['/p'], 'linux')).toEqual(['/a.md'])
  expect(patternsFor('/p/docs/CLAUDE.md', ['/p'], 'linux')).toEqual(['docs/CLAUDE.md'])
  for (const path of ['/pp/a', '/p', '/p/a*', '/p/a ', '/p/[a]/b'])
    expect(patternsFor(path, ['/p'], 'linux')).toEqual([])
})

test('the order of rules means nothing, and one more never lets more through than it says itself', () =>
  fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 5 }), rule, path, async (rules, more, file) => {
      const before = await answerOf(rules, file)
      expect(await answerOf(rules.toReversed(), file)).toBe(before)
      const alone = await answerOf([more], file)
      const together = strictness[Math.max(strictness.indexOf(before), strictness.indexOf(alone))]
      expect(await answerOf([...rules, more], file)).toBe(together)
    }),
    { numRuns: 500 },
  ))

test('what is let through is what the pattern means', () =>
  fc.assert(
    fc.asyncProperty(pattern, path, async (one, file) => {
      if ((await answerOf([write(one)], file)) !== 'write') return
      const meant = new PathRules(anchorPatterns([one], [project], [home]))
      expect(meant.match(join(project, file))).not.toBeNull()
    }),
    { numRuns: 500 },
  ))
