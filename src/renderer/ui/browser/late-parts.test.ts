import { expect, test } from 'vitest'
import { latePart, loadLateParts } from './late-parts'

test('a part loads once, when it is asked for or after the others; one that can’t be loaded keeps none waiting, and is told', async () => {
  const loads: string[] = []
  const part = (name: string) =>
    latePart(async () => {
      loads.push(name)
      await Promise.resolve()
      if (name === 'broken') throw new Error(name)
      loads.push(`${name} is there`)
      return name
    })
  const [first, asked] = ['first', 'asked'].map(part)
  expect(await asked!()).toBe('asked')
  expect(await loadLateParts()).toBe(true)
  const [broken, last] = ['broken', 'last'].map(part)
  // Also where somebody else has asked for it before.
  await expect(broken!()).rejects.toThrow('broken')
  expect(await loadLateParts()).toBe(false)
  expect(loads.slice(2)).toEqual(['first', 'first is there', 'broken', 'last', 'last is there'])
  expect(await loadLateParts()).toBe(false)
  expect(await Promise.all([first!(), asked!(), last!()])).toEqual(['first', 'asked', 'last'])
  expect(loads).toHaveLength(7)
})
