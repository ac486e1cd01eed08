import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Snapshots } from './snapshots'

it('keeps contents again as soon as the disk takes them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-snapshots-'))
  const place = join(folder, 'changes')
  // Where the folder above should be stands a file.
  await writeFile(place, '')
  const snapshots = new Snapshots(join(place, 'snapshots'), () => new Set())
  const bytes = Buffer.from('mine\n')
  expect(await snapshots.keep(bytes)).toBeNull()
  await rm(place)
  const hash = await snapshots.keep(bytes)
  expect(await snapshots.read(hash ?? '')).toEqual(bytes)
  await rm(folder, { recursive: true })
})

it('keeps what is kept again while it is being removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-snapshots-'))
  const bytes = Buffer.from('mine\n')
  let again: Promise<unknown> = Promise.resolve()
  const snapshots: Snapshots = new Snapshots(folder, () => {
    again = snapshots.keep(bytes)
    return new Set()
  })
  const hash = await snapshots.keep(bytes)
  await snapshots.prune()
  await again
  expect(await snapshots.read(hash ?? '')).toEqual(bytes)
  await rm(folder, { recursive: true })
})
