import { expect, test } from 'vitest'
import { latePart, loadLateParts } from './late-parts'

test('a part loads once, when it is asked for or after the others; one that can’t be loaded keeps none waiting', async () => {
  const loads: string[] = []
  const part = (name: string) =>
    latePart(async () => {
      loads.push(name)
      await Promise.resolve()
      if (name === 'broken') throw new Error(name)
      loads.push(`${name} is there`)
      return name
    })
  const [first, broken, asked, last] = ['first', 'broken', 'asked', 'last'].map(part)
  expect(await asked!()).toBe('asked')
  await loadLateParts()
  expect(loads.slice(2)).toEqual(['first', 'first is there', 'broken', 'last', 'last is there'])
  await loadLateParts()
  expect(await Promise.all([first!(), asked!(), last!()])).toEqual(['first', 'asked', 'last'])
  await expect(broken!()).rejects.toThrow('broken')
  expect(loads).toHaveLength(7)
})
