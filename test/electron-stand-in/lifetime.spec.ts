import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { inherited, isStandIn, launchSample, type Sample } from './sample-app/launch'

test.skip(() => !isStandIn(), 'about the stand-in, and another Electron is asked for')

const folder = (): string => process.env['SAMPLE_APP'] ?? ''
let sample: Sample

test.afterEach(() => sample?.dispose())

/** Every living process, as `ps` shows it; what has ended and waits to be reaped does not live. */
function processes(): { pid: number; parent: number; command: string }[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split(
    '\n',
  )
  return lines.flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined || state.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

/** The profile folder of the Chromium that an app has started. */
function profileOf(pid: number | undefined): string {
  const chromium = processes().find(
    ({ parent, command }) => parent === pid && command.includes('--user-data-dir='),
  )
  return /--user-data-dir=(\S+)/.exec(chromium?.command ?? '')?.[1] ?? 'none'
}

/** What of an app is still there. */
function remains(pid: number | undefined, profile: string): string[] {
  const alive = processes().filter((one) => one.pid === pid || one.command.includes(profile))
  return [...alive.map(({ command }) => command), ...(existsSync(profile) ? [profile] : [])]
}

test('quitting asks in Electron’s order and leaves nothing behind', async () => {
  sample = await launchSample(folder())
  const { pid } = sample.app.process()
  const profile = profileOf(pid)
  expect(existsSync(profile)).toBe(true)
  await sample.app.close()
  const ends = ['before-quit', 'close', 'closed', 'will-quit', 'quit 0']
  expect(sample.journal().slice(-ends.length)).toEqual(ends)
  await expect.poll(() => remains(pid, profile)).toEqual([])
  expect(existsSync(join(sample.data, 'SingletonSocket'))).toBe(false)
})

test('a window that does not close keeps the app alive, and exit does not ask', async () => {
  sample = await launchSample(folder(), { SAMPLE_KEEP: '1' })
  await sample.app.evaluate(({ app }) => app.quit())
  await expect.poll(() => sample.journal().slice(-2)).toEqual(['before-quit', 'close'])
  expect(await sample.page.evaluate(() => window.sample.invoke('echo', 'alive'))).toBe('alive')
  const ended = once(sample.app.process(), 'exit')
  await sample.app.evaluate(({ app }) => app.exit(3)).catch(() => {})
  expect(await ended).toEqual([3, null])
  expect(sample.journal().slice(-2)).toEqual(['closed', 'quit 3'])
})

test('SIGTERM quits in order', async () => {
  sample = await launchSample(folder())
  const closed = sample.app.waitForEvent('close')
  sample.app.process().kill('SIGTERM')
  await closed
  expect(sample.journal().slice(-2)).toEqual(['will-quit', 'quit 0'])
})

test('after SIGKILL neither Chromium nor its profile is left', async () => {
  sample = await launchSample(folder())
  const { pid } = sample.app.process()
  const profile = profileOf(pid)
  const closed = sample.app.waitForEvent('close')
  process.kill(pid ?? 0, 'SIGKILL')
  await closed
  await expect.poll(() => remains(pid, profile)).toEqual([])
  // The lock of a process that was killed is nobody's.
  const next = spawn(join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '', 'electron'), [folder()], {
    env: { ...inherited(), SAMPLE_DATA: sample.data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(next, 'exit')
  await expect.poll(() => profileOf(next.pid)).not.toBe('none')
  const second = profileOf(next.pid)
  next.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  await expect.poll(() => remains(next.pid, second)).toEqual([])
})

test('a second start hands over what it was given and ends', async () => {
  sample = await launchSample(folder())
  const { pid } = sample.app.process()
  const second = spawn(
    join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '', 'electron'),
    [folder(), '/some/folder'],
    {
      cwd: sample.data,
      env: { ...inherited(), SAMPLE_DATA: sample.data },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  second.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  expect(await once(second, 'close')).toEqual([0, null])
  expect(said).toBe('stand-in: a test tool runs this app in the place of Electron\n')
  const heard = {
    argv: ['/some/folder'],
    workingDirectory: sample.data,
    additionalData: { folders: ['/some/folder'] },
  }
  await expect.poll(() => sample.journal().at(-1)).toBe(`second-instance ${JSON.stringify(heard)}`)
  expect(sample.app.process().pid).toBe(pid)
  expect(await sample.page.evaluate(() => window.sample.invoke('echo', 'alive'))).toBe('alive')
})

test('another data folder is another app', async () => {
  sample = await launchSample(folder())
  const other = await launchSample(folder())
  expect(await other.page.evaluate(() => window.sample.invoke('echo', 'mine'))).toBe('mine')
  await other.dispose()
  expect(await sample.page.evaluate(() => window.sample.invoke('echo', 'mine'))).toBe('mine')
})
