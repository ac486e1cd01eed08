import { spawn } from 'node:child_process'
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeDiscoveryFile, removeStaleFiles } from './discovery-files'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-discovery-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const mode = async (path: string) => (await stat(path)).mode & 0o777

/** The id of a process that was and is no more. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  return child.pid ?? 0
}

describe('discovery files', () => {
  it('are written for their owner alone, and leave nothing beside', async (context) => {
    context.skip(process.platform === 'win32', 'not on Windows')
    const inner = join(folder, 'made', 'ide')
    const written = await writeDiscoveryFile({ folder: inner, name: '1.lock' }, { a: 1 })
    expect(written).toEqual({ ok: true, value: join(inner, '1.lock') })
    expect(JSON.parse(await readFile(join(inner, '1.lock'), 'utf8'))).toEqual({ a: 1 })
    expect(await mode(join(inner, '1.lock'))).toBe(0o600)
    expect(await mode(inner)).toBe(0o700)
    await writeDiscoveryFile({ folder: inner, name: '1.lock' }, { a: 2 })
    expect(await readdir(inner)).toEqual(['1.lock'])
    expect(JSON.parse(await readFile(join(inner, '1.lock'), 'utf8'))).toEqual({ a: 2 })
  })

  it('are always whole for a reader', async () => {
    const file = { folder, name: '1.lock' }
    const content = (turn: number) => ({ turn, fill: 'x'.repeat(50_000) })
    await writeDiscoveryFile(file, content(0))
    let going = true
    const reading = (async () => {
      let reads = 0
      while (going) {
        expect(JSON.parse(await readFile(join(folder, '1.lock'), 'utf8'))).toHaveProperty('turn')
        reads += 1
      }
      return reads
    })()
    for (let turn = 1; turn <= 30; turn += 1) await writeDiscoveryFile(file, content(turn))
    going = false
    expect(await reading).toBeGreaterThan(0)
  })

  it('fail with a sentence where they cannot be written', async () => {
    await writeFile(join(folder, 'file'), '')
    const failed = await writeDiscoveryFile({ folder: join(folder, 'file', 'ide'), name: '1.lock' }, {})
    expect(failed).toMatchObject({ ok: false, failure: { code: 'cannot-write' } })
  })

  it.skipIf(process.getuid?.() !== 0)('are not put where somebody else was first', async () => {
    const nobody = 65_534
    const write = (path: string) => writeDiscoveryFile({ folder: path, name: 'a.json' }, { token: 't' })
    const shared = join(folder, 'shared')
    await mkdir(shared)
    await chmod(shared, 0o1777)
    const foreign = join(shared, 'foreign')
    await mkdir(join(foreign, 'ide'), { recursive: true })
    await chown(join(foreign, 'ide'), nobody, nobody)
    // The folder itself, a folder above it, and a link of somebody else's on the way.
    const cases = [join(foreign, 'ide')]
    const above = join(shared, 'above')
    await mkdir(above)
    await chown(above, nobody, nobody)
    cases.push(join(above, 'ide'))
    await mkdir(join(folder, 'own'))
    await symlink(join(folder, 'own'), join(shared, 'link'))
    await lchown(join(shared, 'link'), nobody, nobody)
    cases.push(join(shared, 'link', 'ide'))
    for (const path of cases) {
      expect([path, await write(path)]).toMatchObject([path, { ok: false, failure: { code: 'not-private' } }])
      expect(await readdir(path)).toEqual([])
    }
    // A home that belongs to another account, and links of one's own, are nobody's trap.
    await mkdir(join(folder, 'home'))
    await chown(join(folder, 'home'), nobody, nobody)
    expect(await write(join(folder, 'home', 'ide'))).toMatchObject({ ok: true })
    await symlink(join(folder, 'own'), join(folder, 'mine'))
    expect(await write(join(folder, 'mine', 'ide'))).toMatchObject({ ok: true })
  })

  it('of ours are stale when their process is gone; others are left alone', async () => {
    const dead = await deadPid()
    const put = (name: string, content: unknown) =>
      writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    await put('1.lock', { ideName: 'Greenlight', pid: dead })
    await put('2.lock', { ideName: 'Greenlight', pid: process.pid })
    await put('3.lock', { ideName: 'Another', pid: dead })
    await put('4.lock', 'not json')
    await put('5.lock', { ideName: 'Greenlight' })
    await put('x.lock', { ideName: 'Greenlight', pid: dead })
    await mkdir(join(folder, '6.lock'))
    const options = {
      name: /^\d+\.lock$/,
      isOurs: (content: Record<string, unknown>) => content['ideName'] === 'Greenlight',
    }
    expect(await removeStaleFiles(folder, options)).toEqual([join(folder, '1.lock')])
    expect((await readdir(folder)).sort()).toEqual([
      '2.lock',
      '3.lock',
      '4.lock',
      '5.lock',
      '6.lock',
      'x.lock',
    ])
    expect(await removeStaleFiles(join(folder, 'none'), options)).toEqual([])
  })
})
