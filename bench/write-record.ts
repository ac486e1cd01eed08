import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptFile, keptFolderOf, keptTextFile } from '../src/main/core/review/record/kept-folder'
import { keepOfReceipt } from '../src/main/core/review/record/kept-review'
import { openWindowOn, pageOf, startPlainApp } from '../test/plain-app'
import { endHost, readUrl, startHost } from './measured-host'
import { type Row, quantile, rowOf } from './row'

/** As many as are kept at most. */
const entries = 20_000
const rounds = 7
/** What a person notices, in milliseconds. */
const noticed = 100

/** What the record of writes costs when it is full: at a start, and when it is searched. */
export async function run(): Promise<Row[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-bench-')))
  const project = join(base, 'project')
  mkdirSync(project)
  try {
    const [empty, full] = [join(base, 'empty'), join(base, 'data')]
    fill(full, project)
    const starts = { ours: [] as number[], limit: [] as number[] }
    // The first round warms the disk.
    for (let round = 0; round <= rounds; round++) {
      const limit = await startOnce(base, project, empty)
      const ours = await startOnce(base, project, full)
      if (round === 0) continue
      starts.limit.push(limit)
      starts.ours.push(ours)
    }
    const [ours, limit] = [quantile(starts.ours, 0.5), quantile(starts.limit, 0.5)]
    return [
      rowOf({ name: `start → ready line with ${entries} entries, beside none`, ours, limit }),
      rowOf({
        name: 'what they add to a start, beside what a person notices',
        ...{ ours: ours - limit, limit: noticed, target: { most: 1 } },
      }),
      ...(await measureSearch(base, project)),
    ]
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Entries of writes that rules let through: of a week, each with its texts. */
function fill(data: string, project: string): void {
  const now = Date.now()
  const line = (number: number) => `const value${number} = compute(${number}) // neither short nor long\n`
  for (let number = 0; number < entries; number++) {
    const before = Array.from({ length: 30 }, (_, at) => line(number + at)).join('')
    const receipt = {
      origin: { dialect: 'claude-hooks', connection: 'c', agent: 'Claude', session: 's', call: `${number}` },
      path: join(project, `d${number % 50}`, `file-${number % 999}.ts`),
      realPath: join(project, `d${number % 50}`, `file-${number % 999}.ts`),
      ...{ title: 'Edit', turn: null, began: now - number * 20_000, at: now - number * 20_000 },
      ...{ before: Buffer.from(before), after: Buffer.from(before.replace('compute', 'reckon')) },
      by: { kind: 'rule', pattern: 'd*/**' } as const,
    }
    const { kept, texts } = keepOfReceipt({ id: randomUUID(), receipt })
    const folder = join(keptFolderOf(data), kept.id)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, keptTextFile('base')), texts.base ?? '')
    writeFileSync(join(folder, keptTextFile('proposed')), texts.proposed ?? '')
    writeFileSync(join(folder, keptFile), JSON.stringify(kept))
  }
}

async function startOnce(base: string, project: string, data: string): Promise<number> {
  const begun = performance.now()
  const host = startHost(base, project, data)
  await readUrl(host)
  const took = performance.now() - begun
  await endHost(host)
  return took
}

/** From the page's call to its answer: the first page, and searches for what every, one and no entry has. */
async function measureSearch(home: string, project: string): Promise<Row[]> {
  const app = await startPlainApp(home, { dialects: [] })
  try {
    const page = pageOf(await openWindowOn(app, project))
    const searched = async (text: string, wanted: number): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const begun = performance.now()
        const { entries: found } = await page.call('record.page', { text, limit: 50 })
        if (round > 0) times.push(performance.now() - begun)
        if (round > 0 && found.length !== wanted) throw new Error(`${found.length} found for “${text}”`)
      }
      return quantile(times, 0.5)
    }
    const row = async (name: string, text: string, wanted: number) =>
      rowOf({ name, ours: await searched(text, wanted), limit: noticed, target: { most: 1 } })
    return [
      await row('the first page of the record, beside what a person notices', '', 50),
      await row('a search for what every entry has', 'reckon(', 50),
      await row('a search for what some have', `compute(${entries - 100})`, 30),
      await row('a search for what none has', 'nowhere-at-all', 0),
    ]
  } finally {
    await app.shutdown()
  }
}
