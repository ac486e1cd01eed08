import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkBundles } from './bundles/check-bundles'

test('the built app holds nothing that Electron or the page would refuse', () => {
  expect(checkBundles('out', join('node_modules', 'electron', 'electron.d.ts'))).toEqual([])
})

test('what the page needs before its first frame is one script, without the editor', () => {
  const renderer = join('out', 'renderer')
  const page = readFileSync(join(renderer, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/"\.\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  expect(scripts).toHaveLength(1)
  const map = readFileSync(join(renderer, `${scripts[0]}.map`), 'utf8')
  const { sources } = JSON.parse(map) as { sources: string[] }
  expect(sources.some((source) => source.includes('/react-dom/'))).toBe(true)
  expect(sources.filter((source) => /\/(@codemirror|@lezer|@xterm)\//.test(source))).toEqual([])
})
