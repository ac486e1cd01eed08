import { expect, it } from 'vitest'
import { type GateNow, describeGate } from '../dialect-kit/gate-sentences'
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

const gate = (more: Partial<GateNow>): GateNow => ({
  ...{ state: 'in-force', terminal: 't', isExpected: true, sentence: null, mode: 'every' },
  ...more,
})

it('warns of no mode where every change passes the gate', () => {
  for (const state of ['unseen', 'in-force'] as const) {
    expect(describeUnasked('bypassPermissions', { mode: 'auto' }, gate({ state }))).toBeNull()
  }
  const byMode = describeUnasked('manual', { mode: 'acceptEdits' }, gate({ mode: 'mode' }))
  expect(byMode?.sentence).toContain('accept edits')
  expect(describeUnasked('manual', { mode: 'default' }, gate({ mode: 'mode' }))).toBeNull()
})

it('warns in every mode of a gate that should be in force and isn’t', () => {
  const off = gate({ state: 'not-in-force', sentence: 'Why.' })
  expect(describeUnasked('manual', { mode: 'default' }, off)).toEqual({ sentence: 'Why.', certain: true })
  const elsewhere = { ...off, isExpected: false }
  expect(describeUnasked('manual', { mode: 'default' }, elsewhere)).toBeNull()
  expect(describeUnasked('manual', { mode: 'auto' }, elsewhere)?.sentence).toContain('auto mode')
  expect(describeUnasked('manual', { mode: 'default' }, { ...off, mode: 'mode' })).toBeNull()
})

it('says what is asked once it is known', () => {
  expect(describeGate(gate({}))).toBe('Every change is reviewed, unless a rule for files says otherwise.')
  expect(describeGate(gate({ mode: 'mode' }))).toBe('Reviewed as its mode says.')
  expect(describeGate(gate({ state: 'unseen' }))).toBeNull()
  expect(describeGate(gate({ state: 'not-in-force', isExpected: false, sentence: 'Why.' }))).toBe('Why.')
})
