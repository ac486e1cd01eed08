import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FileWatcher } from '../files/watcher'
import { FollowedStatus } from './followed-status'

let top: string
let watcher: FileWatcher
let followed: FollowedStatus | undefined

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: top, stdio: 'pipe' })
const markOf = (name: string) => followed?.status?.marks.get(join(top, name))
const patience = { timeout: 25_000 }

/** Never without a sign, unless the test says so. */
function follow(idle = 1_000_000, program: { git?: string } = {}): void {
  const report = (error: unknown) => expect.unreachable(String(error))
  followed = new FollowedStatus({ folder: top, program, watcher, idle, report })
}

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-followed-')))
  watcher = new FileWatcher()
})
afterEach(() => {
  vi.useRealTimers()
  followed?.dispose()
  watcher.dispose()
  rmSync(top, { recursive: true, force: true })
})

describe('FollowedStatus', () => {
  it('follows what is written in a watched folder, and commits', async () => {
    git('init', '-q', '-b', 'trunk')
    writeFileSync(join(top, 'a.txt'), 'a\n')
    git('add', '.')
    git('commit', '-q', '-m', 'first')
    follow()
    await vi.waitFor(() => expect(followed?.status?.head.branch).toBe('trunk'), patience)
    // As the tree watches it; writing into a file leaves its folder as it was.
    await watcher.watchDirectory(top, () => undefined)
    writeFileSync(join(top, 'a.txt'), 'changed\n')
    await vi.waitFor(() => expect(markOf('a.txt')).toBe('modified'), patience)
    git('commit', '-q', '-am', 'second')
    await vi.waitFor(() => expect(markOf('a.txt')).toBeUndefined(), patience)
    git('checkout', '-q', '-b', 'other')
    await vi.waitFor(() => expect(followed?.status?.head.branch).toBe('other'), patience)
  })

  it('keeps what it knows where git fails once', async (context) => {
    context.skip(process.platform === 'win32', 'not on Windows')
    git('init', '-q', '-b', 'trunk')
    const failing = join(top, '.git', 'failing')
    const script = join(top, '.git', 'git-that-fails')
    writeFileSync(script, `#!/bin/sh\n[ -e '${failing}' ] && rm '${failing}' && exit 128\nexec git "$@"\n`, {
      mode: 0o755,
    })
    follow(1_000_000, { git: script })
    await vi.waitFor(() => expect(followed?.status?.head.branch).toBe('trunk'), patience)
    const told: (string | null | undefined)[] = []
    followed?.onChange(() => told.push(followed?.status?.head.branch))
    writeFileSync(failing, '')
    writeFileSync(join(top, 'a.txt'), 'a\n')
    followed?.touch()
    await vi.waitFor(() => expect(markOf('a.txt')).toBe('untracked'), patience)
    expect(told).toEqual(['trunk'])
  })

  it('asks once for many signs, and not while it asks', async () => {
    git('init', '-q')
    follow()
    await vi.waitFor(() => expect(followed?.status).not.toBeNull(), patience)
    let changes = 0
    followed?.onChange(() => (changes += 1))
    for (let index = 0; index < 10_000; index++) {
      if (index % 100 === 0) writeFileSync(join(top, `f${index}`), '')
      followed?.touch()
    }
    await vi.waitFor(() => expect(followed?.status?.marks.size).toBe(100), patience)
    expect(changes).toBe(1)
  })

  it('finds a repository that comes later, by looking now and then', { timeout: 60_000 }, async () => {
    follow(50)
    git('init', '-q', '-b', 'late')
    await vi.waitFor(() => expect(followed?.status?.head.branch).toBe('late'), patience)
    // Git may be writing its index there.
    rmSync(join(top, '.git'), { recursive: true, maxRetries: 10 })
    await vi.waitFor(() => expect(followed?.status).toBeNull(), patience)
  })

  it('looks again after five minutes, however long the last look took', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const report = (error: unknown) => expect.unreachable(String(error))
    followed = new FollowedStatus({ folder: top, program: {}, watcher, report })
    vi.advanceTimersByTime(30_000)
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patience)
    git('init', '-q', '-b', 'late')
    const found = new Promise<void>((resolve) => followed?.onChange(resolve))
    vi.advanceTimersByTime(300_000)
    vi.useRealTimers()
    await found
    expect(followed.status?.head.branch).toBe('late')
  })
})
