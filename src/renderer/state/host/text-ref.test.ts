import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HostClient } from './client'
import { fetchText } from './text-ref'

/** A host that gives a text in pieces of some length. */
function hostWith(text: string, piece: number): Pick<HostClient, 'call'> {
  const call = (_name: string, { from }: { from: number }) =>
    Promise.resolve({ piece: text.slice(from, from + piece), done: from + piece >= text.length })
  return { call: call as unknown as HostClient['call'] }
}

it('needs no call for a text that is there', async () => {
  expect(await fetchText(hostWith('', 1), { text: 'short' })).toBe('short')
})

it('joins the pieces, whatever their length, surrogates and all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 5 }), async (text, piece) => {
      expect(await fetchText(hostWith(text, piece), { handle: 'h', length: text.length })).toBe(text)
    }),
  )
})

it('tells how far it is', async () => {
  const heard: number[] = []
  await fetchText(hostWith('abcdefg', 3), { handle: 'h', length: 7 }, undefined, ({ read }) =>
    heard.push(read),
  )
  expect(heard).toEqual([3, 6, 7])
})

it('does not ask for ever when a host gives nothing more', async () => {
  const call = () => Promise.resolve({ piece: '', done: false })
  const host = { call: call as unknown as HostClient['call'] }
  expect(await fetchText(host, { handle: 'h', length: 10 })).toBe('')
})
