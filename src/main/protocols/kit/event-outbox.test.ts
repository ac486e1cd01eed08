import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventOutbox } from './event-outbox'

function drain(outbox: EventOutbox, now = 0): string[] {
  const texts: string[] = []
  for (let event = outbox.next(now); event !== undefined; event = outbox.next(now)) texts.push(event.text)
  return texts
}

describe('an outbox', () => {
  it('sends every event once, in order, and only the newest of those where only that counts', () => {
    const outbox = new EventOutbox()
    outbox.add('context', 'c1', 'newest')
    outbox.add('outcome', 'o1', 'every')
    outbox.add('context', 'c2', 'newest')
    outbox.add('outcome', 'o2', 'every')
    expect(drain(outbox)).toEqual(['o1', 'c2', 'o2'])
    expect(drain(outbox)).toEqual([])
  })

  it('sends again what came after the last event that a client got', () => {
    const outbox = new EventOutbox()
    for (const text of ['a', 'b', 'c']) outbox.add('outcome', text, 'every')
    const first = outbox.next(0)
    drain(outbox)
    outbox.add('outcome', 'd', 'every')
    outbox.resume(first?.id)
    expect(drain(outbox)).toEqual(['b', 'c', 'd'])
  })

  it('sends nothing twice to a client that does not say what it got', () => {
    const outbox = new EventOutbox()
    outbox.add('outcome', 'a', 'every')
    drain(outbox)
    outbox.add('outcome', 'b', 'every')
    outbox.resume(undefined)
    expect(drain(outbox)).toEqual(['b'])
  })

  it('forgets what has arrived, and keeps no more than its bound', () => {
    const outbox = new EventOutbox()
    outbox.add('outcome', 'a', 'every')
    drain(outbox, 10)
    outbox.forget(10)
    expect(outbox.size).toBe(1)
    outbox.forget(11)
    expect(outbox.size).toBe(0)
    for (let i = 0; i < 1000; i += 1) outbox.add('outcome', `${i}`, 'every')
    expect(outbox.size).toBe(256)
    expect(drain(outbox).at(-1)).toBe('999')
    for (let i = 0; i < 70; i += 1) outbox.add('outcome', 'x'.repeat(1024 * 1024), 'every')
    expect(outbox.size).toBeLessThanOrEqual(64)
  })

  it('loses no outcome and changes no order, wherever streams break', () => {
    type Step = { kind: 'add' } | { kind: 'send' } | { kind: 'read' } | { kind: 'break' }
    const step = fc.constantFrom<Step>({ kind: 'add' }, { kind: 'send' }, { kind: 'read' }, { kind: 'break' })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const outbox = new EventOutbox()
        const got: string[] = []
        let lastSeen = 0
        let wire: { id: number; text: string }[] = []
        let added = 0
        const read = (): void => {
          const event = wire.shift()
          if (event === undefined) return
          lastSeen = event.id
          got.push(event.text)
        }
        const renew = (): void => {
          wire = []
          // A client names what it got once it has got something; before that nothing can have been lost unseen here.
          outbox.resume(lastSeen)
        }
        for (const { kind } of steps) {
          if (kind === 'add') outbox.add('outcome', `${added++}`, 'every')
          else if (kind === 'send') {
            const event = outbox.next(0)
            if (event) wire.push(event)
          } else if (kind === 'read') read()
          else renew()
        }
        renew()
        for (let event = outbox.next(0); event !== undefined; event = outbox.next(0)) wire.push(event)
        while (wire.length > 0) read()
        expect(got).toEqual(Array.from({ length: added }, (_, index) => `${index}`))
      }),
    )
  })
})
