import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkBundles } from './bundles/check-bundles'

test('the built app holds nothing that Electron or the page would refuse', () => {
  expect(checkBundles('out', join('node_modules', 'electron', 'electron.d.ts'))).toEqual([])
})
