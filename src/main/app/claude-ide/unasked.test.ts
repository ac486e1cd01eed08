import { expect, it } from 'vitest'
import { describeUnasked } from './unasked'

it('goes by the mode it was started in until its session shows another', () => {
  expect(describeUnasked('manual')).toBeNull()
  expect(describeUnasked('acceptEdits')?.certain).toBe(true)
  expect(describeUnasked('')?.certain).toBe(false)
  expect(describeUnasked('acceptEdits', {})?.certain).toBe(true)
  expect(describeUnasked('acceptEdits', { mode: 'default' })).toBeNull()
  expect(describeUnasked('', { mode: 'plan' })).toBeNull()
})

it('says since when the mode is known', () => {
  for (const mode of ['acceptEdits', 'auto', 'bypassPermissions']) {
    const said = describeUnasked('manual', { mode })
    expect(said?.certain).toBe(true)
    expect(said?.sentence).toMatch(/^Claude .*(is now|now runs) .*writes .*without review/)
  }
})

it('does not claim to know a mode that it has never heard of', () => {
  const said = describeUnasked('manual', { mode: 'someday' })
  expect(said?.certain).toBe(false)
  expect(said?.sentence).toContain('“someday”')
})

it('names what was written unasked in a mode that asks', () => {
  const path = '/project/src/app.ts'
  const byMode = describeUnasked('manual', {
    mode: 'default',
    wrote: { path, allowedBy: 'mode', call: null },
  })
  expect(byMode?.sentence).toContain('has written app.ts without review')
  const byRule = describeUnasked('manual', {
    mode: 'default',
    wrote: { path, allowedBy: 'rule', call: null },
  })
  expect(byRule?.sentence).toContain('/permissions')
  expect(byMode?.certain && byRule?.certain).toBe(true)
})
