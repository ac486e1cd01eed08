import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fail, succeed } from '../../../shared/result'
import type { DialectFacts, OpenDialect } from '../dialect-kit/dialect'
import { outsideStart } from './outside-start'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-outside-')))
  mkdirSync(join(base, 'a', 'inner'), { recursive: true })
  mkdirSync(join(base, 'b'))
})
afterEach(() => rmSync(base, { recursive: true }))

const facts = { wrapper: { command: 'one', unix: () => '', windows: () => '' } } as unknown as DialectFacts
const other = { variables: (terminal: string) => ({ PORT: '1', OF: terminal, GONE: undefined }) }

function window(id: string, folders: string[], isOn = true) {
  const open = {
    outside: (terminal: string, folder: string) =>
      Promise.resolve(
        !isOn
          ? null
          : folder === join(base, 'b')
            ? fail('hooks-off', 'Off there.')
            : succeed({ variables: { TOKEN: id, TERMINAL: terminal }, address: `/${id}` }),
      ),
    variables: () => ({ PLUGIN: 'of terminals' }),
  }
  return {
    id,
    folders: { paths: folders.map((folder) => join(base, folder)) },
    dialects: [
      { facts: {} as DialectFacts, open: other as unknown as OpenDialect },
      { facts, open: open as unknown as OpenDialect },
    ],
  }
}

const asked = (folder: string, more = {}) => ({
  ...{ command: 'one', folder: join(base, folder), window: null },
  ...more,
})

it('gives what the agent needs of every dialect, under an id of its own', async () => {
  const start = await outsideStart([window('w', ['a'])], '/front', asked('a'))
  expect(start).toMatchObject({
    value: { program: '/front/one', address: '/w', variables: { PORT: '1', TOKEN: 'w' } },
  })
  const { variables = {} } = start.ok ? start.value : {}
  expect(Object.keys(variables).sort()).toEqual(['OF', 'PORT', 'TERMINAL', 'TOKEN'])
  expect(variables['TERMINAL']).toMatch(/^outside-/)
  expect(variables['OF']).toBe(variables['TERMINAL'])
})

it('is for the window that it was typed in, else for the innermost folder’s, else for the only one', async () => {
  const windows = [window('w', ['a']), window('inner', ['b', 'a/inner'])]
  const chosen = async (given: ReturnType<typeof asked>, among = windows) => {
    const start = await outsideStart(among, '/front', given)
    return start.ok ? start.value.variables['TOKEN'] : start.failure.code
  }
  expect(await chosen(asked('a/inner', { window: 'w' }))).toBe('w')
  expect(await chosen(asked('a/inner/deep', { window: 'gone' }))).toBe('inner')
  expect(await chosen(asked('a'))).toBe('w')
  expect(await chosen(asked(''))).toBe('no-window')
  expect(await chosen(asked(''), windows.slice(0, 1))).toBe('w')
  expect(await chosen(asked(''), [])).toBe('no-window')
  symlinkSync(join(base, 'a', 'inner'), join(base, 'link'))
  expect(await chosen(asked('link'))).toBe('inner')
})

it('is none where nobody would review', async () => {
  const off = { failure: { code: 'off', message: expect.stringContaining('Connections') as string } }
  expect(await outsideStart([window('w', ['a'], false)], '/front', asked('a'))).toMatchObject(off)
  expect(await outsideStart([window('w', ['a'])], null, asked('a'))).toMatchObject(off)
  expect(await outsideStart([window('w', ['a'])], '/front', asked('a', { command: 'two' }))).toMatchObject(
    off,
  )
  expect(await outsideStart([window('w', ['b'])], '/front', asked('b'))).toEqual(
    fail('hooks-off', 'Off there.'),
  )
})
