import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DisposableStack } from '../../../shared/lifetime'
import { FileWatcher } from '../../core/files/watcher'
import { MannerFollower } from './manner-follower'
import type { WritingManner } from './writing-manner'

let folder = ''
let owned = new DisposableStack()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-follow-'))
})
afterEach(async () => {
  owned.dispose()
  owned = new DisposableStack()
  await rm(folder, { recursive: true, force: true })
})

const startedAt = Date.now() - 60_000
const session = (id: string) => join(folder, 'projects', '-my-project', `${id}.jsonl`)
const prompt = (permissionMode: string, at = Date.now()) =>
  JSON.stringify({ type: 'user', timestamp: new Date(at).toISOString(), permissionMode }) + '\n'

async function note(sessionId: string): Promise<void> {
  await mkdir(join(folder, 'sessions'), { recursive: true })
  const text = JSON.stringify({ pid: 42, sessionId, cwd: '/my/project', startedAt })
  await writeFile(join(folder, 'sessions', '42.json'), text)
}

async function append(id: string, text: string): Promise<void> {
  await mkdir(join(folder, 'projects', '-my-project'), { recursive: true })
  await appendFile(session(id), text)
}

function follow(): WritingManner[] {
  const told: WritingManner[] = []
  const watcher = owned.add(new FileWatcher())
  const configFolders = [join(folder, 'none'), folder]
  owned.add(new MannerFollower({ configFolders, pid: 42, watcher, tell: (manner) => told.push(manner) }))
  return told
}

const patient = { timeout: 10_000 }

it('tells the mode when the session that does not exist yet shows it, and each change once', async () => {
  const told = follow()
  await note('first')
  await append('first', '{"type":"permission-mode","permissionMode":"auto"}\n')
  await vi.waitFor(() => expect(told).toEqual([{ mode: 'auto' }]), patient)
  await append('first', prompt('default'))
  await vi.waitFor(() => expect(told).toEqual([{ mode: 'auto' }, { mode: 'default' }]), patient)
  await append('first', prompt('default') + prompt('acceptEdits'))
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ mode: 'acceptEdits' }), patient)
  expect(told).toHaveLength(3)
})

it('goes on with the next session of the same command line', async () => {
  await note('first')
  await append('first', prompt('acceptEdits'))
  const told = follow()
  await vi.waitFor(() => expect(told).toEqual([{ mode: 'acceptEdits' }]), patient)
  await note('second')
  await append('second', prompt('plan'))
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ mode: 'plan' }), patient)
})

it('does not tell what an earlier process left in a session that is gone on with', async () => {
  await note('first')
  const old = prompt('acceptEdits', startedAt - 1) + '{"type":"permission-mode","permissionMode":"auto"}\n'
  await append('first', old)
  const told = follow()
  await append('first', prompt('default'))
  await vi.waitFor(() => expect(told).toEqual([{ mode: 'default' }]), patient)
})

it('says nothing after its end', async () => {
  await note('first')
  const told: WritingManner[] = []
  const watcher = owned.add(new FileWatcher())
  const follower = new MannerFollower({
    configFolders: [folder],
    pid: 42,
    watcher,
    tell: (manner) => told.push(manner),
  })
  follower.dispose()
  const other = follow()
  await append('first', prompt('default'))
  await vi.waitFor(() => expect(other).toHaveLength(1), patient)
  expect(told).toEqual([])
})
