import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { widen } from '../../../shared/path-pattern'
import { PathRules, anchorPatterns, escapePattern, patternFor, slashed } from './path-rules'

const defaults = ['.env*', '*.pem', '*.key', 'id_*', '.git/']
const rulesOf = (patterns: readonly string[], folders = ['/home/ada/project']) =>
  new PathRules(anchorPatterns(patterns, folders, ['/home/ada']))
const forbids = (rules: PathRules, path: string) => rules.match(path) !== null

test('the patterns that hold from the start keep secrets at any depth, in and outside of the folders', () => {
  const rules = rulesOf(defaults)
  for (const path of [
    '/home/ada/project/.env',
    '/home/ada/project/a/b/.env.local',
    '/home/ada/project/a/.ENV',
    '/home/ada/project/.env/inside',
    '/home/ada/project/tls/server.pem',
    '/home/ada/.ssh/id_ed25519',
    '/srv/x/private.key',
    '/home/ada/project/.git/config',
    '/home/ada/project/sub/.git/hooks/pre-commit',
  ]) {
    expect([path, forbids(rules, path)]).toEqual([path, true])
  }
  for (const path of [
    '/home/ada/project/environment.ts',
    '/home/ada/project/src/key.ts',
    '/home/ada/project/.gitignore',
    '/home/ada/project/valid_id.ts',
  ]) {
    expect([path, forbids(rules, path)]).toEqual([path, false])
  }
})

test('a folder that itself lies in something forbidden is not forbidden whole', () => {
  expect(forbids(rulesOf(defaults, ['/home/ada/id_cards']), '/home/ada/id_cards/a.ts')).toBe(false)
})

test('says which rule it is, as it is spelled', () => {
  expect(rulesOf(['a', 'secrets/']).match('/home/ada/project/x/secrets/b')).toEqual({
    rule: 'secrets/',
    file: null,
  })
})

test('patterns are anchored in each folder, at home, or at the root', () => {
  const rules = rulesOf(['/only/here.txt', '~/notes/**', '//srv/data'], ['/p', '/q'])
  for (const path of ['/p/only/here.txt', '/q/only/here.txt', '/home/ada/notes/a', '/srv/data/x'])
    expect([path, forbids(rules, path)]).toEqual([path, true])
  for (const path of ['/p/sub/only/here.txt', '/home/bob/notes/a', '/p/srv/data'])
    expect([path, forbids(rules, path)]).toEqual([path, false])
})

test('an exception of the person counts', () => {
  const rules = rulesOf(['.env*', '!.env.example'])
  expect(forbids(rules, '/home/ada/project/.env.example')).toBe(false)
  expect(forbids(rules, '/home/ada/project/.env')).toBe(true)
})

test('accents count alike however they are composed, and windows paths are as in the rules', () => {
  expect(forbids(rulesOf(['caf\u00e9.txt']), '/home/ada/project/cafe\u0301.txt')).toBe(true)
  expect(slashed('C:\\Users\\ada\\.env', 'win32')).toBe('/c/Users/ada/.env')
  expect(slashed('/a/b/../.env', 'linux')).toBe('/a/.env')
})

test('a pattern made for a file forbids exactly that file', () => {
  const name = fc.stringMatching(/^[^/\0\n\r]{1,12}$/).filter((part) => part !== '.' && part !== '..')
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (parts, others, isAtHome) => {
        const top = isAtHome ? '/home/ada/' : '/'
        const [path, other] = [top + parts.join('/'), top + others.join('/')]
        const rules = rulesOf([patternFor(path, '/home/ada', 'linux')])
        expect(forbids(rules, path)).toBe(true)
        const fold = (text: string) => text.normalize('NFC').toLowerCase()
        fc.pre(
          !`${fold(other)}/`.startsWith(`${fold(path)}/`) &&
            fold(other).toUpperCase() !== fold(path).toUpperCase(),
        )
        expect(forbids(rules, other)).toBe(false)
      },
    ),
  )
})

test('a pattern that would take long to match forbids more instead, and takes no time', () => {
  expect(widen('*a*b*c*d*')).toBe('*')
  expect(widen('x*a*b*c*d*y')).toBe('x*y')
  expect(widen('**/a/**/b/**/c')).toBe('**/c')
  expect(widen('src/**/*.test.*.ts')).toBe('src/**/*.test.*.ts')
  expect(widen('!**/a/**/b/**/c')).toBe('')
  const deep = `/home/ada/project/${'a/'.repeat(90)}b`
  const rules = rulesOf(['**/a/**/a/**/a/**/c', '*a*a*a*a*a*a*a*c', '**/a/**/c', '/a/**/a/**/a/**/a/**/d'])
  const start = process.cpuUsage()
  rules.match(deep)
  rules.match(`/home/ada/project/${'a'.repeat(255)}`)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
  expect(rules.match(`/home/ada/project/${'a/'.repeat(1000)}b`)).toBe('too-deep')
})

let repository = ''
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'greenlight-rules-'))
  execFileSync('git', ['init', '-q', repository])
})
afterAll(() => rmSync(repository, { recursive: true }))

test('means what git means', () => {
  const letter = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b')
  const part = fc.oneof(letter, fc.constantFrom('*', 'a*', '*b', '**', '?', '[ab]'))
  const pattern = fc
    .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([anchored, parts, folder]) => `${anchored ? '/' : ''}${parts.join('/')}${folder ? '/' : ''}`)
  const path = fc.array(letter, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 3 }),
      fc.array(path, { minLength: 1, maxLength: 8 }),
      (patterns, paths) => {
        writeFileSync(join(repository, '.gitignore'), patterns.join('\n'))
        const rules = new PathRules([
          { base: repository, rules: patterns.map((one) => ({ pattern: one, spelled: one })), file: null },
        ])
        const ours = paths.filter((one) => forbids(rules, `${repository}/${one}`))
        expect(ours).toEqual(paths.filter((one) => isIgnored(paths).has(one)))
      },
    ),
    { numRuns: 60 },
  )
})

function isIgnored(paths: readonly string[]): Set<string> {
  try {
    const args = ['-C', repository, 'check-ignore', '--no-index', '--stdin']
    const out = execFileSync('git', args, { input: paths.join('\n'), stdio: ['pipe', 'pipe', 'ignore'] })
    return new Set(out.toString().split('\n').filter(Boolean))
  } catch {
    // One of none: nothing is ignored.
    return new Set()
  }
}

test('escapes what has a meaning in patterns', () => {
  expect(escapePattern('a[1]*?! #b ')).toBe('a\\[1\\]\\*\\?\\! \\#b\\ ')
})
