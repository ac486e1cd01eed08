import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageQueue } from './message-queue'

test('whatever is done with it, each message is sent, taken back, or waits; the order is the person’s', () => {
  const act = fc.tuple(
    fc.constantFrom('add', 'take', 'fail', 'edit', 'move', 'withdraw'),
    fc.nat(5),
    fc.nat(5),
  )
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const queue = new MessageQueue()
      let model: string[] = []
      const gone: string[] = []
      let added = 0
      for (const [kind, at, to] of acts) {
        const id = model[at % Math.max(1, model.length)] ?? 'none'
        const isThere = model.includes(id)
        switch (kind) {
          case 'add':
            model.push(queue.add(`text ${++added}`).id)
            break
          case 'take': {
            const taken = queue.take()
            expect(taken?.id).toBe(model.shift())
            if (taken) gone.push(taken.id)
            break
          }
          case 'fail': {
            const taken = queue.take()
            if (taken) queue.putBack(taken)
            break
          }
          case 'edit':
            expect(queue.edit(id, 'other')).toBe(isThere)
            break
          case 'move':
            expect(queue.move(id, to)).toBe(isThere)
            if (isThere) {
              model = model.filter((one) => one !== id)
              model.splice(to, 0, id)
            }
            break
          case 'withdraw':
            expect(queue.withdraw(id)?.id).toBe(isThere ? id : undefined)
            if (isThere) gone.push(id)
            model = model.filter((one) => one !== id)
        }
        expect(queue.all.map((one) => one.id)).toEqual(model)
      }
      expect(new Set([...model, ...gone]).size).toBe(added)
    }),
  )
})
