import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Chance } from './chance'

/** The files a crash leaves: those of a draft, and those of unsaved text. */
export const keptFiles = ['head', 'log', 'a', 'b', 'unsaved log', 'unsaved copy'] as const
export type KeptFile = (typeof keptFiles)[number]

/** One kind of damage to one file. `strike` does it, and gives the number of bytes at the beginning that stay intact. */
export interface Damage {
  name: string
  file: KeptFile
  strike(path: string, chance: Chance): number
}

type Change = (bytes: Buffer, chance: Chance) => { bytes: Buffer; from: number }

/** Rewrites a file; `from` is where it begins to differ. */
const changing =
  (change: Change): Damage['strike'] =>
  (path, chance) => {
    const before = readFileSync(path)
    const { bytes, from } = change(before, chance)
    writeFileSync(path, bytes)
    return from
  }

const garbage = (length: number, chance: Chance): Buffer =>
  Buffer.from(Array.from({ length }, () => chance.between(128, 255)))

const middle = (bytes: Buffer, chance: Chance): number =>
  chance.between(Math.floor(bytes.length / 3), Math.floor((bytes.length * 2) / 3))

/** Where each line begins, and where the last ends. */
const breaks = (bytes: Buffer): number[] => [
  0,
  ...[...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1),
]

/** A line in the middle. */
function someLine(bytes: Buffer, chance: Chance): { from: number; to: number } {
  const at = breaks(bytes)
  const line = chance.between(Math.min(1, at.length - 2), Math.max(1, at.length - 3))
  return { from: at[line] ?? 0, to: at[line + 1] ?? bytes.length }
}

const flip = (at: (bytes: Buffer, chance: Chance) => number): Damage['strike'] =>
  changing((before, chance) => {
    const bytes = Buffer.from(before)
    const from = at(bytes, chance)
    bytes[from] = (bytes[from] ?? 0) ^ 4
    return { bytes, from }
  })

const over = (fill: (length: number, chance: Chance) => Buffer): Damage['strike'] =>
  changing((before, chance) => {
    const bytes = Buffer.from(before)
    const from = middle(bytes, chance)
    fill(Math.min(64, bytes.length - from), chance).copy(bytes, from)
    return { bytes, from }
  })

const gone = (path: string) => (rmSync(path), 0)
const emptied = changing(() => ({ bytes: Buffer.alloc(0), from: 0 }))
const zeroed = changing((before) => ({ bytes: Buffer.alloc(before.length), from: 0 }))
const replaced = (text: string) => changing(() => ({ bytes: Buffer.from(text), from: 0 }))
const cut = changing((before, chance) => {
  const from = middle(before, chance)
  return { bytes: before.subarray(0, from), from }
})
const folder = (path: string) => (rmSync(path), mkdirSync(path), 0)

/** What can happen to any file. */
const toAny: [name: string, strike: Damage['strike']][] = [
  ['is gone', gone],
  ['is empty', emptied],
  ['is all zeros', zeroed],
  ['is cut', cut],
  ['has one bit turned', flip(middle)],
]

/** What can happen to a log. */
const toLogs: [name: string, strike: Damage['strike']][] = [
  ...toAny,
  ['has its first bit turned', flip(() => 0)],
  ['has a bit of its last line turned', flip((bytes) => bytes.length - 5)],
  ['has zeros in it', over((length) => Buffer.alloc(length))],
  ['has garbage in it', over(garbage)],
  [
    'ends in zeros',
    changing((before) => ({ bytes: Buffer.concat([before, Buffer.alloc(4096)]), from: before.length })),
  ],
  [
    'ends in garbage',
    changing((before, chance) => ({
      bytes: Buffer.concat([before, garbage(200, chance)]),
      from: before.length,
    })),
  ],
  [
    'ends in a line of garbage',
    changing((before, chance) => ({
      bytes: Buffer.concat([before, garbage(80, chance), Buffer.from('\n')]),
      from: before.length,
    })),
  ],
  [
    'has lost the end of its last line',
    changing((before) => {
      const from = breaks(before).at(-2) ?? 0
      return { bytes: before.subarray(0, before.length - 7), from }
    }),
  ],
  [
    'has lost a line',
    changing((before, chance) => {
      const { from, to } = someLine(before, chance)
      return { bytes: Buffer.concat([before.subarray(0, from), before.subarray(to)]), from }
    }),
  ],
  [
    'has a line twice',
    changing((before, chance) => {
      const { from, to } = someLine(before, chance)
      return { bytes: Buffer.concat([before.subarray(0, to), before.subarray(from)]), from: to }
    }),
  ],
  [
    'has a line of nothing',
    changing((before, chance) => {
      const { from } = someLine(before, chance)
      return {
        bytes: Buffer.concat([before.subarray(0, from), Buffer.from('\n'), before.subarray(from)]),
        from,
      }
    }),
  ],
  [
    'has line ends of another system',
    changing((before) => ({
      bytes: Buffer.from(before.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
      from: 0,
    })),
  ],
  [
    'has a byte order mark before it',
    changing((before) => ({ bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), before]), from: 0 })),
  ],
  ['is a folder', folder],
  ['is a link to nowhere', (path) => (rmSync(path), symlinkSync('/nowhere/at/all', path), 0)],
]

const toHeads: [name: string, strike: Damage['strike']][] = [
  ...toAny,
  ['is null', replaced('null')],
  ['is {}', replaced('{}')],
  ['is nested 100,000 deep', replaced('['.repeat(100_000))],
  ['is of a later version', replaced('{"format":99}')],
  ['is a folder', folder],
]

const of = (file: KeptFile, all: readonly [string, Damage['strike']][]): Damage[] =>
  all.map(([name, strike]) => ({ name: `${file} ${name}`, file, strike }))

/** Every kind of damage to every file it applies to. */
export const damages: readonly Damage[] = [
  ...of('log', toLogs),
  ...of('head', toHeads),
  ...of('a', toAny),
  ...of('b', toAny),
  // Text whose log is gone has left nothing that could be told.
  ...of('unsaved log', toLogs.slice(1, -2)),
  ...of('unsaved copy', toAny),
]
