import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hitsOf } from '../../../../test/plain-search'
import type { SearchQuery } from '../../../shared/contract/search'
import { findRipgrep } from '../platform/ripgrep'
import { searchFolders } from './ripgrep-search'
import type { FileHits, SearchJob } from './search-job'

const program = findRipgrep(process.env) ?? 'rg'
const plain: SearchQuery = {
  text: 'needle',
  isRegex: false,
  isCaseSensitive: true,
  isWholeWord: false,
  include: '',
  exclude: '',
  withIgnored: false,
}

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-search-test-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Thousands of tries would leave more than one hook can remove. */
async function emptyRoot(): Promise<void> {
  await rm(root, { recursive: true, force: true })
  await mkdir(root)
}

let folders = 0
async function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = join(root, `folder-${++folders}`)
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return folder
}

async function search(job: SearchJob) {
  const found: FileHits[] = []
  const skipped: string[] = []
  const result = await searchFolders(
    program,
    job,
    {
      found: (file) => found.push(file) > 0,
      skipped: (what) => skipped.push(what),
    },
    new AbortController().signal,
  )
  return { result, found: found.toSorted((one, other) => (one.path < other.path ? -1 : 1)), skipped }
}

async function names(
  folder: string,
  change: Partial<SearchQuery> = {},
  rest: Partial<SearchJob> = {},
): Promise<string[]> {
  const job = { query: { ...plain, ...change }, folders: [folder], unsaved: [], leftOut: [], ...rest }
  const { found } = await search(job)
  return found.map(({ path }) => path.slice(folder.length + 1))
}

describe('searchFolders', () => {
  it('finds every place with its line and columns, in any line end and language', async () => {
    const folder = await makeFolder({
      'a.txt': 'one needle, two needle\r\n  näher 🌲 needle\r\n',
      'b.txt': new Uint8Array([0xff, 0xfe, ...Buffer.from('x needle\n', 'utf16le')]),
      'c.txt': '\ufeffneedle',
    })
    const { found, skipped } = await search({
      query: plain,
      folders: [folder],
      unsaved: [],
      leftOut: [],
    })
    expect(found.map(({ hits }) => hits.map(({ line, from, to }) => [line, from, to]))).toEqual([
      [
        [0, 4, 10],
        [0, 16, 22],
        [1, 11, 17],
      ],
      [[0, 2, 8]],
      [[0, 0, 6]],
    ])
    expect(found[0]?.hits[2]).toMatchObject({ before: 'näher 🌲 ', match: 'needle', after: '' })
    expect(skipped).toEqual([])
  })

  it('leaves out what .gitignore names, unless asked for', async () => {
    const files = {
      '.gitignore': 'build/\n*.log\n!kept.log\n',
      'build/a.ts': 'needle',
      'a.log': 'needle',
      'kept.log': 'needle',
      '.hidden': 'needle',
      'sub/.gitignore': 'own.ts\n',
      'sub/own.ts': 'needle',
      'sub/other.ts': 'needle',
      '.git/needle': 'needle',
    }
    const seen = ['.hidden', 'kept.log', 'sub/other.ts']
    const outside = await makeFolder(files)
    expect(await names(outside)).toEqual(seen)
    const inside = await makeFolder({ ...files, '.git/HEAD': 'ref: refs/heads/main\n' })
    expect(await names(inside)).toEqual(seen)
    expect(await names(inside, { withIgnored: true })).toEqual(
      ['.hidden', 'a.log', 'build/a.ts', 'kept.log', 'sub/other.ts', 'sub/own.ts'].toSorted(),
    )
    expect(await names(join(inside, 'sub'))).toEqual(['other.ts'])
  })

  it('keeps to the files that are wanted, and does not bring back ignored ones by that', async () => {
    const folder = await makeFolder({
      '.gitignore': 'src/made.ts\n',
      'src/a.ts': 'needle',
      'src/b.tsx': 'needle',
      'src/made.ts': 'needle',
      'src/deep/c.ts': 'needle',
      'docs/a.md': 'needle',
    })
    expect(await names(folder, { include: '*.ts' })).toEqual(['src/a.ts', 'src/deep/c.ts'])
    expect(await names(folder, { include: '*.{ts,md}' })).toEqual(['docs/a.md', 'src/a.ts', 'src/deep/c.ts'])
    expect(await names(folder, { include: 'src' })).toEqual(['src/a.ts', 'src/b.tsx', 'src/deep/c.ts'])
    expect(await names(folder, { include: './src/*.ts' })).toEqual(['src/a.ts'])
    expect(await names(folder, { exclude: 'deep, *.md' })).toEqual(['src/a.ts', 'src/b.tsx'])
    expect(await names(folder, {}, { leftOut: ['docs', '*.ts'] })).toEqual(['src/b.tsx'])
    expect(await names(folder, { include: 'src/**, !*.tsx' })).toEqual(['src/a.ts', 'src/deep/c.ts'])
  })

  it('searches unsaved text in place of the file, also of one that is gone', async () => {
    const folder = await makeFolder({
      '.gitignore': 'no.ts',
      'a.ts': 'needle',
      'b.ts': 'nothing',
      'no.ts': 'nothing',
    })
    const unsaved = [
      { path: join(folder, 'a.ts'), text: 'gone' },
      { path: join(folder, 'b.ts'), text: 'x\nneedle' },
      { path: join(folder, 'gone.ts'), text: 'needle' },
      { path: join(folder, 'no.ts'), text: 'needle' },
    ]
    expect(await names(folder, {}, { unsaved })).toEqual(['b.ts', 'gone.ts'])
    expect(await names(folder, { include: 'b.*' }, { unsaved })).toEqual(['b.ts'])
    expect(await names(folder, { withIgnored: true }, { unsaved })).toEqual(['b.ts', 'gone.ts', 'no.ts'])
  })

  it('searches a folder within another one once', async () => {
    const folder = await makeFolder({ 'a.ts': 'needle', 'in/b.ts': 'needle' })
    const job = { query: plain, folders: [folder, join(folder, 'in')], unsaved: [], leftOut: [] }
    expect((await search(job)).found).toHaveLength(2)
  })

  it('is not led in circles, nor out of the folder, by symbolic links', async ({ skip }) => {
    skip(process.platform === 'win32', 'links need a privilege there')
    const folder = await makeFolder({ 'src/a.ts': 'needle' })
    const outside = await makeFolder({ 'b.ts': 'needle' })
    await symlink(folder, join(folder, 'src', 'whole'))
    await symlink('itself', join(folder, 'itself'))
    await symlink(outside, join(folder, 'outside'))
    expect(await names(folder)).toEqual(['src/a.ts'])
    expect(await names(folder, { withIgnored: true })).toEqual(['src/a.ts'])
  })

  it('counts what has it and is no text, and says what is no expression', async () => {
    const folder = await makeFolder({ 'a.bin': 'x\0\nneedle', 'b.txt': 'needle', 'c.bin': '\0' })
    const { found, skipped } = await search({
      query: plain,
      folders: [folder],
      unsaved: [],
      leftOut: [],
    })
    expect(found).toHaveLength(1)
    expect(skipped).toEqual(['binary'])
    const query = { ...plain, isRegex: true, text: '(needle' }
    const { result } = await search({ query, folders: [folder], unsaved: [], leftOut: [] })
    expect(result).toMatchObject({ ok: false, failure: { code: 'invalid' } })
  })

  it('shows a giant line cut around the match', async () => {
    const folder = await makeFolder({ 'a.txt': `${'a'.repeat(300_000)} needle ${'b'.repeat(300_000)}` })
    const { found } = await search({ query: plain, folders: [folder], unsaved: [], leftOut: [] })
    const [hit] = found[0]?.hits ?? []
    expect(hit).toMatchObject({ from: 300_001, match: 'needle' })
    expect((hit?.before.length ?? 0) + (hit?.after.length ?? 0)).toBeLessThan(300)
  })

  it('counts a line that is too long to be read', async () => {
    const folder = await makeFolder({ 'a.txt': `needle ${'b'.repeat(1_200_000)}\nneedle\n` })
    const { found, skipped } = await search({ query: plain, folders: [folder], unsaved: [], leftOut: [] })
    expect(found[0]?.hits).toHaveLength(1)
    expect(skipped).toEqual(['longLines'])
  })

  it('says what is to be done where ripgrep does not start', async () => {
    const folder = await makeFolder({ 'a.txt': 'needle' })
    const job = { query: plain, folders: [folder], unsaved: [], leftOut: [] }
    const hear = { found: () => true, skipped: () => undefined }
    const { signal } = new AbortController()
    const nowhere = join(folder, 'no-such-program')
    expect(await searchFolders(nowhere, job, hear, signal)).toMatchObject({
      failure: { code: 'no-program', message: expect.stringMatching(/Install it .*, then try again\.$/) },
    })
    const unsaved = [{ path: join(folder, 'a.txt'), text: 'needle' }]
    expect(await searchFolders(nowhere, { ...job, unsaved }, hear, signal)).toMatchObject({
      failure: { code: 'no-program' },
    })
  })
  const piece = fc.constantFrom('a', 'b', 'ab', 'A', 'ä', 'Ä', ' ', '_', '-', '.', '1', '🌲', 'ß', '\t')
  const line = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
  const text = fc
    .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, hasLast]) => lines.join(end) + (hasLast ? end : ''))
  const literal = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  const atom = fc.constantFrom('a', 'b', 'ä', '.', '[ab]', '[^a]', 'A', '_', '(a|b)', '(ab|a)')
  const expression = fc
    .tuple(
      fc.boolean(),
      fc.array(fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}', '+?')), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
    )
    .map(
      ([start, atoms, end]) =>
        `${start ? '^' : ''}${atoms.map((one) => one.join('')).join('')}${end ? '$' : ''}`,
    )
  const query = fc
    .record({ isRegex: fc.boolean(), isCaseSensitive: fc.boolean(), isWholeWord: fc.boolean() })
    .chain((options) =>
      (options.isRegex ? expression : literal).map((wanted): SearchQuery => {
        // ripgrep looks for the borders of a word in its own way where an expression can match in several.
        const isWholeWord = options.isWholeWord && !options.isRegex
        return { ...plain, ...options, isWholeWord, text: wanted }
      }),
    )

  it('finds in random texts what JavaScript finds, which fills in replacements', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), query, async (texts, wanted) => {
          const folder = await makeFolder(Object.fromEntries(texts.map((one, at) => [`${at}.txt`, one])))
          const { found } = await search({ query: wanted, folders: [folder], unsaved: [], leftOut: [] })
          const plainly = texts.map((one, at) => [`${at}.txt`, hitsOf(one, wanted)] as const)
          expect(found.map(({ path, hits }) => [path.slice(folder.length + 1), hits])).toEqual(
            plainly.filter(([, hits]) => hits.length > 0),
          )
        })
        .afterEach(emptyRoot),
    )
  })

  it('searches unsaved texts wherever it would search their files, under random rules', async () => {
    const part = fc.constantFrom('a', 'b', 'ab', '.c')
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.t`)
    const rule = fc.constantFrom(
      'a',
      'a/',
      '/b',
      '*.t',
      '!a.t',
      'ab/**',
      '!ab.t',
      'a/b',
      '**/ab',
      '.c',
      '# x',
      '!b',
    )
    const rules = fc.array(rule, { maxLength: 3 }).map((lines) => lines.join('\n'))
    const globs = fc.array(fc.constantFrom('a', 'b.t', '*.t', 'a/**', './b', '*b*'), { maxLength: 2 })
    await fc.assert(
      fc
        .asyncProperty(
          fc.uniqueArray(path, { minLength: 1, maxLength: 4 }),
          fc.record({ root: rules, below: rules, isRepository: fc.boolean(), withIgnored: fc.boolean() }),
          fc.tuple(globs, globs),
          async (paths, { root: above, below, isRepository, withIgnored }, [include, exclude]) => {
            const make = (text: string) =>
              makeFolder({
                ...Object.fromEntries(paths.map((one) => [one, text])),
                '.gitignore': above,
                'a/.gitignore': below,
                ...(isRepository ? { '.git/HEAD': 'ref: refs/heads/main\n' } : {}),
              })
            const change = { withIgnored, include: include.join(','), exclude: exclude.join(',') }
            const empty = await make('nothing')
            const unsaved = paths.map((one) => ({ path: join(empty, one), text: 'needle' }))
            expect(await names(empty, change, { unsaved })).toEqual(await names(await make('needle'), change))
          },
        )
        .afterEach(emptyRoot),
      {
        // A folder that one file names and a nearer one takes back, with what it holds.
        examples: [
          [
            ['a/b/a.t', 'a/b/b/a.t', 'a.t'],
            { root: 'a/b', below: '!b', isRepository: false, withIgnored: false },
            [[], []],
          ],
        ],
      },
    )
  })
})
