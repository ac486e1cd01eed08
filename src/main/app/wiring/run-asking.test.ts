import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GateRules } from '../../core/gate/gate-rules'
import { RunAsking, type RunDeciders } from './run-asking'

let home: string
let folder: string

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-run-asking-')))
  folder = join(home, 'project')
  await mkdir(join(folder, 'src'), { recursive: true })
  await mkdir(join(home, 'other'))
})

afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

/** Whether a run with `--allow` for all files may write a path, and whether the person's own rule lets it be written. */
async function maybeWritten(path: string): Promise<[boolean, boolean]> {
  const run = new RunAsking(folder, { edits: ['*'], rules: [] }, null as unknown as RunDeciders, () => {})
  const rules = new GateRules({
    rules: () => [{ pattern: '**', answer: 'write' }],
    folders: () => [folder],
    home,
  })
  return [(await run.of(path))?.answer === 'write', (await rules.of(path))?.answer === 'write']
}

test('a file of the folder is, also one whose name begins like the way out of it', async () => {
  expect(await maybeWritten(join(folder, 'a.txt'))).toEqual([true, true])
  expect(await maybeWritten(join(folder, 'src', 'new', 'b.txt'))).toEqual([true, true])
  // A rule takes names that begin with a dot only where it spells them.
  for (const name of ['..foo', '...', '..foo/bar.txt'])
    expect(await maybeWritten(join(folder, name))).toEqual([true, false])
})

test('neither the folder nor what is outside is, whichever way it is named', async () => {
  for (const path of [
    folder,
    join(home, 'other', 'a.txt'),
    `${folder}-other/a.txt`,
    join(home, '..foo'),
    `${folder}/../other/a.txt`,
    `${folder}/src/../../other/a.txt`,
  ])
    expect(await maybeWritten(path), path).toEqual([false, false])
})

test('a link counts as what it leads to', async () => {
  await symlink(join(home, 'other'), join(folder, 'out'))
  await symlink(join(home, 'other', 'not-there.txt'), join(folder, 'dangling.txt'))
  await symlink(join(folder, 'src'), join(folder, '..in'))
  await symlink(join(folder, 'loop'), join(folder, 'loop'))
  expect(await maybeWritten(join(folder, 'out', 'a.txt'))).toEqual([false, false])
  expect(await maybeWritten(join(folder, 'dangling.txt'))).toEqual([false, false])
  expect(await maybeWritten(join(folder, 'loop'))).toEqual([false, false])
  expect((await maybeWritten(join(folder, '..in', 'a.txt')))[0]).toBe(true)
})

test('a name in another case is another file, unless the disk says that it is the same', async () => {
  const upper = join(home, 'Project')
  const isSame = (await realpath(upper).catch(() => null)) === folder
  expect(await maybeWritten(join(upper, 'a.txt'))).toEqual([isSame, isSame])
})
