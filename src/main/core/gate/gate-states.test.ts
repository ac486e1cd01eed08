import { expect, test } from 'vitest'
import { succeed } from '../../../shared/result'
import { type Gated, GateStates } from './gate-states'

test('tells what has changed, and only that', () => {
  const states = new GateStates()
  const changes: (string | null)[] = []
  states.onChange((connection) => changes.push(connection))
  const unseen: Gated = { state: 'unseen', terminal: 't', isExpected: true, sentence: null }
  states.tell('a', unseen)
  states.tell('a', { ...unseen })
  expect(states.of('a')).toEqual(unseen)
  states.tell('a', { ...unseen, state: 'in-force' })
  states.offer(true)
  states.offer(true)
  const question = { words: 'Why?', agree: 'Yes', decline: 'No', answer: () => succeed({}) }
  states.ask(question)
  states.ask({ ...question })
  expect(states.question).toEqual(question)
  states.forget('a')
  states.forget('a')
  expect(states.of('a')).toBeNull()
  expect(states.list()).toEqual([])
  expect(changes).toEqual(['a', 'a', null, null, 'a'])
})
