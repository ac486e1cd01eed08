import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import strayProcess from '../../../../test/stray-process?modulePath'

const run = promisify(execFile)
const heardBy = async (...words: string[]) =>
  JSON.parse((await run(process.execPath, [strayProcess, ...words])).stdout) as string[]

test('an error that nobody catches is logged with where it came from, told, and ends nothing', async () => {
  const heard = await heardBy()
  const told = heard.filter((line) => line.startsWith('Something went wrong in Greenlight'))
  // The first telling failed itself; the last error came too soon after one that was told.
  expect(told.length).toBe(2)
  expect(heard.filter((line) => line === 'bug ["error","stack"]').length).toBe(3)
  expect(heard.length).toBe(6)
})

test('one before there is anybody to tell ends the start', async () => {
  expect(await heardBy('early')).toEqual(['bug ["error","stack"]', 'end'])
})
