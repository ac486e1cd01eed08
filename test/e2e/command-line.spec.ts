import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { Place, RunningHost, root } from './running-host'

const test = base.extend<{ place: Place }>({
  place: async ({}, use) => {
    const place = new Place()
    await use(place)
    await place.dispose()
  },
})

test.describe('arguments', () => {
  test('--help names the options, --version the version; both end with 0', async ({ place }) => {
    const help = await place.run(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const option of ['--headless', '--browser', '--port', '--data-dir'])
      expect(help.stdout).toContain(option)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(await place.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  for (const [what, words] of [
    ['an unknown option', ['--frobnicate', '--headless']],
    ['a folder that does not exist', ['missing', '--headless']],
    ['a file in place of a folder', ['project/hello.txt', '--headless']],
    ['a port that is none', ['--port', '99999', '--headless']],
    ['a command that is not there', ['run', '--headless']],
  ] as const) {
    test(`${what} is one line on stderr and exit 2`, async ({ place }) => {
      const ended = await place.run([...words, '--data-dir', place.data])
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(existsSync(place.data)).toBe(false)
    })
  }

  test('greenlight record prints what is on record in a data directory, and leaves it as it is', async ({
    place,
  }) => {
    cpSync(join(root, 'test', 'recorded', '0.1.0'), place.data, { recursive: true })
    const names = () => new Set<unknown>(readdirSync(place.data, { recursive: true }))
    const before = names()
    const table = await place.run(['record', '/recorded', '--data-dir', place.data])
    expect(table).toMatchObject({ code: 0, stderr: '' })
    expect(table.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}Claude {2}Accepted {4}\/recorded\/c\.txt\n$/)
    const lines = await place.run(['record', '--json', '--data-dir', place.data])
    expect(JSON.parse(lines.stdout)).toMatchObject({ format: 1, path: '/recorded/c.txt', how: 'accepted' })
    expect(await place.run(['record', 'none', '--data-dir', place.data])).toMatchObject({
      code: 0,
      stdout: `No writes are on record for ${join(place.base, 'none')}.\n`,
    })
    expect(names()).toEqual(before)
  })

  test('a folder named like a command opens as ./run', async ({ place }) => {
    mkdirSync(join(place.base, 'run'))
    const host = await place.start(['./run', '--headless', '--data-dir', 'data'])
    expect((await host.ready()).workspace).toEqual([join(place.base, 'run')])
  })

  test('several folders are one window', async ({ place }) => {
    mkdirSync(join(place.base, 'second'))
    const host = await place.start(['project', 'second', '--headless', '--data-dir', place.data])
    expect((await host.ready()).workspace).toEqual([place.project, join(place.base, 'second')])
  })

  test('--port is the page’s port; one that is taken is said', async ({ place }) => {
    const first = await place.start()
    const { port } = new URL((await first.ready()).url)
    const second = await place.run([
      place.project,
      '--headless',
      '--port',
      port,
      '--data-dir',
      join(place.base, 'other'),
    ])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(port)
    await first.stop()
    const third = await place.start([place.project, '--headless', '--port', port, '--data-dir', place.data])
    expect(new URL((await third.ready()).url).port).toBe(port)
  })
})

test.describe('the ready line', () => {
  test('is the only thing on stdout, and what it names is there', async ({ place }) => {
    const host = await place.start()
    const ready = await host.ready()
    expect(ready).toMatchObject({ ready: true, pid: host.process.pid, workspace: [place.project] })
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]{20,}$/)
    expect(ready.claudeIde?.port).toBeGreaterThanOrEqual(10_000)
    for (const file of ready.claudeIde?.lockFiles ?? []) expect(existsSync(file)).toBe(true)
    const ended = await host.stop()
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test('its code is in no log', async ({ place }) => {
    const host = await place.start()
    const { url } = await host.ready()
    const code = new URL(url).searchParams.get('code') ?? ''
    await fetch(url, { redirect: 'manual' })
    await fetch(url, { redirect: 'manual' })
    const { stderr } = await host.stop()
    const logs = readdirSync(join(place.data, 'logs')).map((name) =>
      readFileSync(join(place.data, 'logs', name), 'utf8'),
    )
    expect(logs.join('')).toContain('request refused')
    for (const text of [stderr, ...logs]) expect(text).not.toContain(code)
  })

  test('the data directory is its owner’s alone', async ({ place }) => {
    await place.start()
    expect(statSync(place.data).mode & 0o777).toBe(0o700)
    const folders = join(place.data, 'folders')
    for (const name of readdirSync(folders)) expect(statSync(join(folders, name)).mode & 0o777).toBe(0o600)
  })
})

test.describe('the end', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`by ${signal} is 0 within 3 s, and the discovery files are gone`, async ({ place }) => {
      const host = await place.start()
      const ready = await host.ready()
      const ended = await host.stop(signal)
      expect(ended).toMatchObject({ code: 0, signal: null })
      expect(ended.took).toBeLessThan(3_000)
      for (const file of ready.claudeIde?.lockFiles ?? []) expect(existsSync(file)).toBe(false)
      expect(existsSync(join(place.data, 'lock'))).toBe(false)
    })
  }

  test('by SIGKILL leaves a lock that the next start takes over', async ({ place }) => {
    const first = await place.start()
    const { claudeIde } = await first.ready()
    first.process.kill('SIGKILL')
    await first.ended
    const second = await place.start()
    const ready = await second.ready()
    expect(ready.pid).toBe(second.process.pid)
    // The port is kept per folder, so an agent's terminal that is still open finds the same server.
    expect(ready.claudeIde?.port).toBe(claudeIde?.port)
  })
})

test.describe('a second start on the same data directory', () => {
  test('hands its folders over and prints the running one’s ready line with a link of its own', async ({
    place,
  }) => {
    const host = await place.start()
    const first = await host.ready()
    mkdirSync(join(place.base, 'second'))
    const again = await place.run([place.project, '--headless', '--data-dir', place.data])
    expect(again.code).toBe(0)
    const same = JSON.parse(again.stdout) as typeof first
    expect(same).toMatchObject({ ready: true, pid: first.pid, workspace: [place.project] })
    expect(same.url).not.toBe(first.url)
    expect((await fetch(same.url, { redirect: 'manual' })).status).toBe(303)

    const other = await place.run(['second', '--headless', '--data-dir', place.data])
    expect(JSON.parse(other.stdout)).toMatchObject({
      pid: first.pid,
      workspace: [join(place.base, 'second')],
    })
  })

  test('ends with 2 and a sentence where the running one does not answer', async ({ place }) => {
    const host = await place.start()
    writeFileSync(join(place.data, 'hand-over.json'), JSON.stringify({ socket: join(place.base, 'nowhere') }))
    const again = await place.run([place.project, '--headless', '--data-dir', place.data])
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(again.stderr).toContain(String(host.process.pid))
  })
})

test.describe('settings', () => {
  test('that are broken are set aside, and the app starts', async ({ place }) => {
    mkdirSync(place.data)
    writeFileSync(join(place.data, 'settings.json'), '{"theme": "dark",')
    await place.start()
    const aside = readdirSync(place.data).filter((name) => name.startsWith('settings.json.broken-'))
    expect(aside).toHaveLength(1)
    expect(readFileSync(join(place.data, aside[0] ?? ''), 'utf8')).toBe('{"theme": "dark",')
  })
})

test.describe('npm start', () => {
  function start(place: Place, words: readonly string[], env: Record<string, string> = {}): RunningHost {
    return new RunningHost(
      spawn(process.execPath, [join(root, 'scripts', 'start.mjs'), ...words], {
        cwd: place.base,
        env: place.env(env),
      }),
    )
  }

  test('with --headless passes the ready line, signals and the exit code through', async ({ place }) => {
    const started = start(place, ['project', '--headless', '--data-dir', place.data])
    const ready = await started.ready()
    expect(ready.workspace).toEqual([place.project])
    expect(await started.stop('SIGINT')).toMatchObject({ code: 0 })
    expect(started.stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test('itself, by npm, says nothing else on stdout and ends the app when npm is ended', async ({
    place,
  }) => {
    const npm = new RunningHost(
      spawn('npm', ['start', '--silent', '--', place.project, '--headless', '--data-dir', place.data], {
        cwd: root,
        env: place.env(),
      }),
    )
    const ready = await npm.ready()
    const first = ready.claudeIde?.lockFiles[0] ?? ''
    expect(existsSync(first)).toBe(true)
    npm.process.kill('SIGTERM')
    const ended = await npm.ended
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1)
    await expect.poll(() => existsSync(join(place.data, 'lock'))).toBe(false)
    expect(existsSync(first)).toBe(false)
  })

  test('without a display says so in one line and goes on as --headless', async ({ place }) => {
    const started = start(place, ['project', '--data-dir', place.data])
    await started.ready()
    expect(started.stderr).toContain('There is no display for Electron')
    expect(started.stderr).toContain(`${(await started.ready()).url.split('?')[0]}?code=`)
    expect(await started.stop()).toMatchObject({ code: 0 })
  })

  test('says what is wrong with the arguments before anything else', async ({ place }) => {
    const started = start(place, ['missing', '--data-dir', place.data])
    expect(await started.ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('missing'),
    })
  })
})
