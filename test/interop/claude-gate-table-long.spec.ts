import type { Locator } from '@playwright/test'
import { type ClaudeInApp, type PermissionMode, tasks, test } from './claude-in-app'
import { expect, type RecordedWrite, screenOf } from './cli-in-app'
import { use } from './messages-api'

/**
 * Every permission mode, each tool and kind of file, each way to decide: with the real command line, through the page.
 * One session for each mode.
 */

/** What Claude Code says below its prompt in each. */
const modes: [PermissionMode, string][] = [
  ['manual', 'manual mode on'],
  ['acceptEdits', 'accept edits on'],
  ['plan', 'plan mode on'],
  ['auto', 'auto mode on'],
  ['bypassPermissions', 'bypass permissions on'],
]
const ways = ['whole', 'part', 'edited', 'rejected'] as const
type Way = (typeof ways)[number]

const before = 'one\ntwo x\nthree\nfour\nfive\nsix x\nseven\n'
const proposed = 'one\nTWO\nthree\nfour\nfive\nSIX\nseven\n'
const part = 'one\nTWO\nthree\nfour\nfive\nsix x\nseven\n'
const edited = 'one\nTWO\nthree\nfour\nfive\nSIX and a half\nseven\n'
const crlf = (text: string) => text.replaceAll('\n', '\r\n')
const marked = (text: string) => `\ufeff${text}`
const same = (text: string) => text

/** A tool, and the file that it changes. `inFile`: how a text is on disk. */
interface Kind {
  name: string
  tool: 'Edit' | 'Write'
  before: string | null
  /** What the tool is given, but for the path. */
  input: Record<string, unknown>
  inFile: (text: string) => string
}

const edit = {
  old_string: before.slice(4, before.indexOf('\nseven')),
  new_string: proposed.slice(4, proposed.indexOf('\nseven')),
}
const kinds: readonly Kind[] = [
  { name: 'edit', tool: 'Edit', before, input: edit, inFile: same },
  { name: 'write', tool: 'Write', before, input: { content: proposed }, inFile: same },
  { name: 'new', tool: 'Write', before: null, input: { content: proposed }, inFile: same },
  {
    name: 'all',
    tool: 'Edit',
    before: before.replace('two', 'TWO').replace('six', 'SIX'),
    input: { old_string: ' x', new_string: ' y', replace_all: true },
    inFile: same,
  },
  { name: 'crlf', tool: 'Edit', before: crlf(before), input: edit, inFile: crlf },
  { name: 'crlfwrite', tool: 'Write', before: crlf(before), input: { content: proposed }, inFile: crlf },
  { name: 'bom', tool: 'Edit', before: marked(before), input: edit, inFile: marked },
  { name: 'bomwrite', tool: 'Write', before: marked(before), input: { content: proposed }, inFile: marked },
]

const fileOf = ({ name }: Kind, way: Way) => `${name}-${way}.txt`

/** What the file must hold; a new file has one change, and is not accepted in part. */
function expectedOf(kind: Kind, way: Way): string | null {
  if (way === 'rejected') return kind.before
  const text = { whole: proposed, part, edited }[way]
  if (kind.name !== 'all') return kind.inFile(text)
  return text
    .replace('TWO', 'TWO y')
    .replace('six x', 'SIX x')
    .replace(/SIX(?! x)/, 'SIX y')
}

const cases = kinds.flatMap((kind) =>
  ways.flatMap((way) => (kind.name === 'new' && way === 'part' ? [] : [{ kind, way }])),
)
const rejected = cases.filter(({ way }) => way === 'rejected')
const accepted = cases.filter(({ way }) => way !== 'rejected')

function callOf(claude: ClaudeInApp, { kind, way }: (typeof cases)[number]) {
  return { name: kind.tool, input: { file_path: claude.path(fileOf(kind, way)), ...kind.input } }
}

async function decide({ page }: ClaudeInApp, review: Locator, way: Way): Promise<void> {
  if (way === 'rejected') return review.getByRole('button', { name: 'Reject file' }).click()
  if (way === 'part') {
    await review.getByRole('button', { name: 'Reject change 2' }).click()
    await expect(review.getByRole('button', { name: 'Undo change 2' })).toBeVisible()
  }
  if (way === 'edited') {
    const text = review.getByRole('textbox', { name: /^Proposed text of / })
    await text.locator('.cm-line').filter({ hasText: /^SIX/ }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' and a half')
    await expect(text.getByText(/^SIX.* and a half$/)).toBeVisible()
  }
  return review.getByRole('button', { name: 'Accept file' }).click()
}

for (const [mode, shown] of modes) {
  test(`in ${mode} each change is reviewed before it is written, and written as it was decided`, async ({
    claude,
  }) => {
    claude.gateIn(mode)
    for (const { kind, way } of cases) if (kind.before !== null) claude.write(fileOf(kind, way), kind.before)
    const reads = cases.flatMap(({ kind, way }) =>
      kind.before === null ? [] : [{ name: 'Read', input: { file_path: claude.path(fileOf(kind, way)) } }],
    )
    claude.api.setScript(
      tasks({
        'task-accepted': [use(...reads), use(...accepted.map((one) => callOf(claude, one)))],
        ...Object.fromEntries(rejected.map((one) => [`task-${one.kind.name}`, [use(callOf(claude, one))]])),
      }),
    )
    const held = (name: string) => (claude.exists(name) ? claude.read(name) : null)
    const writes: RecordedWrite[] = []
    const reviewed = async (one: (typeof cases)[number]) => {
      const { kind, way } = one
      const name = fileOf(kind, way)
      const review = await claude.reviewInTab(name)
      await expect(review.getByText('Already written')).toHaveCount(0)
      expect(held(name), name).toBe(kind.before)
      await decide(claude, review, way)
      await expect(review).toHaveCount(0)
      const after = expectedOf(kind, way)
      await expect.poll(() => held(name), { message: name }).toBe(after)
      writes.push({ name, how: way === 'rejected' ? 'rejected' : 'accepted', before: kind.before, after })
    }
    await claude.start()
    const terminal = await claude.openClaude()
    // A plan's file is named after the first prompt, and told to the model again later: no task may be in its name.
    await claude.prompt(terminal, 'hello')
    await expect(screenOf(terminal)).toContainText('● ok')
    await expect(screenOf(terminal)).toContainText(shown)

    await claude.prompt(terminal, 'do task-accepted')
    for (const one of accepted) await reviewed(one)
    const told = await claude.told('task-accepted')
    expect(told.results.map(({ isError }) => isError)).toEqual(accepted.map(() => false))
    for (const [index, { way }] of accepted.entries())
      if (way !== 'whole') expect(told.results[index]?.text).toMatch(/modified/)
    await expect(screenOf(terminal)).toContainText('task-accepted is done.')
    await claude.recorded(writes)

    // Each stops its turn, so the model hears of it with the next prompt.
    for (const [index, one] of rejected.entries()) {
      await claude.prompt(terminal, `do task-${one.kind.name}`)
      await reviewed(one)
      await claude.recorded(writes)
      const first = await claude.told(`task-${one.kind.name}`, 0)
      expect(first.results.map(({ isError }) => isError)).toEqual(index === 0 ? [] : [true])
    }
    await claude.prompt(terminal, 'do task-last')
    expect((await claude.told('task-last', 0)).results.map(({ isError }) => isError)).toEqual([true])
    await expect(screenOf(terminal)).toContainText('task-last is done.')
    for (const { name, after } of writes) expect(held(name), name).toBe(after)
    await claude.recorded(writes)
    await claude.picture(`gate-table-${mode}`)
  })
}
