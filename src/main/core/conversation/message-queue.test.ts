import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageQueue } from './message-queue'

const say = (text: string) => ({ text, pictures: [], withContext: false })

test('whatever is done with it, each message is sent, taken back, or waits; the order is the person’s', () => {
  const act = fc.tuple(
    fc.constantFrom('add', 'take', 'fail', 'give', 'giveBackAll', 'edit', 'move', 'withdraw'),
    fc.nat(5),
    fc.nat(5),
  )
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const queue = new MessageQueue()
      let model: string[] = []
      const gone: string[] = []
      const given = new Set<string>()
      const isHere = (id: string) => model.includes(id) && !given.has(id)
      const first = () => model.find((one) => !given.has(one))
      let added = 0
      for (const [kind, at, to] of acts) {
        const id = model[at % Math.max(1, model.length)] ?? 'none'
        const isThere = model.includes(id)
        switch (kind) {
          case 'add':
            model.push(queue.add(say(`text ${++added}`)).id)
            break
          case 'take': {
            const taken = queue.take()
            expect(taken?.id).toBe(first())
            model = model.filter((one) => one !== taken?.id)
            if (taken) gone.push(taken.id)
            break
          }
          case 'fail': {
            const taken = queue.take()
            if (taken) queue.putBack(taken)
            break
          }
          case 'give':
            expect(queue.give(id)).toBe(isThere)
            if (isHere(id)) {
              model = model.filter((one) => one !== id)
              model.splice(model.filter((one) => given.has(one)).length, 0, id)
              given.add(id)
            }
            break
          case 'giveBackAll':
            expect(queue.giveBackAll()).toBe(model.some((one) => given.has(one)))
            given.clear()
            break
          case 'edit':
            expect(queue.edit(id, 'other')).toBe(isHere(id))
            break
          case 'move':
            expect(queue.move(id, to)).toBe(isHere(id))
            if (isHere(id)) {
              model = model.filter((one) => one !== id)
              model.splice(Math.max(to, model.filter((one) => given.has(one)).length), 0, id)
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
