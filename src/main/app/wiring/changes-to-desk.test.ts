import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draftText, startPlainDesk } from '../../../../test/plain-desk'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { Changes, WindowChanges } from '../../core/changes/changes'
import { Connections } from '../../core/connections/connections'
import type { PresentAgent } from '../../core/changes/changes-ports'
import { FileSwapper } from '../../core/files/compare-and-swap'
import { hashContent } from '../../core/files/content-hash'
import { Ledger } from '../../core/files/ledger'
import { FileWatcher } from '../../core/files/watcher'
import type { ReviewDesk } from '../../core/review/desk'
import { connectChangesToDesk } from './changes-to-desk'

/** A folder with an agent in it, the desk, and what watches between them. */
class Scene {
  readonly base: string
  readonly folder: string
  readonly ledger = new Ledger()
  readonly watcher = new FileWatcher({ interval: 100 })
  readonly connections = new Connections()
  readonly warnings: string[] = []
  readonly faults: unknown[] = []
  agents: PresentAgent[] = []
  isOn = true
  desk: ReviewDesk
  changes: Changes
  window: WindowChanges
  readonly #agentsChanged = new Emitter<void>()
  #wired: Disposable

  constructor(base: string) {
    this.base = base
    this.folder = join(base, 'project')
    mkdirSync(this.folder, { recursive: true })
    const started = this.#start()
    this.desk = started.desk
    this.changes = started.changes
    this.window = started.window
    this.#wired = started.wired
  }

  #start() {
    const late: { changes: Changes | null } = { changes: null }
    const swapper = new FileSwapper()
    const desk = startPlainDesk(this.base, this.watcher, {
      ledger: this.ledger,
      swapper,
      isAgents: (path, hash) => late.changes?.isAgents(path, hash) ?? false,
    })
    const { changes, wired } = connectChangesToDesk({
      directory: join(this.base, 'data'),
      desk,
      ledger: this.ledger,
      swapper,
      git: {},
      windows: () => [{ connections: this.connections }],
      report: (error) => this.faults.push(error),
    })
    late.changes = changes
    const window = changes.follow({
      folders: () => [this.folder],
      agents: { list: () => this.agents, onChange: this.#agentsChanged.on },
      isOn: () => this.isOn,
      warn: (sentence) => this.warnings.push(sentence),
      quiet: 60_000,
      patience: 60_000,
      linger: 60_000,
    })
    return { desk, changes, window, wired }
  }

  /** The app ends and starts again. */
  async restart(): Promise<void> {
    this.agents = []
    await this.desk.shutdown()
    await this.changes.groups.flush()
    this.#wired.dispose()
    this.changes.dispose()
    const started = this.#start()
    this.desk = started.desk
    this.changes = started.changes
    this.window = started.window
    this.#wired = started.wired
    await Promise.all([this.desk.restore(), this.changes.prune()])
  }

  at(name: string): string {
    return join(this.folder, name)
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(dirname(this.at(name)), { recursive: true })
    writeFileSync(this.at(name), text)
  }

  read(name: string): string | null {
    try {
      return readFileSync(this.at(name), 'utf8')
    } catch {
      return null
    }
  }

  git(...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      cwd: this.folder,
      stdio: 'pipe',
    })
  }

  /** Agents are here, at rest, and the folder has been looked at. */
  async meet(...names: string[]): Promise<void> {
    this.agents = (names.length > 0 ? names : ['Claude']).map((name) => ({
      id: name,
      name,
      pid: null,
      workedAt: 1,
      mayBeQuiet: false,
    }))
    this.#agentsChanged.emit()
    await this.window.flush()
  }

  /** Someone writes: agents in their turn (all of them), or the person while no agent is in one. */
  async act(who: 'agent' | 'person', deed: () => void): Promise<void> {
    await this.begin(who, deed)
    await this.settle()
    this.agents = this.agents.map((agent) => ({ ...agent, workedAt: 1 }))
  }

  /** Someone writes, and it is heard of but not looked at yet; the turn goes on. */
  async begin(who: 'agent' | 'person', deed: () => void): Promise<void> {
    // However long the deed takes, the turn isn't over.
    this.agents = this.agents.map((agent) => ({
      ...agent,
      workedAt: who === 'agent' ? Number.MAX_SAFE_INTEGER : 1,
    }))
    deed()
    await this.#hear()
  }

  /** Resolves when everything written has been looked at, and reviews have seen what their files hold. */
  async settle(): Promise<void> {
    // Who is in a turn is asked anew by then.
    await Promise.all([this.#hear(), new Promise((resolve) => setTimeout(resolve, 20))])
    await this.window.flush()
    await expect.poll(() => this.#haveSeenAll()).toBe(true)
  }

  /** The system tells of what is written in the order in which it is. */
  #hear(): Promise<void> {
    const last = `heard ${randomUUID()}`
    const heard = new Promise<void>((resolve) => {
      const watcher = watch(this.base, (_, name) => {
        if (name !== last) return
        watcher.close()
        resolve()
      })
    })
    writeFileSync(join(this.base, last), '')
    return heard
  }

  #haveSeenAll(): boolean {
    return this.desk.summaries().every(({ id, path }) => {
      const content = this.desk.content(id)?.content
      if (content?.kind !== 'text' || !content.exact) return true
      return (
        content.firstProposed.toString() ===
        (this.read(path.slice(this.folder.length)) ?? '').replaceAll('\r\n', '\n')
      )
    })
  }

  reviews() {
    return this.desk.summaries().map(({ name, agent, effect, title }) => ({ name, agent, effect, title }))
  }

  /** The first group, as it is now. */
  group(): [id: string, revision: number] {
    const [group] = this.changes.groups.list()
    return [group?.id ?? '', group?.revision ?? 0]
  }

  id(name: string): string {
    return this.desk.summaries().find((summary) => summary.name === name)?.id ?? ''
  }

  async decide(name: string, how: 'accept' | 'reject'): Promise<void> {
    const id = this.id(name)
    const over = new Promise<void>((resolve) => {
      const heard = this.desk.onChange((event) => {
        if (event.kind !== 'ended' || event.id !== id) return
        heard.dispose()
        resolve()
      })
    })
    expect(this.desk[how](id, this.desk.summary(id)?.revision ?? 0).ok).toBe(true)
    await over
  }

  async dispose(): Promise<void> {
    this.desk.dispose()
    this.#wired.dispose()
    this.changes.dispose()
    this.watcher.dispose()
    await rm(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

let scene: Scene
beforeEach(async () => {
  scene = new Scene(await realpath(await mkdtemp(join(tmpdir(), 'greenlight-changes-'))))
})
afterEach(async () => {
  vi.useRealTimers()
  expect(scene.faults).toEqual([])
  await scene.dispose()
})

/** What joins a group does so for a short time, which a busy machine must not use up. */
function holdClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
}

function commit(files: Record<string, string>): void {
  scene.git('init', '-q', '-b', 'main')
  for (const [name, text] of Object.entries(files)) scene.write(name, text)
  scene.git('add', '-A')
  scene.git('commit', '-q', '-m', 'first')
}

describe('what an agent writes without asking', () => {
  it('is asked about: changed, new and deleted files, by name where only one can have been it', async () => {
    commit({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'src/c.txt': 'three\n' })
    await scene.meet()
    await scene.act('agent', () => {
      scene.write('a.txt', 'ONE\n')
      scene.write('new/deep/d.txt', 'four\n')
      rmSync(scene.at('src'), { recursive: true })
    })
    // A busy system tells late of what is made in folders that are new themselves.
    await vi.waitFor(async () => {
      await scene.window.flush()
      expect(scene.reviews().sort((one, two) => one.name.localeCompare(two.name))).toEqual([
        { name: 'a.txt', agent: 'Claude', effect: 'written', title: 'Changed' },
        { name: 'c.txt', agent: 'Claude', effect: 'written', title: 'Deleted' },
        { name: 'd.txt', agent: 'Claude', effect: 'written', title: 'New file' },
      ])
    }, 10_000)
    for (const name of ['a.txt', 'c.txt', 'd.txt']) await scene.decide(name, 'reject')
    expect([scene.read('a.txt'), scene.read('src/c.txt'), scene.read('new/deep/d.txt')]).toEqual([
      'one\n',
      'three\n',
      null,
    ])
    expect(scene.reviews()).toEqual([])
    // What was put back is known: nobody is asked again.
    await scene.settle()
    expect(scene.reviews()).toEqual([])
  })

  it('is told of one that isn’t connected, by its terminal', async () => {
    const told: string[] = []
    scene.connections.onWrote(({ connection, path }) => told.push(`${connection} ${basename(path)}`))
    commit({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    await scene.meet()
    await scene.act('agent', () => scene.write('a.txt', 'ONE\n'))
    expect(told).toEqual(['Claude a.txt'])
    scene.connections.put({
      ...{ id: 'c', dialect: 'd', protocol: 'P', agent: 'Claude', version: null, since: 0, pid: null },
      ...{ terminal: 'Claude', unasked: null, note: null },
    })
    await scene.act('agent', () => scene.write('b.txt', 'TWO\n'))
    expect(scene.reviews()).toHaveLength(2)
    expect(told).toHaveLength(1)
  })

  it('is “An agent” where two were in a turn', async () => {
    commit({ 'a.txt': 'one\n' })
    await scene.meet('Claude', 'Gemini')
    await scene.act('agent', () => scene.write('a.txt', 'ONE\n'))
    expect(scene.reviews()).toMatchObject([{ agent: 'An agent' }])
  })

  it('is put back to the person’s own text where the file was dirty or untracked, never to the commit', async () => {
    commit({ 'a.txt': 'committed\n' })
    scene.write('a.txt', 'mine, not committed\n')
    scene.write('untracked.txt', 'mine too\n')
    await scene.meet()
    await scene.act('agent', () => {
      scene.write('a.txt', 'theirs\n')
      rmSync(scene.at('untracked.txt'))
    })
    await scene.decide('a.txt', 'reject')
    await scene.decide('untracked.txt', 'reject')
    expect([scene.read('a.txt'), scene.read('untracked.txt')]).toEqual([
      'mine, not committed\n',
      'mine too\n',
    ])
  })

  it('keeps what the person wrote between two turns', async () => {
    commit({ 'a.txt': 'one\n' })
    await scene.meet()
    await scene.act('person', () => scene.write('a.txt', 'one\nmine\n'))
    expect(scene.reviews()).toEqual([])
    await scene.act('agent', () => scene.write('a.txt', 'ONE\nmine\n'))
    await scene.decide('a.txt', 'reject')
    expect(scene.read('a.txt')).toBe('one\nmine\n')
  })

  it('is one review for several writes, from before the first of them', async () => {
    commit({ 'a.txt': 'one\ntwo\nthree\n' })
    await scene.meet()
    await scene.act('agent', () => scene.write('a.txt', 'ONE\ntwo\nthree\n'))
    await scene.act('agent', () => scene.write('a.txt', 'ONE\ntwo\nTHREE\n'))
    await expect.poll(() => draftText(scene.desk, scene.id('a.txt'))).toBe('ONE\ntwo\nTHREE\n')
    expect(scene.reviews().length).toBe(1)
    await scene.decide('a.txt', 'reject')
    expect(scene.read('a.txt')).toBe('one\ntwo\nthree\n')
  })

  it('is told as a rename where a file went and another came with its content', async () => {
    commit({ 'old.txt': 'the very same\n', 'other.txt': 'x\n' })
    await scene.meet()
    await scene.act('agent', () => renameSync(scene.at('old.txt'), scene.at('new.txt')))
    expect(scene.reviews()).toMatchObject([
      { name: 'old.txt', title: 'Renamed to new.txt' },
      { name: 'new.txt', title: 'Renamed from old.txt' },
    ])
  })

  it('is not what was agreed to, nor what the person did, nor what git ignores, nor a mere touch', async () => {
    commit({ '.gitignore': '*.log\nbuild/\n', 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' })
    await scene.meet()
    await scene.act('agent', () => {
      scene.ledger.expect({ path: scene.at('a.txt'), hash: hashContent('saved\n') })
      scene.write('a.txt', 'saved\n')
      scene.write('noise.log', 'x')
      scene.write('build/out.txt', 'x')
      scene.write('b.txt', 'two\n')
      scene.write('.git/config', readFileSync(scene.at('.git/config')))
    })
    await scene.act('person', () => scene.write('c.txt', 'mine\n'))
    expect(scene.reviews()).toEqual([])
    // And what was agreed to is what is put back to.
    await scene.act('agent', () => scene.write('a.txt', 'theirs\n'))
    await scene.decide('a.txt', 'reject')
    expect(scene.read('a.txt')).toBe('saved\n')
  })

  it('is put back with the line ends that the file had, whatever git would write', async () => {
    scene.git('init', '-q')
    scene.git('config', 'core.autocrlf', 'true')
    scene.write('lf.txt', 'one\ntwo\n')
    scene.write('crlf.txt', 'one\r\ntwo\r\n')
    scene.git('add', '-A')
    scene.git('commit', '-q', '-m', 'first')
    await scene.meet()
    await scene.act('agent', () => {
      scene.write('lf.txt', 'ONE\ntwo\n')
      scene.write('crlf.txt', 'ONE\r\ntwo\r\n')
    })
    await scene.decide('lf.txt', 'reject')
    await scene.decide('crlf.txt', 'reject')
    expect([scene.read('lf.txt'), scene.read('crlf.txt')]).toEqual(['one\ntwo\n', 'one\r\ntwo\r\n'])
  })

  it('is one group where many files changed at once: kept together, or reviewed one by one', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}.txt`, 'old\n']))
    commit(files)
    await scene.meet()
    await scene.act('agent', () => {
      for (const name of Object.keys(files)) scene.write(name, 'new\n')
    })
    expect(scene.reviews()).toEqual([])
    const [group] = scene.changes.groups.list()
    expect(group).toMatchObject({ agent: { name: 'Claude' }, isMore: false })
    expect(group?.files.length).toBe(60)
    const opened = await scene.changes.review(group?.id ?? '', scene.at('f7.txt'))
    expect(opened).toEqual({ ok: true, value: { review: scene.id('f7.txt') } })
    await scene.decide('f7.txt', 'reject')
    expect(scene.read('f7.txt')).toBe('old\n')
    expect(scene.changes.groups.list()[0]?.files.length).toBe(59)
    await scene.changes.keepAll(...scene.group())
    expect(scene.changes.groups.list()).toEqual([])
    // Kept is known from then on.
    await scene.act('agent', () => scene.write('f1.txt', 'newer\n'))
    await scene.decide('f1.txt', 'reject')
    expect(scene.read('f1.txt')).toBe('new\n')
  })

  it.each([60, 250])('of %i in a group, only those that were listed are kept together', async (count) => {
    const names = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `f${from + index}.txt`)
    const [listed, more] = [names(0, count), names(count, count + 60)]
    commit(Object.fromEntries([...listed, ...more].map((name) => [name, 'old\n'])))
    await scene.meet()
    const write = (which: readonly string[]) => () => which.forEach((name) => scene.write(name, 'new\n'))
    await scene.act('agent', write(listed))
    const { groups } = scene.changes
    const seen = scene.group()
    await scene.begin('agent', write(more))
    // Kept while it is being looked at what came after them.
    let keeping: Promise<unknown> = Promise.resolve()
    vi.spyOn(groups, 'befores').mockImplementationOnce((folder) => {
      keeping = scene.changes.keepAll(...seen)
      return groups.befores(folder)
    })
    await scene.settle()
    await keeping
    expect(groups.list().map(({ files }) => files.length)).toEqual([60])
    // Written again as it is, which is also what a folder that was read again holds.
    await scene.act('agent', () => scene.write(more[0] ?? '', 'new\n'))
    expect(groups.list().map(({ files }) => files.length)).toEqual([60])
    // They were never shown with the others.
    expect(await scene.changes.putBackAll(...seen)).toMatchObject({ ok: false, failure: { code: 'gone' } })
    expect(await scene.changes.putBackAll(...scene.group())).toEqual({
      ok: true,
      value: { done: 60, left: 0 },
    })
    expect([...listed, ...more].filter((name) => scene.read(name) === 'old\n')).toEqual(more)
  })

  it('joins the group of the many that it came after, and is decided with those that were listed with it', async () => {
    holdClock()
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.txt`)
    const tail = ['g0.txt', 'g1.txt']
    commit(Object.fromEntries([...names, ...tail].map((name) => [name, 'old\n'])))
    await scene.meet()
    await scene.act('agent', () => names.forEach((name) => scene.write(name, 'new\n')))
    const seen = scene.group()
    await scene.changes.review(seen[0], scene.at('f0.txt'))
    await scene.act('agent', () => ['f0.txt', ...tail].forEach((name) => scene.write(name, 'newer\n')))
    expect(scene.reviews()).toMatchObject([{ name: 'f0.txt' }])
    expect(scene.changes.groups.list().map(({ files }) => files.length)).toEqual([61])
    await scene.changes.keepAll(...seen)
    const left = scene.changes.groups.list().flatMap(({ files }) => files.map(({ path }) => path))
    expect(left.toSorted()).toEqual(tail.map((name) => scene.at(name)))
    expect(await scene.changes.putBackAll(...scene.group())).toEqual({
      ok: true,
      value: { done: 2, left: 0 },
    })
    expect(['f1.txt', ...tail].map((name) => scene.read(name))).toEqual(['new\n', 'old\n', 'old\n'])
    await scene.settle()
    // Nothing is left that it could join.
    await scene.act('agent', () => scene.write('g0.txt', 'newest\n'))
    expect(scene.reviews().map(({ name }) => name)).toEqual(['f0.txt', 'g0.txt'])
  })

  it('stays in its group while another review of the file is open', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.txt`)
    commit(Object.fromEntries(names.map((name) => [name, 'old\n'])))
    await scene.meet()
    await scene.act('agent', () => names.forEach((name) => scene.write(name, 'new\n')))
    const origin = { dialect: 'claude-ide', connection: 'c', agent: 'Claude', call: '1' } as const
    const path = scene.at('f7.txt')
    const proposal = { origin, path, proposed: 'newer\n', title: '', effect: 'agent' } as const
    const opening = scene.desk.open(proposal, new AbortController().signal)
    await expect.poll(() => scene.id('f7.txt')).not.toBe('')
    const [id] = scene.group()
    expect(await scene.changes.review(id, path)).toMatchObject({ ok: false, failure: { code: 'busy' } })
    expect([...scene.changes.groups.befores(scene.folder).keys()]).toContain(path)
    await scene.decide('f7.txt', 'reject')
    await opening
    expect((await scene.changes.review(id, path)).ok).toBe(true)
  })

  it('is not the person’s because many files are kept before it was looked at', async () => {
    holdClock()
    const names = Array.from({ length: 250 }, (_, index) => `f${index}.txt`)
    commit({ ...Object.fromEntries(names.map((name) => [name, 'old\n'])), 'a.txt': 'one\n' })
    await scene.meet()
    await scene.act('agent', () => names.forEach((name) => scene.write(name, 'new\n')))
    await scene.begin('agent', () => scene.write('a.txt', 'ONE\n'))
    await scene.changes.keepAll(...scene.group())
    expect(scene.changes.groups.list()).toMatchObject([{ files: [{ path: scene.at('a.txt') }] }])
    await scene.changes.putBackAll(...scene.group())
    expect(scene.read('a.txt')).toBe('one\n')
  })

  it('is told with the command that ran, on its own or as a group, until another joins it', async () => {
    const run = async (command: string | null, deed: () => void) => {
      scene.agents = scene.agents.map((agent) => ({ ...agent, command }))
      await scene.act('agent', deed)
    }
    const many = (from: number) => () => {
      for (let n = from; n < from + 60; n++) scene.write(`f${n}.txt`, `${n}\n`)
    }
    await scene.meet()
    await run('sed -i s/a/b/ a.txt', () => scene.write('a.txt', 'b\n'))
    expect(scene.desk.summaries()).toMatchObject([{ name: 'a.txt', command: 'sed -i s/a/b/ a.txt' }])
    await run('make', many(0))
    expect(scene.changes.groups.list()).toMatchObject([{ agent: { name: 'Claude', command: 'make' } }])
    const [group] = scene.changes.groups.list()
    await scene.changes.review(group?.id ?? '', scene.at('f1.txt'))
    expect(scene.desk.summaries().at(-1)).toMatchObject({ name: 'f1.txt', command: 'make' })
    await run('make more', many(100))
    expect(scene.changes.groups.list()).toHaveLength(1)
    expect(scene.changes.groups.list()[0]?.agent).not.toHaveProperty('command')
  })

  it('puts a group back as a whole, but for what somebody else has written since', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.txt`)
    commit(Object.fromEntries(names.map((name) => [name, 'old\n'])))
    scene.write('f0.txt', 'mine, not committed\n')
    await scene.meet()
    await scene.act('agent', () => {
      for (const name of names) scene.write(name, 'new\n')
      rmSync(scene.at('f1.txt'))
      scene.write('made.txt', 'new\n')
    })
    const [group] = scene.changes.groups.list()
    expect(group?.files.length).toBe(61)
    // Saved in the app while the agent works: nobody takes that for the agent's.
    await scene.act('agent', () => {
      scene.ledger.expect({ path: scene.at('f2.txt'), hash: hashContent('saved\n') })
      scene.write('f2.txt', 'saved\n')
      scene.write('f3.txt', 'newer\n')
      scene.write('f4.txt', 'old\n')
    })
    await scene.act('person', () => scene.write('f5.txt', 'mine\n'))
    expect(scene.changes.groups.list()[0]?.files.length).toBe(58)
    // What nobody has told of yet is not written over either.
    scene.write('f6.txt', 'a moment ago\n')
    expect(await scene.changes.putBackAll(...scene.group())).toEqual({
      ok: true,
      value: { done: 57, left: 1 },
    })
    expect(names.filter((name) => scene.read(name) !== 'old\n')).toEqual([
      'f0.txt',
      'f2.txt',
      'f5.txt',
      'f6.txt',
    ])
    expect(['f0.txt', 'f2.txt', 'f5.txt', 'f6.txt', 'made.txt'].map((name) => scene.read(name))).toEqual([
      'mine, not committed\n',
      'saved\n',
      'mine\n',
      'a moment ago\n',
      null,
    ])
    expect(scene.changes.groups.list()[0]?.files.map(({ path }) => path)).toEqual([scene.at('f6.txt')])
    // Nobody is asked about what was put back.
    await scene.settle()
    expect(scene.reviews()).toEqual([])
  })

  it('puts a group back after a restart, and only what is certain of one that an older version kept', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.txt`)
    commit(Object.fromEntries(names.map((name) => [name, 'old\n'])))
    await scene.meet()
    await scene.act('agent', () => {
      for (const name of names) scene.write(name, 'new\n')
    })
    await scene.changes.groups.flush()
    const kept = join(scene.base, 'data', 'changes', 'groups.json')
    const [group] = JSON.parse(readFileSync(kept, 'utf8')) as { id: string; files: { after?: string }[] }[]
    delete group?.files[0]?.after
    writeFileSync(kept, JSON.stringify([group]))
    await scene.restart()
    const put = await scene.changes.putBackAll(...scene.group())
    expect(put).toEqual({ ok: true, value: { done: 59, left: 1 } })
    expect(names.filter((name) => scene.read(name) === 'old\n').length).toBe(59)
    expect(await scene.changes.putBackAll('gone', 1)).toMatchObject({ ok: false, failure: { code: 'gone' } })
  })

  it('shows a checkout of the agent’s as a group, and one of the person’s not at all', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, 'main\n']))
    commit(files)
    scene.git('checkout', '-q', '-b', 'other')
    for (const name of Object.keys(files)) scene.write(name, 'other\n')
    scene.git('commit', '-q', '-am', 'other')
    await scene.meet()
    await scene.act('person', () => scene.git('checkout', '-q', 'main'))
    await expect.poll(() => scene.settle().then(() => scene.changes.groups.list())).toEqual([])
    await scene.act('agent', () => scene.git('checkout', '-q', 'other'))
    const [group] = scene.changes.groups.list()
    expect(group?.files.length).toBe(300)
    await scene.changes.review(group?.id ?? '', scene.at('f9.txt'))
    await scene.decide('f9.txt', 'reject')
    expect(scene.read('f9.txt')).toBe('main\n')
  })

  it('comes back after a restart, groups too; snapshots nobody needs are gone, and private', async () => {
    commit({ 'a.txt': 'one\n' })
    for (let index = 0; index < 60; index++) scene.write(`u${index}.txt`, `mine ${index}\n`)
    await scene.meet()
    const snapshots = join(scene.base, 'data', 'changes', 'snapshots')
    expect(readdirSync(snapshots).length).toBe(60)
    for (const name of readdirSync(snapshots)) {
      expect(statSync(join(snapshots, name)).mode & 0o777).toBe(0o600)
    }
    await scene.act('agent', () => scene.write('a.txt', 'ONE\n'))
    await scene.act('agent', () => {
      for (let index = 0; index < 55; index++) scene.write(`u${index}.txt`, 'theirs\n')
    })
    await scene.restart()
    expect(scene.reviews()).toMatchObject([{ name: 'a.txt', effect: 'written' }])
    expect(readdirSync(snapshots).length).toBe(55)
    const [group] = scene.changes.groups.list()
    await scene.changes.review(group?.id ?? '', scene.at('u3.txt'))
    await scene.decide('u3.txt', 'reject')
    expect(scene.read('u3.txt')).toBe('mine 3\n')
    await scene.decide('a.txt', 'reject')
    expect(scene.read('a.txt')).toBe('one\n')
  })

  it('is known in a folder without a repository too, within bounds; what is not is said and only kept', async () => {
    scene.write('a.txt', 'one\n')
    const large = Buffer.alloc(9 * 1024 * 1024, 'x\n')
    scene.write('large.txt', large)
    await scene.meet()
    await scene.act('agent', () => {
      scene.write('a.txt', 'ONE\n')
      scene.write('large.txt', 'small now\n')
    })
    const summary = scene.desk.summary(scene.id('large.txt'))
    expect(summary).toMatchObject({ isBeforeUnknown: true })
    expect(summary?.problem).toContain('isn’t known')
    await scene.decide('large.txt', 'accept')
    await scene.decide('a.txt', 'reject')
    expect([scene.read('a.txt'), scene.read('large.txt')]).toEqual(['one\n', 'small now\n'])
  })

  it('is shown too where the agent was asking about the same file, and was refused', async () => {
    commit({ 'a.txt': 'one\n' })
    await scene.meet()
    const origin = { dialect: 'claude-ide', connection: 'c', agent: 'Claude', call: '1' } as const
    const proposal = {
      origin,
      path: scene.at('a.txt'),
      proposed: 'ONE\n',
      title: '',
      effect: 'agent',
    } as const
    const opening = scene.desk.open(proposal, new AbortController().signal)
    await expect.poll(() => scene.id('a.txt')).not.toBe('')
    await scene.act('person', () => scene.write('a.txt', 'one\nmine\n'))
    await scene.act('agent', () => scene.write('a.txt', 'sneaked in\nmine\n'))
    await scene.decide('a.txt', 'reject')
    expect(await opening).toEqual({ kind: 'rejected' })
    await scene.settle()
    expect(scene.reviews()).toMatchObject([{ name: 'a.txt', effect: 'written', agent: 'Claude' }])
    await scene.decide('a.txt', 'reject')
    expect(scene.read('a.txt')).toBe('one\nmine\n')
  })

  it('is not looked at when the person has switched it off', async () => {
    commit({ 'a.txt': 'one\n' })
    scene.isOn = false
    await scene.meet()
    await scene.act('agent', () => scene.write('a.txt', 'ONE\n'))
    expect(scene.reviews()).toEqual([])
    scene.isOn = true
    scene.window.update()
    await scene.window.flush()
    await scene.act('agent', () => scene.write('a.txt', 'TWO\n'))
    await scene.decide('a.txt', 'reject')
    expect(scene.read('a.txt')).toBe('ONE\n')
  })
})

describe('in any order of writes, turns and decisions', () => {
  const names = ['a.txt', 'b.txt'] as const
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('agent' as const),
        name: fc.constantFrom(...names),
        line: fc.nat(4),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('person' as const), name: fc.constantFrom(...names) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('accept' as const), name: fc.constantFrom(...names) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('reject' as const), name: fc.constantFrom(...names) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('restart' as const), name: fc.constantFrom(...names) }),
    },
  )

  it('never loses a line of the person’s, and puts back every line of the agent’s', async () => {
    const lines = ['zero', 'one', 'two', 'three', 'four', 'five']
    commit({ 'a.txt': `${lines.join('\n')}\n` })
    scene.write('b.txt', `${lines.join('\n')}\n`)
    await scene.meet()
    let count = 0
    const own: Record<string, string[]> = { 'a.txt': [], 'b.txt': [] }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const one of steps) {
          const { name } = one
          const text = scene.read(name) ?? ''
          const has = scene.id(name) !== ''
          if (one.do === 'agent') {
            const old = lines[one.line] ?? ''
            await scene.act('agent', () => scene.write(name, text.replace(`${old}\n`, `agent ${++count}\n`)))
          } else if (one.do === 'person') {
            const mine = `mine ${++count}`
            own[name]?.push(mine)
            await scene.act('person', () => scene.write(name, `${text}${mine}\n`))
            if (has) await expect.poll(() => draftText(scene.desk, scene.id(name))).toContain(mine)
          } else if (one.do === 'restart') {
            await scene.restart()
            await scene.meet()
          } else if (has) {
            await scene.decide(name, one.do)
            if (one.do === 'reject') {
              for (const line of lines) {
                if (!text.includes(`${line}\n`)) continue
                expect(scene.read(name)).toContain(`${line}\n`)
              }
            }
          }
          for (const [file, mine] of Object.entries(own)) {
            for (const line of mine) expect(scene.read(file)).toContain(`${line}\n`)
          }
        }
      }),
      { numRuns: 20, endOnFailure: true },
    )
  }, 120_000)
})
