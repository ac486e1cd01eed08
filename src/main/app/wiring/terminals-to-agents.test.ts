import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { succeed } from '../../../shared/result'
import { defaultSettings } from '../../../shared/settings/all-settings'
import type { Launch } from '../../core/terminal/launch'
import { WindowFolders } from '../window-folders'
import { terminalsSurroundings } from './terminals-to-agents'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-surroundings-'))
})
afterEach(() => rmSync(base, { recursive: true }))

/** A program in a folder; its path. */
function put(folder: string, name: string): string {
  const path = join(base, folder, name)
  mkdirSync(join(base, folder), { recursive: true })
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, 0o755)
  return path
}

function surroundings(launch: Launch, front: string | null, settings = defaultSettings) {
  return terminalsSurroundings({
    ...{ window: 'w', folders: new WindowFolders([base]), settings: { get: () => settings } },
    profiles: { launch: () => Promise.resolve(succeed(launch)) },
    launchers: { folder: join(base, 'bin'), editor: 'e', front, dispose: () => undefined },
    dialects: () => [],
    changes: () => null,
    environment: () => Promise.resolve({ PATH: [join(base, 'a'), join(base, 'b')].join(':') }),
    host: { home: base, dataDir: base, version: '1', log: { error: () => undefined } },
  })
}

it('starts a program through its wrapper where it is the one that PATH names', async () => {
  const front = join(base, 'front')
  const wrapper = put('front', 'one')
  const first = put('a', 'one')
  const other = put('b', 'one')
  const unwrapped = put('a', 'two')
  const started = async (program: string, folder: string | null = front) => {
    const launch = await surroundings({ title: 'T', program, args: ['x'] }, folder).launch('p')
    return launch.ok ? launch.value : null
  }
  expect(await started(first)).toEqual({ title: 'T', program: wrapper, args: ['x'], isShell: false })
  for (const program of [other, unwrapped, '/bin/sh'])
    expect(await started(program)).toMatchObject({ program })
  expect(await started(first, null)).toMatchObject({ program: first })
})

it('keeps wrappers first in the person’s shell, and only there, unless they want that not', () => {
  const files = join(base, 'shell', 'zsh')
  put('shell/zsh', '.zshenv')
  const start = { title: 'T', program: '/bin/zsh', args: ['-l'] }
  const env = { HOME: base }
  const integrated = (launch: Launch, front: string | null) =>
    surroundings(launch, front).integrate(launch, env).env
  expect(integrated({ ...start, isShell: true }, '/front')).toMatchObject({ ZDOTDIR: files })
  expect(integrated(start, '/front')).toEqual(env)
  expect(integrated({ ...start, isShell: true }, null)).toEqual(env)
  const off = { ...defaultSettings, terminalShellIntegration: false }
  expect(surroundings(start, '/front', off).integrate({ ...start, isShell: true }, env).env).toEqual(env)
})
