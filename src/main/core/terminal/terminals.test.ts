import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import headless from '@xterm/headless'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlainTerminals } from '../../../../test/plain-terminals'
import type { Topics } from '../../../shared/contract/contract'
import type { Disposable } from '../../../shared/lifetime'
import { fail } from '../../../shared/result'
import { listProcesses } from '../platform/process-tree'
import type { Terminals } from './terminals'
import { UnicodeWidths } from './unicode-widths'

type Delta = Topics['terminal']['delta']

let plain: PlainTerminals
let terminals: Terminals
let folder: string

beforeEach(() => {
  plain = new PlainTerminals()
  terminals = plain.terminals
  folder = plain.folder
})

afterEach(async () => {
  await plain.dispose()
  expect(plain.faults).toEqual([])
})

const create = (script: string, profile?: string, splitOf?: string) => plain.create(script, profile, splitOf)
const recordOf = (id: string) => plain.recordOf(id)
const until = (condition: () => boolean) => plain.until(condition)

/** A page: gets a terminal's topic, and acknowledges as far as told. */
class Page {
  snapshot: Topics['terminal']['snapshot'] | null = null
  readonly deltas: Delta[] = []
  acknowledging = true
  readonly #watchers = new Set<() => void>()
  readonly #shown: Disposable

  constructor(id: string) {
    this.#shown = terminals.show(id, {
      snapshot: (data) => {
        this.snapshot = data
        this.#hear()
      },
      delta: (delta) => {
        this.deltas.push(delta)
        if (delta.kind === 'output' && this.acknowledging) terminals.get(id)?.acknowledge(delta.data.length)
        this.#hear()
      },
    })
  }

  get output(): string {
    return this.deltas.map((delta) => (delta.kind === 'output' ? delta.data : '')).join('')
  }

  /** All that the page would write into its terminal. */
  get all(): string {
    return (this.snapshot?.screen ?? '') + this.output
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watcher = () => {
        if (!condition()) return
        this.#watchers.delete(watcher)
        resolve()
      }
      this.#watchers.add(watcher)
      watcher()
    })
  }

  close(): void {
    this.#shown.dispose()
  }

  #hear(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

/** The lines that a terminal shows, scrollback included. */
async function linesOf(text: string): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true })
  terminal.loadAddon(new UnicodeWidths())
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active } = terminal.buffer
  const lines = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? '',
  )
  terminal.dispose()
  return lines.filter((line) => line !== '')
}

test('a terminal runs in the folder, with the variables handed in, and tells how it ended', async () => {
  plain.variables = { HANDED: 'in', HOME: undefined }
  const id = await create('pwd; echo "$TERM $TERM_PROGRAM $HANDED [$HOME] $NO_PROXY"; exit 3')
  const page = new Page(id)
  await until(() => recordOf(id)?.state.kind === 'exited')
  await page.until(() => page.all.includes('NO') || page.all.includes('localhost'))
  expect(await linesOf(page.all)).toEqual([folder, 'xterm-256color Greenlight in [] 127.0.0.1,localhost'])
  expect(recordOf(id)).toMatchObject({
    profile: 'Shell',
    title: 'Shell',
    cwd: folder,
    state: { kind: 'exited', code: 3, signal: null },
  })
})

test('a profile that is missing answers with its sentence, and nothing is made', async () => {
  const created = await terminals.create({ profile: 'claude', columns: 80, rows: 24 })
  expect(created).toEqual(fail('missing', 'It is not installed.'))
  expect(terminals.snapshot()).toEqual([])
})

test('typing reaches the program, and its size follows', async () => {
  const id = await create('read -r line; echo "got $line"; stty size; read -r')
  const page = new Page(id)
  await page.until(() => page.snapshot !== null)
  terminals.get(id)?.resize(100, 30)
  terminals.write(id, 'grün\r')
  await page.until(() => page.all.includes('30 100'))
  expect(page.all).toContain('got grün')
  expect(page.deltas).toContainEqual({ kind: 'resized', columns: 100, rows: 30 })
})

test('restart runs the profile again in the same terminal, with the scrollback kept', async () => {
  const id = await create('printf "\\033[?1049h\\033[?25lfirst run"; exit 1')
  await until(() => recordOf(id)?.state.kind === 'exited')
  plain.scripts.Shell = 'echo second run; read -r'
  expect((await terminals.restart(id)).ok).toBe(true)
  const page = new Page(id)
  await page.until(() => page.all.includes('second run'))
  expect(recordOf(id)?.state.kind).toBe('running')
  expect(page.all).not.toContain('\x1b[?25l')
  expect(terminals.snapshot()).toHaveLength(1)
})

test('what is put out after a restart stands below what was put out before', async () => {
  const id = await create('printf "one\\ntwo\\nthree\\n"; exit 1')
  await until(() => recordOf(id)?.state.kind === 'exited')
  plain.scripts.Shell = 'echo four; read -r'
  await terminals.restart(id)
  const page = new Page(id)
  await page.until(() => page.all.includes('four'))
  const later = new Page(id)
  await later.until(() => later.snapshot !== null)
  expect(later.snapshot?.screen).toMatch(/^one\r\ntwo\r\nthree\r\n(\r\n)?four/)
})

test('closing ends the program with all that it started', async () => {
  const id = await create(
    'sleep 1000 & (setsid -w sleep 1001 &); trap "" HUP; echo ready; sleep 1002; sleep 1003',
  )
  const page = new Page(id)
  await page.until(() => page.all.includes('ready'))
  const pid = recordOf(id)?.pid ?? 0
  await terminals.close(id, 1000)
  expect(terminals.snapshot()).toEqual([])
  const left = (await listProcesses()).filter((entry) => entry.pid === pid || entry.session === pid)
  expect(left).toEqual([])
})

test('titles are told apart, renamed, and the program has its own', async () => {
  const first = await create('printf "\\033]2;at work\\007"; read -r')
  const second = await create('read -r', 'Shell', first)
  expect(recordOf(second)).toMatchObject({ title: 'Shell 2', splitOf: first })
  await until(() => recordOf(first)?.programTitle === 'at work')
  expect(recordOf(first)?.title).toBe('Shell')
  terminals.get(first)?.rename('Mine')
  expect(recordOf(first)?.title).toBe('Mine')
  await terminals.close(first, 300)
  expect(recordOf(second)?.splitOf).toBeNull()
})

test('the bell is told until it is seen', async () => {
  const id = await create('printf "\\a"; read -r')
  await until(() => recordOf(id)?.bell === true)
  terminals.get(id)?.see()
  expect(recordOf(id)?.bell).toBe(false)
})

test('a page that comes in the middle of a flood gets every line after its screen, once and in order', async () => {
  const id = await create(
    'for i in 1 2 3 4 5 6; do seq $((i*30000)) $((i*30000+29999)); done; echo the end; read -r',
  )
  const first = new Page(id)
  await first.until(() => first.output.length > 200_000)
  const second = new Page(id)
  const before = first.deltas.length
  await second.until(() => second.deltas.length > 4)
  expect(first.deltas).toHaveLength(before)
  const third = new Page(id)
  await third.until(() => third.all.includes('the end'))
  const lines = await linesOf(third.all)
  expect(lines.at(-1)).toBe('the end')
  // A terminal keeps the last 10,000 lines; every one must follow the one before.
  const numbers = lines.slice(0, -1).map(Number)
  expect(numbers.length).toBeGreaterThan(9_900)
  expect(numbers).toEqual(Array.from(numbers, (_, index) => 209_999 - numbers.length + 1 + index))
})

test('a page that does not keep up holds the program back, and loses nothing', async () => {
  const id = await create('seq 1 400000 | tee counted; read -r')
  const page = new Page(id)
  page.acknowledging = false
  await page.until(() => page.output.length > 128 * 1024)
  // Turn the loop: a program that were not held back would put out much more meanwhile.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(page.output.length).toBeLessThan(300_000)
  page.acknowledging = true
  terminals.get(id)?.acknowledge(page.output.length)
  await page.until(() => page.output.endsWith('400000\r\n'))
  const expected = Array.from({ length: 400_000 }, (_, index) => `${index + 1}\r\n`).join('')
  expect(expected.endsWith(page.output)).toBe(true)
  expect(await linesOf(page.all)).toHaveLength(10_023)
})

test('without a page a flood flows on, and its end is on the screen', async () => {
  const id = await create('seq 1 2000000; exit 0')
  await until(() => recordOf(id)?.state.kind === 'exited')
  const page = new Page(id)
  await page.until(() => page.all.includes('2000000'))
  const lines = await linesOf(page.all)
  expect(lines).toHaveLength(10_023)
  expect(lines[0]).toBe(String(2_000_000 - 10_022))
  // A long screen comes in pieces.
  expect(page.snapshot?.screen.length).toBeLessThanOrEqual(256 * 1024)
})

test('a question to the terminal is answered by the screen while no page does', async () => {
  const id = await create(
    'stty raw -echo; printf "\\033[5n"; answer=$(head -c 4 | od -An -c); stty sane; echo "<$answer>"; printf "\\a"; read -r',
  )
  await until(() => recordOf(id)?.bell === true)
  const page = new Page(id)
  await page.until(() => page.snapshot !== null)
  expect(page.all.replace(/\s/g, '')).toContain('<033[0n>')
})

test('text is typed as pasted where the program takes that, else in one line, and never submitted', async () => {
  const shell =
    'stty raw -echo; printf "\\033[?2004hready"; head -c 21 | od -An -c; printf "\\033[?2004lagain"; head -c 7 | od -An -c; read -r'
  const id = await create(shell)
  const page = new Page(id)
  await page.until(() => page.all.includes('ready'))
  expect((await terminals.typeInto(id, 'one\n\x1btwo\x07\x1b[2')).ok).toBe(true)
  await page.until(() => page.all.includes('again'))
  expect(page.all.replace(/\s/g, '')).toContain('033[200~one\\rtwo[2033[201~')
  await terminals.typeInto(id, 'one\ntwo')
  await page.until(() => page.all.replace(/\s/g, '').endsWith('onetwo'))
  await terminals.close(id, 300)
  expect((await terminals.typeInto(id, 'x')).ok).toBe(false)
})

test('typing can wait until the program is quiet', async () => {
  const id = await create(
    'stty -echo; for n in 1 2 3 4 5; do echo "line $n"; sleep 0.05; done; echo end; read -r x; echo "<$x>"; read -r',
  )
  const page = new Page(id)
  await page.until(() => page.all.includes('line 1'))
  expect((await terminals.typeInto(id, 'typed', 1500)).ok).toBe(true)
  expect(page.all).toContain('end')
  terminals.write(id, '\r')
  await page.until(() => page.all.includes('<typed>'))
  await terminals.close(id, 300)
  expect((await terminals.typeInto(id, 'x', 10)).ok).toBe(false)
})

test('a process is known to the terminal that it came from', async () => {
  const id = await create('bash -c "echo pid \\$\\$ end; read -r; true"; true')
  const other = await create('read -r')
  const page = new Page(id)
  await page.until(() => /pid \d+ end/.test(page.all))
  expect(await terminals.terminalOfPid(Number(/pid (\d+)/.exec(page.all)?.[1]))).toBe(id)
  expect(await terminals.terminalOfPid(recordOf(other)?.pid ?? 0)).toBe(other)
  expect(await terminals.terminalOfPid(process.pid)).toBeNull()
})

test('links are files: beside the program, in the folder, absolute, of a patch, or none', async () => {
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'a.ts'), '')
  writeFileSync(join(folder, 'sub/b.ts'), '')
  const id = await create('cd sub; echo ready; read -r')
  const page = new Page(id)
  await page.until(() => page.all.includes('ready'))
  const words = [
    'b.ts',
    'a.ts',
    'a/a.ts',
    join(folder, 'a.ts'),
    `file://${folder}/a.ts`,
    'sub',
    'c.ts',
    '~/a.ts',
    '',
    '\0',
  ]
  const a = join(folder, 'a.ts')
  expect(await terminals.resolveLinks(id, words)).toEqual([
    join(folder, 'sub/b.ts'),
    a,
    a,
    a,
    a,
    null,
    null,
    null,
    null,
    null,
  ])
})

test('a folder that is gone is told in the terminal', async () => {
  rmSync(folder, { recursive: true })
  const id = await create('true')
  expect(recordOf(id)?.state).toMatchObject({ kind: 'failed' })
  mkdirSync(folder)
  expect((await terminals.restart(id)).ok).toBe(true)
  await until(() => recordOf(id)?.state.kind === 'exited')
})

test('a program that announces without end is told of now and then, and its last word is kept', async () => {
  const id = await create("for n in $(seq 3000); do printf '\\033]9;call %s\\007' $n; done; sleep 60")
  let told = 0
  terminals.onChange(() => told++)
  await until(() => recordOf(id)?.note === 'call 3000')
  expect(told).toBeLessThan(300)
})

test('Ctrl+C is told, and nothing that merely holds its character', async () => {
  const interrupted: string[] = []
  terminals.onInterrupt((id) => interrupted.push(id))
  const id = await create('cat')
  terminals.write(id, 'c')
  terminals.write(id, '\x1b[200~a\x03b\x1b[201~')
  expect(interrupted).toEqual([])
  terminals.write(id, '\x03')
  expect(interrupted).toEqual([id])
})
