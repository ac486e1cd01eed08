import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseStatus, readStatus } from './status'

const oid = '61780798228d17af2d34fce4cfbdf35556832472'

describe('parseStatus', () => {
  const output = [
    `# branch.oid ${oid}`,
    '# branch.head a branch',
    '# branch.upstream origin/main',
    '# branch.ab +2 -13',
    `1 .M N... 100644 100644 100644 ${oid} ${oid} a file with blanks.txt`,
    `1 A. N... 000000 100644 100644 ${oid} ${oid} new.txt`,
    `1 .D N... 100644 100644 000000 ${oid} ${oid} gone\nname`,
    `2 R. N... 100644 100644 100644 ${oid} ${oid} R100 to here`,
    '1 A. from here',
    `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} both.txt`,
    '? fresh/',
    '! node_modules/',
    '',
  ].join('\0')

  it('reads the branch and every kind of record', () => {
    const { head, marks, isCut } = parseStatus(output)
    expect(head).toEqual({
      branch: 'a branch',
      commit: '61780798',
      upstream: { name: 'origin/main', ahead: 2, behind: 13 },
    })
    expect([...marks]).toEqual([
      ['a file with blanks.txt', 'modified'],
      ['new.txt', 'added'],
      ['gone\nname', 'deleted'],
      ['to here', 'renamed'],
      ['both.txt', 'conflict'],
      ['fresh', 'untracked'],
      ['node_modules', 'ignored'],
    ])
    expect(isCut).toBe(false)
  })

  it('leaves out a last record that is not whole, wherever it is cut', () => {
    for (let length = 0; length < output.length; length++) {
      const { marks } = parseStatus(output.slice(0, length))
      for (const name of marks.keys()) expect(output).toContain(`${name}`)
      expect([...marks.values()]).toEqual([...parseStatus(output).marks.values()].slice(0, marks.size))
    }
  })

  it('knows a repository without commits and one without a branch', () => {
    expect(parseStatus('# branch.oid (initial)\0# branch.head main\0').head).toEqual({
      branch: 'main',
      commit: null,
      upstream: null,
    })
    expect(parseStatus(`# branch.oid ${oid}\0# branch.head (detached)\0`).head).toEqual({
      branch: null,
      commit: '61780798',
      upstream: null,
    })
  })

  it('keeps a bounded number of marks and says that there is more', () => {
    const many = Array.from({ length: 20_001 }, (_, index) => `? f${index}\0`).join('')
    const { marks, isCut } = parseStatus(many)
    expect(marks.size).toBe(20_000)
    expect(isCut).toBe(true)
  })
})

describe('readStatus', () => {
  let top: string
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(top, name)), { recursive: true })
    writeFileSync(join(top, name), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: top, stdio: 'pipe' })

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-status-')))
    git('init', '-q', '-b', 'trunk')
    write('.gitignore', 'node_modules/\n*.log\n')
    write('a.txt', 'a\n')
    write('lib/b.txt', 'b\n')
    git('add', '.')
    git('commit', '-q', '-m', 'first')
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))

  it('tells each kind of file of the folder that is asked about, without touching the index', async () => {
    write('a.txt', 'changed\n')
    write('new/c.txt', 'c\n')
    write('node_modules/d.js', 'd\n')
    write('lib/e.log', 'e\n')
    write('line\nbreak.txt', '')
    const index = join(top, '.git', 'index')
    const before = { bytes: readFileSync(index), at: statSync(index, { bigint: true }).mtimeNs }
    const status = await readStatus(top)
    expect(status?.top).toBe(top)
    expect(status?.head.branch).toBe('trunk')
    expect(Object.fromEntries(status?.marks ?? [])).toEqual({
      [join(top, 'a.txt')]: 'modified',
      [join(top, 'new')]: 'untracked',
      [join(top, 'node_modules')]: 'ignored',
      [join(top, 'lib', 'e.log')]: 'ignored',
      [join(top, 'line\nbreak.txt')]: 'untracked',
    })
    expect({ bytes: readFileSync(index), at: statSync(index, { bigint: true }).mtimeNs }).toEqual(before)
    const below = await readStatus(join(top, 'lib'))
    expect([...(below?.marks.keys() ?? [])]).toEqual([join(top, 'lib', 'e.log')])
  })

  it('tells a conflict', async () => {
    git('checkout', '-q', '-b', 'other')
    write('a.txt', 'other\n')
    git('commit', '-q', '-am', 'other')
    git('checkout', '-q', 'trunk')
    write('a.txt', 'trunk\n')
    git('commit', '-q', '-am', 'trunk')
    expect(() => git('merge', '-q', 'other')).toThrow()
    expect((await readStatus(top))?.marks.get(join(top, 'a.txt'))).toBe('conflict')
  })

  it('does without the ignored files where there are too many of them', async () => {
    for (let index = 0; index < 40; index++) write(`log-${index}.log`, '')
    write('a.txt', 'changed\n')
    const status = await readStatus(top, {}, { maxBytes: 700 })
    expect(Object.fromEntries(status?.marks ?? [])).toEqual({ [join(top, 'a.txt')]: 'modified' })
  })

  it('is null outside of any repository, and without git', async () => {
    expect(await readStatus(tmpdir())).toBeNull()
    expect(await readStatus(top, { git: join(top, 'no-git') })).toBeNull()
  })
})
