import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PlainTerminals } from '../../../../test/plain-terminals'
import { listProcesses } from '../platform/process-tree'

let plain: PlainTerminals

beforeEach(() => {
  plain = new PlainTerminals()
})

afterEach(async () => {
  await plain.dispose()
  expect(plain.faults).toEqual([])
})

const stateOf = (id: string) => plain.recordOf(id)?.state.kind

/** How many programs this process has started that are alive. */
const countOfPrograms = async () =>
  (await listProcesses()).filter(({ parent }) => parent === process.pid).length

const isAlive = async (wanted: number) => (await listProcesses()).some(({ pid }) => pid === wanted)

/** What a terminal has put out, as its page hears it. */
function outputOf(id: string): { text: string } {
  const output = { text: '' }
  plain.terminals.show(id, {
    snapshot: ({ screen }) => (output.text += screen),
    delta: (delta) => {
      if (delta.kind === 'output') output.text += delta.data
    },
  })
  return output
}

/** Resolves with the process number that a script has printed as `left N.` */
async function leftOver(id: string): Promise<number> {
  const output = outputOf(id)
  return vi.waitFor(() => {
    const [, pid] = /left (\d+)\./.exec(output.text) ?? []
    if (pid === undefined) throw new Error('nothing yet')
    return Number(pid)
  })
}

test('restarted twice at once, one program runs', async () => {
  const id = await plain.create('exit 0')
  await plain.until(() => stateOf(id) === 'exited')
  plain.scripts.Shell = 'read -r'
  const restarts = await Promise.all([plain.terminals.restart(id), plain.terminals.restart(id)])
  expect(restarts.map(({ ok }) => ok)).toEqual([true, true])
  expect(await countOfPrograms()).toBe(1)
  await plain.terminals.close(id, 300)
  expect(await countOfPrograms()).toBe(0)
})

test('restarted again while the program takes its time to end, one runs afterwards', async () => {
  const id = await plain.create('trap "echo heard" HUP; echo ready.; while :; do read -r -t 0.05; done')
  const output = outputOf(id)
  await vi.waitFor(() => expect(output.text).toContain('ready.'))
  plain.scripts.Shell = 'read -r'
  const first = plain.terminals.restart(id)
  await vi.waitFor(() => expect(output.text).toContain('heard'))
  await Promise.all([first, plain.terminals.restart(id)])
  expect(await countOfPrograms()).toBe(1)
})

test('what is to be typed into a terminal that closes while it is waited for is not told as typed', async () => {
  const id = await plain.create('read -r')
  const typed = plain.terminals.typeInto(id, 'a note', 200)
  const submitted = plain.terminals.submitInto(id, 'a prompt', { quiet: 200 })
  await plain.terminals.close(id, 300)
  expect(await typed).toMatchObject({ ok: false, failure: { code: 'closed' } })
  expect(await submitted).toMatchObject({ ok: false, failure: { code: 'closed' } })
})

test('what a program has left behind ends with its terminal, though another runs there since', async () => {
  // It ignores that its terminal hangs up, and belongs to nobody.
  const id = await plain.create('trap "" HUP; sleep 300 & disown; echo "left $!."; read -r')
  const pid = await leftOver(id)
  plain.terminals.write(id, '\r')
  await plain.until(() => stateOf(id) === 'exited')
  plain.scripts.Shell = 'read -r'
  await plain.terminals.restart(id)
  expect(await isAlive(pid)).toBe(true)
  await plain.terminals.close(id, 300)
  expect(await isAlive(pid)).toBe(false)
})
