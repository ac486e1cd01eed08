import { afterEach, describe, expect, it } from 'vitest'
import { commandFor } from './dispatch'
import type { Stroke } from './keys'
import {
  type Command,
  allCommands,
  changeKeys,
  isRunnable,
  keysOf,
  registerCommands,
  runCommand,
} from './registry'

const nothing = () => undefined
const save: Command = { id: 'file.save', title: 'Save', keys: ['Mod+S'], run: nothing }
const stroke: Stroke = {
  key: 's',
  code: 'KeyS',
  ctrlKey: true,
  metaKey: false,
  altKey: false,
  shiftKey: false,
}
const inScope = (scope: string) =>
  ({ closest: (query: string) => (query.includes(`"${scope}"`) ? {} : null) }) as Element

afterEach(() => changeKeys({}))

describe('the registry', () => {
  it('forgets what is disposed, once', () => {
    const registered = registerCommands([save])
    expect(allCommands()).toContain(save)
    registered.dispose()
    registered.dispose()
    expect(allCommands()).not.toContain(save)
  })

  it('takes changed keys for the default ones, also none', () => {
    changeKeys({ 'file.save': ['Mod+Alt+S'] })
    expect(keysOf(save)).toEqual(['Mod+Alt+S'])
    changeKeys({ 'file.save': [] })
    expect(keysOf(save)).toEqual([])
  })

  it('runs only what makes sense here', () => {
    const ran: string[] = []
    const scoped: Command = { id: 'x.y', title: 'X', scope: 'review', run: () => void ran.push('scoped') }
    const never: Command = { id: 'x.z', title: 'Z', when: () => false, run: () => void ran.push('never') }
    const registered = registerCommands([scoped, never])
    expect(runCommand('x.y', null)).toBe(false)
    expect(runCommand('x.z', inScope('review'))).toBe(false)
    expect(runCommand('x.y', inScope('review'))).toBe(true)
    expect(ran).toEqual(['scoped'])
    registered.dispose()
  })
})

describe('commandFor', () => {
  const kept: Command = { id: 'review.save', title: 'Keep', keys: ['Mod+S'], scope: 'review', run: nothing }

  it('prefers a command of the place to one of everywhere', () => {
    const place = { target: inScope('review'), inTerminal: false }
    expect(commandFor(stroke, place, [save, kept], false)).toBe(kept)
    expect(commandFor(stroke, { target: null, inTerminal: false }, [save, kept], false)).toBe(save)
  })

  it('leaves a terminal its keys, but for the few that it gives up', () => {
    const place = { target: null, inTerminal: true }
    expect(commandFor(stroke, place, [save], false)).toBeNull()
    const given = { ...save, fromTerminal: true }
    expect(commandFor(stroke, place, [given], false)).toBe(given)
  })

  it('passes over what makes no sense now', () => {
    const asleep = { ...save, when: () => false }
    expect(commandFor(stroke, { target: null, inTerminal: false }, [asleep, save], false)).toBe(save)
    expect(isRunnable(asleep, null)).toBe(false)
  })
})
