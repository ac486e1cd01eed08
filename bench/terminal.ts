import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { findTestChromium } from '../scripts/chromium.mjs'
import { type Row, middleRound, quantile, rowOf } from './row'
import { PlainBrowser, type PlainPage } from './terminal-browser'
import hostPath from './terminal-host?modulePath'
import type {} from './terminal-page/page'

const repository = process.cwd()
const folder = join(repository, '.cache', 'bench', 'terminal-page')

/** Megabytes per throughput run, and how many runs of each kind take turns. */
const megabytes = 50
const rounds = 7
const echoCount = 150
/**
 * Pauses between two echoes' ends and beginnings, in milliseconds: keys as fast as no person presses them, and as a
 * quick typist does.
 */
const paces = {
  rapid: { name: '30 to 100 keys a second', pauses: [7, 30] },
  typist: { name: 'a quick typist', pauses: [60, 150] },
} as const
const interrupts = 8

/**
 * The terminal in Chromium, drawn by the page itself: the app's view and host over its contract, beside xterm alone and
 * beside a bare page on a pty with plain flow control. Kinds take turns. Together they take ten minutes, most of it
 * the pauses of a typist.
 */
export const parts: Record<string, () => Promise<Row[]>> = {
  ascii: () => inTerminals(({ browser, url }) => throughput(browser, url, 'ascii')),
  colour: () => inTerminals(({ browser, url }) => throughput(browser, url, 'colour')),
  typist: () => inTerminals(({ browser, url }) => echo(browser, url, 'typist')),
  rapid: () => inTerminals(({ browser, url }) => echo(browser, url, 'rapid')),
  interrupt: () => inTerminals(({ browser, url }) => interrupt(browser, url)),
  bytes: () => inTerminals(({ browser, url, host }) => everyByte(browser, url, host)),
}

interface Rig {
  browser: PlainBrowser
  url: string
  host: ChildProcess
}

/** A browser and a host, for one part. */
async function inTerminals(measure: (rig: Rig) => Promise<Row[]>): Promise<Row[]> {
  await buildPage()
  writeData()
  const host = fork(hostPath, [folder], { execArgv: ['--expose-gc'] })
  const browser = await PlainBrowser.launch(findTestChromium() ?? chromium.executablePath(), {
    width: 1200,
    height: 700,
  })
  try {
    const [{ port }] = (await once(host, 'message')) as [{ port: number }]
    return await measure({ browser, url: `http://127.0.0.1:${port}/`, host })
  } finally {
    await browser.close()
    const ended = host.exitCode === null && host.signalCode === null ? once(host, 'exit') : null
    if (host.connected) host.disconnect()
    await ended
  }
}

async function buildPage(): Promise<void> {
  await build({
    root: join(repository, 'bench', 'terminal-page'),
    configFile: false,
    logLevel: 'warn',
    base: './',
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 2000 },
  })
}

const letters = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 +-/='

/** Lines of a build's output: plain ones, and ones with as many colours as test runners use. */
function writeData(): void {
  mkdirSync(folder, { recursive: true })
  const plain = Array.from({ length: 64_000 }, (_, line) => `${line} ${letters} ${line * 7}`)
  const coloured = Array.from(
    { length: 64_000 },
    (_, line) =>
      `\x1b[32m${line}\x1b[0m \x1b[1;38;5;${line % 256}mpassed\x1b[0m in \x1b[33m${line % 97} ms\x1b[39m \x1b[48;2;${line % 256};80;120m ${letters.slice(line % 30, (line % 30) + 20)} \x1b[0m`,
  )
  for (const [name, lines] of [
    ['ascii', plain],
    ['colour', coloured],
  ] as const) {
    writeFileSync(join(folder, `${name}.txt`), `${lines.join('\r\n')}\r\n`)
  }
}

/** A page that shows a script's output, ours or bare. */
async function openShown(
  browser: PlainBrowser,
  url: string,
  kind: 'ours' | 'bare',
  script: string,
  drawing: 'each frame' | 'as ours' = 'each frame',
): Promise<PlainPage> {
  // By a file: the contract takes the name of a profile, not a script.
  const name = createHash('sha256').update(script).digest('hex').slice(0, 16)
  writeFileSync(join(folder, `${name}.sh`), script)
  const page = await browser.open(url)
  await page.evaluate((how, what, often) => window.bench.open(how, what, often), kind, name, drawing)
  return page
}

async function throughput(browser: PlainBrowser, url: string, data: 'ascii' | 'colour'): Promise<Row[]> {
  const file = join(folder, `${data}.txt`)
  const script = `stty -echo -opost; echo ready; read -r; head -c ${megabytes}000000 < <(while :; do cat ${file}; done); echo; echo '<end>'; read -r`
  const samples = { ours: [] as number[], bare: [] as number[], alone: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const alone = await browser.open(url)
    const limit = await alone.evaluate(
      (name, amount) => window.bench.alone(`/${name}.txt`, amount),
      data,
      megabytes,
    )
    samples.alone.push(limit.length / 1000 / limit.ms)
    await alone.close()
    for (const kind of ['ours', 'bare'] as const) {
      const page = await openShown(browser, url, kind, script, 'as ours')
      const { ms, length } = await page.evaluate(() => window.bench.flow('\r', '<end>'))
      samples[kind].push(length / 1000 / ms)
      await page.close()
    }
  }
  return [
    rowOf({
      name: `${data}: beside a bare page with flow control that draws as often`,
      ...middleRound(samples.ours, samples.bare),
      target: { least: 0.8 },
      unit: 'MB/s',
    }),
    rowOf({
      name: `${data}: beside xterm alone that draws as often`,
      ...middleRound(samples.ours, samples.alone),
      unit: 'MB/s',
    }),
  ]
}

async function echo(browser: PlainBrowser, url: string, pace: keyof typeof paces): Promise<Row[]> {
  const scripts = {
    idle: 'stty -icanon; cat >/dev/null',
    flood: `stty -icanon; yes '${letters}' & cat >/dev/null`,
  }
  const times = {
    ours: { idle: [] as number[], flood: [] as number[] },
    bare: { idle: [] as number[], flood: [] as number[] },
  }
  for (const kind of ['ours', 'bare', 'bare', 'ours', 'ours', 'bare', 'bare', 'ours'] as const) {
    for (const state of ['idle', 'flood'] as const) {
      const page = await openShown(browser, url, kind, scripts[state])
      const echoes = (count: number) =>
        page.evaluate(
          (often, [least, most]) => window.bench.echoes(often, least, most),
          count,
          paces[pace].pauses,
        )
      // The first echo comes when everything has started.
      await echoes(5)
      times[kind][state].push(...(await echoes(echoCount)))
      await page.close()
    }
  }
  return (['idle', 'flood'] as const).flatMap((state) =>
    [0.5, 0.99].map((share) =>
      rowOf({
        name: `echo ${state === 'idle' ? 'idle' : 'in a flood'}, ${paces[pace].name}, key to painted p${share * 100}, beside a bare page`,
        ours: quantile(times.ours[state], share),
        limit: quantile(times.bare[state], share),
        target: share === 0.99 ? { most: 1 } : null,
      }),
    ),
  )
}

async function interrupt(browser: PlainBrowser, url: string): Promise<Row[]> {
  const script = `trap 'echo "<stopped>"' INT; while :; do yes '${letters}'; done`
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < 2; round++) {
    for (const kind of ['ours', 'bare'] as const) {
      const page = await openShown(browser, url, kind, script)
      for (let count = 0; count < interrupts; count++) {
        // The flood is under way.
        await page.evaluate(() => window.bench.until('', 'XYZ'))
        await wait(400)
        times[kind].push(await page.evaluate(() => window.bench.until('\x03', '<stopped>')))
      }
      await page.close()
    }
  }
  return [
    rowOf({
      name: 'Ctrl-C in a flood, beside a bare page with flow control',
      ours: quantile(times.ours, 0.5),
      limit: quantile(times.bare, 0.5),
      target: { most: 1.3 },
    }),
  ]
}

async function everyByte(browser: PlainBrowser, url: string, host: ChildProcess): Promise<Row[]> {
  const size = 200_000_000
  const line = (index: number) => `${index} ${letters}\r\n`
  let sum = 0
  let length = 0
  // The program counts the same lines; awk writes them fast enough.
  const script = `stty -echo -opost; echo ready; read -r; printf '>'; awk 'BEGIN { for (i = 0; n < ${size}; i++) { s = i " ${letters}\\r\\n"; n += length(s); printf "%s", s } }'; printf '<'; read -r`
  for (let index = 0; length < size; index++) {
    const text = line(index)
    length += text.length
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  }
  const page = await openShown(browser, url, 'ours', script)
  const before = await ask(host, 'begin')
  let most = before.memory
  const watching = setInterval(() => {
    void ask(host, 'now').then(({ memory }) => {
      most = Math.max(most, memory)
    })
  }, 250)
  const got = await page.evaluate(() => window.bench.checksum('\r', '>', '<'))
  clearInterval(watching)
  const after = await ask(host, 'now')
  await page.close()
  return [
    rowOf({
      name: '200 MB: characters that arrived, beside those sent',
      // A wrong sum with the right count would be as bad as a wrong count.
      ours: got.sum === sum ? got.length : Number.NaN,
      limit: length,
      target: got.length === length ? { least: 1 } : { most: 0 },
      unit: 'bytes',
    }),
    rowOf({
      name: '200 MB: most memory of the host, beside before',
      ours: most / 1e6,
      limit: before.memory / 1e6,
      unit: 'MB',
    }),
    rowOf({
      name: "200 MB: delay of the host's event loop p99, beside its timer's 1 ms",
      ours: after.delay,
      limit: 1,
    }),
    rowOf({ name: "200 MB: worst delay of the host's event loop", ours: after.worst, limit: 1 }),
  ]
}

async function ask(
  host: ChildProcess,
  what: 'begin' | 'now',
): Promise<{ memory: number; delay: number; worst: number }> {
  const answer = once(host, 'message') as Promise<[{ memory: number; delay: number; worst: number }]>
  host.send(what)
  return (await answer)[0]
}
