import type * as Promises from 'node:fs/promises'
import { mkdtemp, realpath, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { recordOf, silent } from '../../../../test/plain-desk'
import { startDraft } from '../../../shared/review/draft'
import { toText } from '../../../shared/text/text-facts'
import { ReviewJournal } from './journal'

/** The power goes after so many operations: what was not flushed is empty then. */
const power = vi.hoisted(() => ({
  left: Infinity,
  unflushed: new Set<string>(),
  flushedFolders: [] as string[],
}))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>()
  const isOn = () => power.left-- > 0
  const never = () => new Promise<never>(() => undefined)
  return {
    ...real,
    mkdir: (...args: Parameters<typeof real.mkdir>) => (isOn() ? real.mkdir(...args) : never()),
    writeFile: async (...args: Parameters<typeof real.writeFile>) => {
      if (!isOn()) return never()
      const [path, , options] = args
      await real.writeFile(...args)
      const isFlushed = typeof options === 'object' && options !== null && options.flush === true
      if (!isFlushed) power.unflushed.add(String(path))
    },
    rename: async (from: string, to: string) => {
      if (!isOn()) return never()
      await real.rename(from, to)
      for (const path of [...power.unflushed].filter((one) => one.startsWith(from))) {
        power.unflushed.delete(path)
        power.unflushed.add(to + path.slice(from.length))
      }
    },
    open: async (...args: Parameters<typeof real.open>) => {
      const handle = await real.open(...args)
      if (args[1] === 'r') power.flushedFolders.push(String(args[0]))
      return handle
    },
  }
})

it('a draft is there whole or not at all, whenever the power goes while it begins', async () => {
  const draft = startDraft(toText('one\ntwo\n'), toText('ONE\ntwo\n'))
  let begun = false
  for (let operations = 0; !begun; operations++) {
    power.left = Infinity
    power.unflushed.clear()
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-power-')))
    power.left = operations
    const log = new ReviewJournal(folder, silent).begin(recordOf('draft', folder, draft))
    const done = log.flush(true).then(() => (begun = true))
    await Promise.race([done, vi.waitFor(() => expect(power.left).toBeLessThan(0))])
    if (begun) {
      // The names in the folders are flushed too, the new one before it counts.
      const names = power.flushedFolders.filter((path) => path.startsWith(folder))
      expect(names).toEqual([join(folder, 'reviews', 'draft.new'), join(folder, 'reviews')])
    }
    power.left = Infinity
    await Promise.all([...power.unflushed].map((path) => truncate(path)))
    const journal = new ReviewJournal(folder, silent)
    const [found] = await journal.load()
    expect(journal.takeDamage()).toEqual([])
    const content = found?.review.record.content
    if (content) expect(content.kind === 'text' && content.draft.b.toString()).toBe('ONE\ntwo\n')
    expect(found !== undefined).toBe(begun)
    await rm(folder, { recursive: true, force: true })
  }
})
