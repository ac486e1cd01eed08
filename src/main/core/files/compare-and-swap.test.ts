import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileSwapper } from './compare-and-swap'
import { hashContent } from './content-hash'

let folder: string
let path: string
const swapper = new FileSwapper()
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'swap-')))
  path = join(folder, 'file.txt')
})
afterEach(() => rm(folder, { recursive: true }))

const text = (content: string) => new Uint8Array(Buffer.from(content))

test('writes over what was expected', async () => {
  await writeFile(path, 'old')
  const result = await swapper.swap(path, hashContent('old'), text('new'))
  expect(result).toEqual({ ok: true, value: { realPath: path, hash: hashContent('new') } })
  expect(await readFile(path, 'utf8')).toBe('new')
})

test('does not write over anything else, and tells what is there', async () => {
  await writeFile(path, 'theirs')
  const result = await swapper.swap(path, hashContent('old'), text('new'))
  expect(result).toMatchObject({
    ok: false,
    failure: { code: 'changed', found: { hash: hashContent('theirs') } },
  })
  expect(await readFile(path, 'utf8')).toBe('theirs')
  expect(await readdir(folder)).toEqual(['file.txt'])
})

test('a file that is gone is not made again unless that was expected', async () => {
  const gone = await swapper.swap(path, hashContent('old'), text('new'))
  expect(gone).toMatchObject({ failure: { code: 'changed', found: { kind: 'absent' } } })
  expect(await readdir(folder)).toEqual([])
  expect(await swapper.swap(path, null, text('new'))).toMatchObject({ ok: true })
})

test('a file is not expected and is there', async () => {
  await writeFile(path, 'theirs')
  const result = await swapper.swap(path, null, text('new'))
  expect(result).toMatchObject({ failure: { code: 'changed', found: { kind: 'file' } } })
  expect(await readFile(path, 'utf8')).toBe('theirs')
})

test('of many that expect the same content, by several names, exactly one writes', async () => {
  await writeFile(path, 'old')
  await symlink('file.txt', join(folder, 'link'))
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      swapper.swap(i % 2 === 0 ? path : join(folder, 'link'), hashContent('old'), text(`new ${i}`)),
    ),
  )
  const winners = results.filter((result) => result.ok)
  expect(winners).toHaveLength(1)
  expect(winners[0]).toMatchObject({ value: { hash: hashContent(await readFile(path, 'utf8')) } })
})

test('what the system refuses is told as such', async () => {
  expect(await swapper.swap(folder, null, text('x'))).toMatchObject({ failure: { code: 'not-a-file' } })
})
