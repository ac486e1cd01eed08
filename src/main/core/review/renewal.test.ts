import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carryOver } from './renewal'

const text = (lines: readonly string[]) => Text.of(lines.length > 0 ? [...lines] : [''])

describe('what the person does to a file that an agent has written', () => {
  it('is in the text from before too, also beside the agent’s lines', () => {
    const carried = carryOver(text(['one', '']), text(['ONE', '']), text(['mine', 'ONE', 'two', '']))
    expect(carried.toJSON()).toEqual(['mine', 'one', 'two', ''])
  })

  it('stays with the agent’s change where it is within it', () => {
    const carried = carryOver(
      text(['a', 'b', 'c']),
      text(['a', 'X', 'Y', 'c']),
      text(['a', 'X', 'mine', 'Y', 'c']),
    )
    expect(carried.toJSON()).toEqual(['a', 'b', 'c'])
  })

  it('takes a line away that the agent had left alone', () => {
    const carried = carryOver(text(['a', 'b', 'c', 'd']), text(['A', 'b', 'c', 'd']), text(['A', 'b', 'd']))
    expect(carried.toJSON()).toEqual(['a', 'b', 'd'])
  })

  it('stands once where it is what the agent had deleted', () => {
    const carried = carryOver(
      text(['a', 'X', 'b', 'Y', 'c']),
      text(['a', 'b', 'c']),
      text(['a', 'X', 'b', 'c']),
    )
    expect(carried.toJSON()).toEqual(['a', 'X', 'b', 'Y', 'c'])
  })

  it('never loses a line that the person put outside of the agent’s own lines', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 })
    fc.assert(
      fc.property(lines, lines, fc.array(fc.nat(20), { maxLength: 3 }), (old, agents, places) => {
        // Lines of the person's, each its own, set at the edges of lines that both texts have.
        const before = old.map((line, index) => `${line}${index}`)
        const seen = agents.map((line, index) =>
          before[index]?.startsWith(line) ? before[index] : `agent ${index}`,
        )
        const persons = [...seen]
        const edges = seen.flatMap((line, index) => (line.startsWith('agent') ? [] : [index]))
        const put = places.flatMap((place, number) => {
          const edge = edges[place % Math.max(1, edges.length)]
          if (edge === undefined) return []
          const at = persons.indexOf(seen[edge] ?? '')
          persons.splice(at, 0, `mine ${number}`)
          return [`mine ${number}`]
        })
        const carried = carryOver(text(before), text(seen), text(persons)).toJSON()
        for (const line of put) expect(carried).toContain(line)
        for (const line of before) expect(carried).toContain(line)
        expect(carried.length).toBe(
          Math.max(1, before.length + put.length + (before.length === 0 && put.length > 0 ? 1 : 0)),
        )
      }),
    )
  })
})
