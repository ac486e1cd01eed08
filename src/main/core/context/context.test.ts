import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Seen, type Selected, shareEverything } from '../../../shared/agent-view'
import { Emitter } from '../../../shared/lifetime'
import { FileWatcher } from '../files/watcher'
import { Context, type ContextMemory, type EditorNow, type SeenChange } from './context'

let root = ''
let watcher = new FileWatcher()
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-context-')))
  mkdirSync(join(root, 'project', '.claude'), { recursive: true })
  watcher = new FileWatcher()
})
afterEach(() => {
  watcher.dispose()
  rmSync(root, { recursive: true })
})

/** A window's editor and settings, as plain as can be. */
class House {
  editor: EditorNow = { files: [], current: null, latest: null }
  patterns: string[] = []
  ignored = false
  memory: ContextMemory = { sharing: shareEverything, names: [] }
  gitIgnores = new Set<string>()
  readonly edited = new Emitter<void>()
  readonly ruled = new Emitter<void>()
  readonly changes: SeenChange[] = []
  readonly context: Context

  constructor(memory?: ContextMemory, home = root) {
    if (memory) this.memory = memory
    this.context = new Context({
      editor: { now: () => this.editor, onChange: this.edited.on },
      folders: () => [join(root, 'project')],
      home,
      configFolder: join(root, '.claude'),
      settings: {
        get: () => ({ patterns: this.patterns, ignored: this.ignored }),
        onChange: this.ruled.on,
      },
      memory: { read: () => this.memory, write: (next) => (this.memory = next) },
      watch: (path, listener) => watcher.watchFile(path, listener),
      askIgnored: (paths) => Promise.resolve(new Set(paths.filter((path) => this.gitIgnores.has(path)))),
      now: () => 5,
    })
    this.context.onSeen((change) => this.changes.push(change))
  }

  open(path: string): void {
    this.set({ files: [...this.editor.files.filter((file) => file.path !== path), fileAt(path)] })
  }

  close(path: string): void {
    // The tab goes first, as in the window; its selection after it.
    this.set({ files: this.editor.files.filter((file) => file.path !== path) })
    if (this.editor.latest?.path === path) this.set({ latest: null })
    if (this.editor.current?.path === path) this.set({ current: null })
  }

  select(selected: Selected | null): void {
    this.set(selected ? { current: selected, latest: selected } : { current: null })
  }

  rule(patterns: string[]): void {
    this.patterns = patterns
    this.ruled.emit()
  }

  set(change: Partial<EditorNow>): void {
    this.editor = { ...this.editor, ...change }
    this.edited.emit()
  }
}

const fileAt = (path: string) => ({
  path,
  label: path.slice(path.lastIndexOf('/') + 1),
  languageId: 'plaintext',
  isActive: false,
  isDirty: false,
})
const at = (name: string) => join(root, 'project', name)
const selectionIn = (path: string, text = `text of ${path}`): Selected => ({
  path,
  start: { line: 0, character: 0 },
  end: { line: 0, character: text.length },
  text,
})

describe('what is seen', () => {
  test('is nothing before the rules are known, and then what no rule forbids', async () => {
    const house = new House()
    house.patterns = ['.env*']
    house.open(at('.env'))
    house.open(at('a.ts'))
    house.select(selectionIn(at('a.ts')))
    expect(house.context.seen).toEqual({ files: [], current: null, latest: null })
    expect(house.context.whyUntold(at('a.ts'))).toEqual({ kind: 'unknown' })
    await house.context.start()
    expect(house.context.seen.files.map(({ label }) => label)).toEqual(['a.ts'])
    expect(house.context.seen.current?.path).toBe(at('a.ts'))
    expect(house.context.whyUntold(at('.env'))).toEqual({ kind: 'excluded', rule: '.env*', file: null })
    house.context.dispose()
  })

  test('is told as a change of the moment when it rests, and at once when it is taken away or given', async () => {
    const house = new House()
    await house.context.start()
    house.open(at('a.ts'))
    house.changes.length = 0
    house.select(selectionIn(at('a.ts')))
    expect(house.changes).toEqual([{ current: true, files: false, atOnce: false }])
    house.rule(['a.ts'])
    house.rule([])
    house.context.share({ all: false })
    house.select(selectionIn(at('a.ts'), 'other'))
    house.context.share({ all: true })
    expect(house.changes.slice(1)).toEqual(Array(4).fill({ current: true, files: true, atOnce: true }))
    expect(house.context.seen.current?.text).toBe('other')
    house.changes.length = 0
    house.close(at('a.ts'))
    expect(house.changes).toEqual([{ current: true, files: true, atOnce: true }])
    expect(house.context.seen.current).toBeNull()
    house.context.dispose()
  })

  test('has no cursor and no text without the selection, and no mere file without the files', async () => {
    const house = new House()
    await house.context.start()
    house.open(at('a.ts'))
    const cursor = {
      ...selectionIn(at('a.ts'), ''),
      start: { line: 3, character: 4 },
      end: { line: 3, character: 4 },
    }
    const file = {
      path: at('a.ts'),
      start: { line: 0, character: 0 },
      end: { line: 0, character: 0 },
      text: '',
    }
    house.select(selectionIn(at('a.ts')))
    house.context.share({ selection: false })
    expect(house.context.seen.current).toEqual(file)
    house.select(cursor)
    expect(house.context.seen.current).toEqual(file)
    house.context.share({ selection: true, files: false })
    expect(house.context.seen).toEqual({ files: [], current: null, latest: null })
    house.select(selectionIn(at('a.ts')))
    expect(house.context.seen.current?.text).toBe(`text of ${at('a.ts')}`)
    house.context.share({ selection: false })
    expect(house.context.seen.current).toBeNull()
    house.context.dispose()
  })

  test('outlives the app in its switches', async () => {
    const house = new House()
    await house.context.start()
    house.context.share({ all: false, files: false })
    house.context.dispose()
    const again = new House(house.memory)
    await again.context.start()
    expect(again.context.sharing).toEqual({ all: false, selection: true, files: false })
    again.context.dispose()
  })

  test('follows the name of a symbolic link as well, also after a restart', async () => {
    const house = new House()
    house.patterns = ['.env']
    await house.context.start()
    house.context.addName(at('.env'), at('config/real'))
    house.open(at('config/real'))
    expect(house.context.seen.files).toEqual([])
    house.context.dispose()
    const again = new House(house.memory)
    again.patterns = ['.env']
    await again.context.start()
    again.open(at('config/real'))
    expect(again.context.seen.files).toEqual([])
    again.context.dispose()
  })

  test('shows each file with a time of its own, the newest being the one that was shown last', async () => {
    const house = new House()
    await house.context.start()
    for (const name of ['a', 'b', 'c']) house.open(at(name))
    house.set({ files: house.editor.files.map((file) => ({ ...file, isActive: file.label === 'a' })) })
    const times = house.context.seen.files.map(({ shownAt }) => shownAt)
    expect(new Set(times).size).toBe(3)
    expect(Math.max(...times)).toBe(house.context.seen.files.find(({ isActive }) => isActive)?.shownAt)
    house.context.dispose()
  })
})

describe('deny rules of Claude Code', () => {
  const write = (name: string, deny: unknown) =>
    writeFileSync(
      join(root, name),
      typeof deny === 'string' ? deny : JSON.stringify({ permissions: { deny } }),
    )
  const changed = (context: Context, holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return
        listening.dispose()
        resolve()
      }
      const listening = context.onChange(look)
      look()
    })

  test('hold from the three files, are followed as they change, and outlive a broken file', async () => {
    const house = new House()
    write('project/.claude/settings.json', ['Read(./secrets/**)'])
    mkdirSync(join(root, '.claude'))
    write('.claude/settings.json', ['Read(~/private/**)'])
    await house.context.start()
    const { context } = house
    expect(context.whyUntold(at('secrets/a'))).toEqual({
      kind: 'excluded',
      rule: 'Read(./secrets/**)',
      file: at('.claude/settings.json'),
    })
    expect(context.whyUntold(join(root, 'private/x'))).toMatchObject({ rule: 'Read(~/private/**)' })
    house.open(at('b.ts'))
    expect(context.seen.files).toHaveLength(1)
    write('project/.claude/settings.local.json', ['Read(b.ts)'])
    await changed(context, () => context.seen.files.length === 0)
    expect(house.changes.at(-1)).toEqual({ current: false, files: true, atOnce: true })
    write('project/.claude/settings.local.json', '{ "permissions": ')
    await changed(context, () => context.problems.length > 0)
    expect(context.problems).toEqual([expect.stringMatching(/settings\.local\.json can’t be parsed.*Fix/)])
    expect(context.seen.files).toEqual([])
    write('project/.claude/settings.local.json', [])
    await changed(context, () => context.seen.files.length === 1)
    expect(context.problems).toEqual([])
    expect(context.denyRules.map(({ rule }) => rule)).toEqual(['Read(./secrets/**)', 'Read(~/private/**)'])
    context.dispose()
  })
})

test('deny rules hold for real paths, whatever links lead there: of home, and at the start of a rule', async () => {
  const link = join(root, 'link')
  symlinkSync(join(root, 'project'), link)
  writeFileSync(
    at('.claude/settings.json'),
    JSON.stringify({ permissions: { deny: [`Read(/${link}/a.ts)`, 'Read(~/b.ts)'] } }),
  )
  const house = new House(undefined, link)
  await house.context.start()
  for (const name of ['a.ts', 'b.ts', 'c.ts']) house.open(at(name))
  expect(house.context.seen.files.map(({ label }) => label)).toEqual(['c.ts'])
  house.rule(['~/c.ts'])
  expect(house.context.seen.files).toEqual([])
  house.context.dispose()
})

describe('what git ignores', () => {
  test('is not seen where the person says so, and nothing is before git was asked', async () => {
    const house = new House()
    house.gitIgnores.add(at('out.js'))
    await house.context.start()
    house.open(at('out.js'))
    house.open(at('a.ts'))
    expect(house.context.seen.files).toHaveLength(2)
    house.ignored = true
    house.ruled.emit()
    expect(house.context.seen.files).toEqual([])
    await house.context.learn(at('out.js'))
    expect(house.context.seen.files.map(({ label }) => label)).toEqual(['a.ts'])
    expect(house.context.whyFileWithheld(at('out.js'))).toEqual({ kind: 'ignored-by-git' })
    // A .gitignore that changes is asked about anew.
    house.gitIgnores.clear()
    writeFileSync(at('.gitignore'), '')
    await expect.poll(() => house.context.seen.files.length).toBe(2)
    house.context.dispose()
  })
})

/** The names that the property knows; rules are such names, so that nothing else is needed to know what they mean. */
const names = ['a.ts', '.env', 'key.pem', 'sub/b.ts', 'sub/.env']
const name = fc.constantFrom(...names)
type Step =
  | { do: 'open' | 'close' | 'select' | 'cursor' | 'exclude' | 'include'; name: string }
  | { do: 'unselect' }
  | { do: 'switch'; which: 'all' | 'selection' | 'files'; on: boolean }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('open', 'close', 'select', 'cursor'), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('exclude', 'include'), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unselect' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('switch' as const),
      which: fc.constantFrom('all', 'selection', 'files'),
      on: fc.boolean(),
    }),
  },
)

test('whatever is done in whatever order, nothing that is excluded, closed or switched off is seen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const house = new House()
      await house.context.start()
      const { context } = house
      const excluded = new Set<string>()
      /** What a dialect would have sent by now: it is told of changes of these; `latest` it reads when asked. */
      const sent = (): Seen => ({ ...context.seen, latest: null })
      let told = sent()
      context.onSeen(() => (told = sent()))
      for (const one of steps) {
        switch (one.do) {
          case 'open':
            house.open(at(one.name))
            break
          case 'close':
            house.close(at(one.name))
            break
          case 'select':
            house.select(selectionIn(at(one.name)))
            break
          case 'cursor':
            house.select(selectionIn(at(one.name), ''))
            break
          case 'unselect':
            house.select(null)
            break
          case 'exclude':
            excluded.add(one.name)
            house.rule([...excluded].map((path) => `/${path}`))
            break
          case 'include':
            excluded.delete(one.name)
            house.rule([...excluded].map((path) => `/${path}`))
            break
          case 'switch':
            context.share({ [one.which]: one.on })
        }
        const { sharing } = context
        const open = new Set(house.editor.files.map(({ path }) => path))
        for (const seen of [context.seen, told]) {
          const out = JSON.stringify(seen)
          for (const path of names) {
            if (!sharing.all || excluded.has(path) || !open.has(at(path))) expect(out).not.toContain(at(path))
          }
          if (!sharing.selection) expect(out).not.toContain('text of')
          if (!sharing.files) expect(seen.files).toEqual([])
        }
        // And what may be seen is seen.
        const visible = sharing.all && sharing.files ? house.editor.files : []
        expect(context.seen.files.map(({ path }) => path)).toEqual(
          visible.map(({ path }) => path).filter((path) => !excluded.has(path.slice(at('').length + 1))),
        )
      }
      context.dispose()
    }),
    { numRuns: 60 },
  )
})
