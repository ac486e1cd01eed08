import { expect, test } from 'vitest'
import { anchorRules, plainStart, readDenyRules } from './deny-rules'
import { PathRules } from '../files/path-rules'

const settings = (deny: unknown) => JSON.stringify({ permissions: { deny } })
const anchors = { file: '/p/.claude/settings.json', roots: ['/p'], folders: ['/p'], homes: ['/home/ada'] }
const denies = (rule: string, path: string, more: Partial<typeof anchors> = {}) =>
  new PathRules(anchorRules([rule], { ...anchors, ...more })).match(path) !== null

test('takes the Read rules of a settings file and nothing else', () => {
  expect(
    readDenyRules(settings(['Read(./.env)', 'Bash(rm *)', 'Edit(src/**)', ' Read ', 'ReadAll(x)', 7])),
  ).toEqual(['Read(./.env)', ' Read '])
  expect(readDenyRules(`\ufeff${settings(['Read(a)'])}`)).toEqual(['Read(a)'])
  expect(readDenyRules('{}')).toEqual([])
  expect(readDenyRules('{"permissions":null}')).toEqual([])
  for (const text of ['', '{', '[]', '"x"', 'null', settings('Read(a)')])
    expect(readDenyRules(text)).toBeNull()
})

test.each([
  // From the root of the file system.
  ['Read(//srv/secrets/**)', '/srv/secrets/a/b', true],
  ['Read(//srv/secrets/**)', '/p/srv/secrets/a', false],
  ['Read(//**/.env)', '/anywhere/else/.env', true],
  // From home.
  ['Read(~/.aws/**)', '/home/ada/.aws/credentials', true],
  ['Read(~/.zshrc)', '/home/ada/.zshrc', true],
  ['Read(~/.zshrc)', '/home/ada/sub/.zshrc', false],
  ['Read(~)', '/home/ada/anything', true],
  // From where the settings belong to: not the root of the file system.
  ['Read(/secrets/**)', '/p/secrets/a', true],
  ['Read(/secrets/**)', '/secrets/a', false],
  ['Read(/secrets/**)', '/p/sub/secrets/a', false],
  // From the folder that is worked in; bare names at any depth below it.
  ['Read(./.env)', '/p/.env', true],
  ['Read(./.env)', '/p/sub/.env', false],
  ['Read(.env)', '/p/sub/.env', true],
  ['Read(.env)', '/other/.env', false],
  ['Read(*.env)', '/p/a/b.env', true],
  ['Read(src/**)', '/p/src/a/b.ts', true],
  ['Read(src/**)', '/p/lib/src/a.ts', false],
  ['Read(secrets)', '/p/a/secrets/b/c', true],
  ['Read(../shared/x)', '/shared/x', true],
  ['Read( docs/* )', '/p/docs/a', true],
  // Everything.
  ['Read', '/p/a', true],
  ['Read', '/elsewhere/a', true],
  ['Read()', '/p/a', true],
])('%s and %s: %s', (rule, path, isDenied) => {
  expect(denies(rule, path)).toBe(isDenied)
})

test("a rule of the person's own settings with one slash means their folder, and bare ones each folder", () => {
  const own = { file: '/home/ada/.claude/settings.json', roots: ['/home/ada/.claude'], folders: ['/p', '/q'] }
  expect(denies('Read(/secrets/**)', '/home/ada/.claude/secrets/a', own)).toBe(true)
  expect(denies('Read(/secrets/**)', '/p/secrets/a', own)).toBe(false)
  expect(denies('Read(.env)', '/p/.env', own)).toBe(true)
  expect(denies('Read(.env)', '/q/x/.env', own)).toBe(true)
})

test('says the rule and its file', () => {
  expect(new PathRules(anchorRules(['Read(.env)'], anchors)).match('/p/.env')).toEqual({
    rule: 'Read(.env)',
    file: '/p/.claude/settings.json',
  })
})

test('the plain start of an absolute rule is what links are looked for in', () => {
  expect(plainStart('Read(//srv/a b/**/x)')).toEqual({ start: '/srv/a b', rest: '/**/x' })
  expect(plainStart('Read(//srv/x)')).toEqual({ start: '/srv/x', rest: '' })
  for (const rule of ['Read(//**/.env)', 'Read(/srv/x)', 'Read(~/x)', 'Read'])
    expect(plainStart(rule)).toBeNull()
})
